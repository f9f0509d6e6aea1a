//! The stage order: the largest order of the simplifying assumption C.

use hemiola_tableau::Method;

use crate::properties::simplifying_assumptions::coupled_stages;
use crate::verdict::equations::EquationJudge;

/// Highest order checked; with vanishing abscissae the assumption holds for every order.
const HIGHEST: usize = 200;

/// Returns the stage order: the largest q ≤ `order`, and at most 200, for which all stage values are accurate to
/// O(h^{q+1}).
///
/// For one partition this is Butcher's simplifying assumption C(q), A cᵏ⁻¹ = cᵏ/k for k ≤ q (Hairer & Wanner
/// 1996, §IV.5). For several partitions the stages of all of them must lie on the solution at the same times: A^r
/// Π c^{r_i} = (c^r)ᵏ/k for all products of k−1 abscissae of any partitions
/// ([`simplifying_assumptions`](crate::simplifying_assumptions)). Conditions hold exactly or to the precision of
/// the coefficients.
#[must_use]
pub fn stage_order(method: &Method, order: usize) -> usize {
    coupled_stages(&EquationJudge::new(method, None), order.min(HIGHEST)).order
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    #[test]
    fn stage_orders_of_known_families() {
        // Hairer & Wanner 1996, Table IV.5.13.
        for (id, expected) in [
            ("rk4", 1),
            ("gauss-2", 2),
            ("gauss-3", 3),
            ("radau-ia-2", 1),
            ("radau-ia-3", 2),
            ("radau-iia-2", 2),
            ("radau-iia-3", 3),
            ("lobatto-iiia-3", 3),
            ("lobatto-iiib-3", 1),
            ("lobatto-iiic-3", 2),
            ("implicit-midpoint", 1),
            ("dormand-prince-5", 1),
        ] {
            assert_eq!(stage_order(&library::method(id).unwrap(), 8), expected, "{id}");
        }
    }
}
