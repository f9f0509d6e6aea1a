//! The weak stage order: the part of the stage order that affects the step for linear problems.

use std::fmt;

use hemiola_tableau::{Butcher, Method, Scalar, Tableau, dot};

use crate::verdict::equations::{EquationJudge, Equations};

/// The weak stage order of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WeakStageOrder {
    /// The largest q, at most 2s.
    Finite(usize),
    /// The conditions hold for every q.
    Unbounded,
}

impl WeakStageOrder {
    /// Returns the order; `None` if it is unbounded.
    #[must_use]
    pub fn value(self) -> Option<usize> {
        match self {
            Self::Finite(order) => Some(order),
            Self::Unbounded => None,
        }
    }
}

impl fmt::Display for WeakStageOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite(order) => write!(f, "{order}"),
            Self::Unbounded => f.write_str("unbounded"),
        }
    }
}

/// Returns the weak stage order of a partition, counted from 0: the largest q with bᵀAʲτ⁽ᵏ⁾ = 0 for all k ≤ q and j < s,
/// τ⁽ᵏ⁾ = A cᵏ⁻¹ − cᵏ/k (Ketcheson, Seibold, Shirokoff & Zhou 2020). It is at least the stage order.
///
/// Methods of high weak stage order retain their order for stiff linear problems with time-dependent forcing or
/// boundary values. Conditions hold exactly, to the precision of the coefficients or numerically. Returns `None` if there
/// is no such partition.
///
/// The order is unbounded if the conditions hold for k ≤ 2s + 1. They are linear in cᵢᵏ⁻¹ and cᵢᵏ/k, and for the distinct
/// abscissae other than zero, at most s, these sequences in k ≥ 2 form a confluent Vandermonde matrix: conditions for 2s
/// successive k make all coefficients vanish.
///
/// ```
/// use hemiola_order::{WeakStageOrder, weak_stage_order};
/// let method = |id| hemiola_tableau::library::method(id).unwrap();
/// assert_eq!(weak_stage_order(&method("gauss-3"), 0), Some(WeakStageOrder::Finite(3)));
/// assert_eq!(weak_stage_order(&method("crouzeix-3"), 0), Some(WeakStageOrder::Finite(1)));
/// ```
#[must_use]
pub fn weak_stage_order(method: &Method, partition: usize) -> Option<WeakStageOrder> {
    let alone = method.partition_alone(partition)?;
    let judge = EquationJudge::new(&alone, None);
    let decisive = 2 * method.stages() + 1;
    let reached = judge.verified_orders(decisive, |k| WeakStageEquations { k }).order;
    Some(if reached < decisive { WeakStageOrder::Finite(reached) } else { WeakStageOrder::Unbounded })
}

/// The equations bᵀAʲτ⁽ᵏ⁾ = 0, j < s, for one k.
struct WeakStageEquations {
    k: usize,
}

impl Equations for WeakStageEquations {
    fn residuals<T: Scalar>(&self, tableau: &Tableau<T>) -> Vec<T> {
        let Some(butcher) = tableau.partitions.first() else { return Vec::new() };
        let mut vector = self.stage_residual(butcher);
        let mut residuals = Vec::with_capacity(butcher.stages());
        for _ in 0..butcher.stages() {
            residuals.push(dot(&butcher.b, &vector));
            vector = butcher.times(&vector);
        }
        residuals
    }
}

impl WeakStageEquations {
    /// Computes τ⁽ᵏ⁾.
    fn stage_residual<T: Scalar>(&self, butcher: &Butcher<T>) -> Vec<T> {
        let power = |c: &T, k: usize| (0..k).fold(T::one(), |power, _| power * c.clone());
        let powers: Vec<T> = butcher.c.iter().map(|c| power(c, self.k - 1)).collect();
        let exact =
            powers.iter().zip(&butcher.c).map(|(power, c)| T::ratio(1, self.k as u64) * power.clone() * c.clone());
        butcher.times(&powers).into_iter().zip(exact).map(|(stage, exact)| stage - exact).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::properties::stage_order::stage_order;
    use hemiola_tableau::library;

    #[test]
    fn weak_stage_orders_of_collocation_methods_are_stage_orders() {
        for (id, expected) in
            [("radau-iia-2", 2), ("radau-iia-3", 3), ("gauss-2", 2), ("implicit-euler", 1), ("rk4", 1)]
        {
            let found = weak_stage_order(&library::method(id).unwrap(), 0);
            assert_eq!(found, Some(WeakStageOrder::Finite(expected)), "{id}");
        }
        assert_eq!(weak_stage_order(&library::method("rk4").unwrap(), 1), None);
    }

    #[test]
    fn the_weak_stage_order_may_exceed_the_stage_order() {
        // The method (s, p, q) = (4, 3, 2) of Ketcheson, Seibold, Shirokoff & Zhou 2020.
        let text = r#"{"format": "hemiola-method/1", "id": "weak", "name": "Weak", "precision": {"decimals": 11},
            "partitions": [{"name": "all", "a": [
                ["0.01900072890", "0", "0", "0"],
                ["0.40434605601", "0.38435717512", "0", "0"],
                ["0.06487908412", "-0.16389640295", "0.51545231222", "0"],
                ["0.02343549374", "-0.41207877888", "0.96661161281", "0.42203167233"]],
            "b": ["0.02343549374", "-0.41207877888", "0.96661161281", "0.42203167233"]}]}"#;
        let method = Method::from_json(text.as_bytes(), "weak").unwrap();
        assert_eq!((weak_stage_order(&method, 0), stage_order(&method)), (Some(WeakStageOrder::Finite(2)), 1));
    }

    #[test]
    fn the_weak_stage_order_is_unbounded_if_no_stage_with_an_error_matters() {
        // Ascher, Ruuth & Spiteri (1, 1, 1): the explicit part evaluates its second stage but does not use it.
        let ars = library::method("ars-1-1-1").unwrap();
        let names: Vec<&str> = ars.partitions().iter().map(|partition| partition.name.as_str()).collect();
        assert_eq!(names, ["explicit", "implicit"]);
        assert_eq!(weak_stage_order(&ars, 0), Some(WeakStageOrder::Unbounded));
        assert_eq!(weak_stage_order(&ars, 1), Some(WeakStageOrder::Finite(1)));
        let euler = library::method("explicit-euler").unwrap();
        assert_eq!(weak_stage_order(&euler, 0), Some(WeakStageOrder::Unbounded));
    }
}
