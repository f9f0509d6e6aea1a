//! Comparison of the abscissae with the row sums of A.

use hemiola_tableau::{Butcher, Method, Scalar, Tableau};

use crate::verdict::equations::{EquationJudge, Equations};

/// Returns whether every abscissa is the row sum of A, exactly, to the precision of the coefficients or
/// numerically.
#[must_use]
pub fn has_row_sum_abscissae(method: &Method) -> bool {
    stages_off_row_sums(method).iter().all(Vec::is_empty)
}

/// Returns the stages of each partition, counted from 0, whose abscissa differs from the row sum of A, even
/// numerically.
///
/// ```
/// let pair = hemiola_tableau::library::method("lobatto-iiia-iiib-2").unwrap();
/// assert_eq!(hemiola_order::stages_off_row_sums(&pair), [vec![], vec![0, 1]]);
/// ```
#[must_use]
pub fn stages_off_row_sums(method: &Method) -> Vec<Vec<usize>> {
    let judge = EquationJudge::new(method, None);
    let is_off = |partition, stage: &usize| !judge.verdict(&RowSum { partition, stage: *stage }).holds();
    let stages = |partition| (0..method.stages()).filter(|stage| is_off(partition, stage)).collect();
    (0..method.partitions().len()).map(stages).collect()
}

/// The condition Σⱼ aᵢⱼ = cᵢ of one stage.
struct RowSum {
    partition: usize,
    stage: usize,
}

impl Equations for RowSum {
    fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let Butcher { a, c, .. } = &tableau.partitions[self.partition];
        vec![a[self.stage].iter().cloned().fold(-c[self.stage].clone(), |sum, a| sum + a)]
    }
}
