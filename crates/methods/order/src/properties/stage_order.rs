//! The stage order: the largest order of the simplifying assumptions B and C.

use hemiola_tableau::Method;

use crate::properties::simplifying_assumptions::simplifying_assumptions;

/// Returns the stage order: the largest q for which the result of the step and all stages are accurate to O(h^{q+1}).
///
/// This is the largest q of Butcher's simplifying assumptions B(q), bᵀcᵏ⁻¹ = 1/k, and C(q), A cᵏ⁻¹ = cᵏ/k for k ≤ q
/// (Hairer & Wanner 1996, §IV.15), so it never exceeds the order: the explicit Euler method, whose only stage is exact,
/// has stage order 1. For several partitions the stages of all of them must lie on the solution at the same times: A^r
/// Π c^{r_i} = (c^r)ᵏ/k for all products of k−1 abscissae of any partitions, and B likewise
/// ([`simplifying_assumptions`]). Conditions hold exactly, to the precision of the coefficients or numerically.
#[must_use]
pub fn stage_order(method: &Method) -> usize {
    simplifying_assumptions(method).coupled.stage_order()
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
            ("explicit-euler", 1),
            ("implicit-euler", 1),
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
            assert_eq!(stage_order(&library::method(id).unwrap()), expected, "{id}");
        }
    }
}
