//! Methods with the property first same as last, and the evaluations that they provide at no cost.

use hemiola_tableau::{Butcher, Exact, Tableau};
use num_traits::Zero;

/// Returns the pair with one more stage whose rows are the weights.
///
/// It is the first stage of the next step, so it costs no evaluation. The weights are extended by zero.
pub(crate) fn with_last_stage(tableau: &Tableau<Exact>) -> Tableau<Exact> {
    let longer = |row: &[Exact]| row.iter().cloned().chain([Exact::zero()]).collect::<Vec<Exact>>();
    let extended = |butcher: &Butcher<Exact>| {
        let a = butcher.a.iter().chain([&butcher.b]).map(|row| longer(row)).collect();
        (a, longer(&butcher.b), None)
    };
    Tableau::new(tableau.partitions.iter().map(extended).collect())
}

/// Returns whether the last stage is the first of the next step, in both partitions.
pub(crate) fn is_first_same_as_last(tableau: &Tableau<Exact>) -> bool {
    tableau.partitions.iter().all(Butcher::is_first_same_as_last)
}

/// Returns the stages at which evaluations of a partition are available.
///
/// In a method with first same as last, they include the last stage if the first stage is evaluated.
pub(crate) fn available(tableau: &Tableau<Exact>, partition: usize) -> Vec<usize> {
    let mut stages = tableau.partitions[partition].evaluated_stages();
    let last = tableau.stages() - 1;
    if is_first_same_as_last(tableau) && stages.first() == Some(&0) && stages.last() != Some(&last) {
        stages.push(last);
    }
    stages
}
