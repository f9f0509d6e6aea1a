//! The last stage as the first of the next step, and the evaluations that cost nothing.

use hemiola_tableau::{Butcher, Exact, Tableau};
use num_traits::Zero;

/// The pair with one more stage, whose rows are the weights: the next step's first, so that it costs no evaluation. The weights
/// get a zero there.
pub(crate) fn with_last_stage(tableau: &Tableau<Exact>) -> Tableau<Exact> {
    let longer = |row: &[Exact]| row.iter().cloned().chain([Exact::zero()]).collect::<Vec<Exact>>();
    let extended = |butcher: &Butcher<Exact>| {
        let a = butcher.a.iter().chain([&butcher.b]).map(|row| longer(row)).collect();
        (a, longer(&butcher.b), None)
    };
    Tableau::new(tableau.partitions.iter().map(extended).collect())
}

/// Whether the last stage is the first of the next step, in both partitions.
pub(crate) fn is_first_same_as_last(tableau: &Tableau<Exact>) -> bool {
    tableau.partitions.iter().all(Butcher::is_first_same_as_last)
}

/// The stages at which a partition is evaluated anyway: the last of a method that hands it on is one of them, if the first is.
pub(crate) fn available(tableau: &Tableau<Exact>, partition: usize) -> Vec<usize> {
    let mut stages = tableau.partitions[partition].evaluated_stages();
    let last = tableau.stages() - 1;
    if is_first_same_as_last(tableau) && stages.first() == Some(&0) && stages.last() != Some(&last) {
        stages.push(last);
    }
    stages
}
