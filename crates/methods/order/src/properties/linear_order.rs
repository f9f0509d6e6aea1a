//! The order for linear problems: the conditions of tall trees.
//!
//! For q' = Λq only first derivatives remain. Their trees have no branches and occur in all colorings: b^{r₁}ᵀ A^{r₂} ⋯
//! A^{r_n} 1 = 1/n! (Hairer & Wanner 1996, §IV.2, for one partition: the stability function).

use hemiola_tableau::{Method, Scalar, Tableau, dot};

use crate::verdict::equations::{EquationJudge, Equations};

/// Maximum number of tall trees; beyond this number the linear order is not determined.
const MOST_TREES: usize = 100_000;

/// Returns the largest order up to `highest` for which the conditions of tall trees hold exactly or to the
/// precision of the coefficients.
///
/// ```
/// let method = |id| hemiola_tableau::library::method(id).unwrap();
/// assert_eq!(hemiola_order::linear_order(&method("rk4"), 8), 4);
/// // Jameson's low-storage scheme: second order, but fourth where the problem is linear.
/// assert_eq!(hemiola_order::linear_order(&method("jameson-4"), 8), 4);
/// ```
#[must_use]
pub fn linear_order(method: &Method, highest: usize) -> usize {
    linear_order_from(&EquationJudge::new(method, None), 0, highest)
}

/// Determines the linear order if all conditions up to order `known` hold.
pub(crate) fn linear_order_from(judge: &EquationJudge, known: usize, highest: usize) -> usize {
    let partitions = judge.exact.partitions.len();
    // Factorials up to 20! fit into 64 bits.
    let are_few =
        |order: &usize| *order <= 20 && partitions.checked_pow(*order as u32).is_some_and(|trees| trees <= MOST_TREES);
    let holds = |order: &usize| judge.verdict(&TallTrees { order: *order }).holds();
    known + (known + 1..=highest).take_while(|order| are_few(order) && holds(order)).count()
}

/// The conditions of all colorings of the tall tree of one order.
struct TallTrees {
    order: usize,
}

impl Equations for TallTrees {
    fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let mut psi = vec![vec![T::one(); tableau.stages()]];
        for _ in 1..self.order {
            psi = tableau.partitions.iter().flat_map(|butcher| psi.iter().map(|psi| butcher.times(psi))).collect();
        }
        let weights = tableau.partitions.iter().map(|butcher| &butcher.b);
        let expected = T::ratio(1, (1..=self.order as u64).product());
        weights.flat_map(|b| psi.iter().map(|psi| dot(b, psi) - expected.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    #[test]
    fn the_linear_order_may_exceed_the_order() {
        // The stability function of an s-stage Gauss method is the diagonal Padé approximation, of order 2s.
        // Linear problems of a pair are not those of its partitions: Ruth's method has separable order 3.
        for (id, expected) in [("gauss-2", 4), ("gauss-3", 6), ("lobatto-iiia-iiib-3", 4), ("ruth-3", 1)] {
            assert_eq!(linear_order(&library::method(id).unwrap(), 8), expected, "{id}");
        }
    }
}
