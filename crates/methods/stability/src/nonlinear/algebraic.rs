//! Algebraic stability.

use std::cmp::Ordering;

use hemiola_tableau::{Butcher, Exact, Method};
use num_traits::Zero;

use crate::error::StabilityError;
use crate::monotonicity::Rows;
use crate::nonlinear::definiteness::{Definiteness, definiteness};
use crate::nonlinear::stability_form::stability_form;

/// Verdict on algebraic stability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlgebraicStability {
    /// b ≥ 0 and M is positive semidefinite for the coefficients as written.
    Stable,
    /// Both hold to the precision of the coefficients.
    WithinPrecision,
    /// One of them fails.
    Unstable,
}

impl AlgebraicStability {
    /// Returns whether the method is algebraically stable, exactly or to the precision of its coefficients.
    #[must_use]
    pub fn holds(self) -> bool {
        self != Self::Unstable
    }
}

/// Decides whether a partition, counted from 0, is algebraically stable: b ≥ 0, and M = BA + AᵀB − bbᵀ is positive
/// semidefinite, B = diag(b) (Burrage & Butcher 1979; Crouzeix 1979). Such methods are B-stable.
///
/// The decision is exact, by elimination on M. If the test fails for rounded coefficients, negative values that their
/// precision explains are allowed: M + δI is tested, where δ is the largest row sum of the changes of M.
///
/// ```
/// use hemiola_stability::nonlinear::algebraic_stability;
/// use hemiola_tableau::library::method;
/// assert!(algebraic_stability(&method("radau-iia-3")?, 0)?.holds());
/// assert!(!algebraic_stability(&method("lobatto-iiia-3")?, 0)?.holds());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`StabilityError::WrongSize`] if there is no such partition.
pub fn algebraic_stability(method: &Method, partition: usize) -> Result<AlgebraicStability, StabilityError> {
    let expected = method.partitions().len();
    let alone = method.partition_alone(partition);
    let alone = alone.ok_or(StabilityError::WrongSize { found: partition + 1, expected })?;
    Ok(joint_algebraic_stability(&alone))
}

/// Decides whether all partitions together are algebraically stable: all weights are nonnegative, and the matrix M of the
/// [stability form](crate::nonlinear) of y' = Σ fᵣ(y), whose block (r, q) is BᵣA_q + AᵣᵀB_q − bᵣb_qᵀ, is positive
/// semidefinite (García-Celayeta, Higueras & Roldán 2006). Such methods contract for all dissipative fᵣ and all steps.
///
/// ```
/// use hemiola_stability::nonlinear::joint_algebraic_stability;
/// use hemiola_tableau::library::method;
/// // No explicit partition contracts for all steps.
/// assert!(!joint_algebraic_stability(&method("ars-2-3-3")?).holds());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn joint_algebraic_stability(method: &Method) -> AlgebraicStability {
    let (exact, uncertainties) = (method.exact().partitions, method.uncertainties().partitions);
    let change = largest_change(&exact, &uncertainties);
    let weights: Vec<Exact> = exact.iter().flat_map(|butcher| butcher.b.clone()).collect();
    let changes: Vec<f64> = uncertainties.iter().flat_map(|butcher| butcher.b.clone()).collect();
    verdict(&weights, &changes, stability_form(&exact), change)
}

/// Decides whether weights and M are nonnegative, exactly or up to changes of the weights and of the row sums of M.
pub(super) fn verdict(
    weights: &[Exact],
    changes: &[f64],
    matrix: Rows<Exact>,
    largest_change: f64,
) -> AlgebraicStability {
    if weights.iter().all(|b| b.sign() != Ordering::Less) && definiteness(matrix.clone()) != Definiteness::Indefinite {
        return AlgebraicStability::Stable;
    }
    let open = |(b, change): (&Exact, &f64)| b.to_f64() >= -change;
    let Some(delta) = Exact::from_f64(largest_change).filter(|delta| !delta.is_zero()) else {
        return AlgebraicStability::Unstable;
    };
    if !weights.iter().zip(changes).all(open) {
        return AlgebraicStability::Unstable;
    }
    let mut shifted = matrix;
    for (i, row) in shifted.iter_mut().enumerate() {
        row[i] += delta.clone();
    }
    match definiteness(shifted) {
        Definiteness::Indefinite => AlgebraicStability::Unstable,
        Definiteness::Positive | Definiteness::Semidefinite => AlgebraicStability::WithinPrecision,
    }
}

/// Bounds the change of M, as its largest row sum, by the uncertainties of the coefficients.
pub(super) fn largest_change(partitions: &[Butcher<Exact>], uncertainties: &[Butcher<f64>]) -> f64 {
    let s = partitions.first().map_or(0, Butcher::stages);
    let row = |row: &Vec<Exact>| row.iter().map(|x| x.to_f64().abs()).collect::<Vec<f64>>();
    let sizes: Vec<Butcher<f64>> = partitions
        .iter()
        .map(|butcher| Butcher { a: butcher.a.iter().map(row).collect(), b: row(&butcher.b), c: Vec::new() })
        .collect();
    let half = |[r, i]: [usize; 2], [q, j]: [usize; 2]| {
        let (b, a) = (sizes[r].b[i], sizes[q].a[i][j]);
        let (db, da) = (uncertainties[r].b[i], uncertainties[q].a[i][j]);
        (b + db) * da + db * a + db * (sizes[q].b[j] + uncertainties[q].b[j])
    };
    let all: Vec<[usize; 2]> = (0..partitions.len()).flat_map(|r| (0..s).map(move |i| [r, i])).collect();
    let row = |at: &[usize; 2]| all.iter().map(|other| half(*at, *other) + half(*other, *at)).sum::<f64>();
    // A small allowance for the rounding of this sum itself.
    all.iter().map(row).fold(0.0, f64::max) * (1.0 + 1e-10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    #[test]
    fn algebraic_stability_of_known_families() {
        // Hairer & Wanner 1996, §IV.12, Theorem 12.9: Gauss, Radau IA and IIA, and Lobatto IIIC.
        for id in ["gauss-1", "gauss-2", "gauss-3", "radau-ia-2", "radau-ia-3", "radau-iia-2", "radau-iia-3"] {
            let verdict = algebraic_stability(&library::method(id).unwrap(), 0);
            assert_eq!(verdict, Ok(AlgebraicStability::Stable), "{id}");
        }
        for id in ["lobatto-iiic-2", "lobatto-iiic-3", "lobatto-iiic-4", "implicit-euler", "implicit-midpoint"] {
            let verdict = algebraic_stability(&library::method(id).unwrap(), 0);
            assert_eq!(verdict, Ok(AlgebraicStability::Stable), "{id}");
        }
        for id in ["lobatto-iiia-2", "lobatto-iiia-3", "lobatto-iiib-3", "rk4", "explicit-euler", "tr-bdf2"] {
            let verdict = algebraic_stability(&library::method(id).unwrap(), 0);
            assert_eq!(verdict, Ok(AlgebraicStability::Unstable), "{id}");
        }
        let none = algebraic_stability(&library::method("rk4").unwrap(), 1);
        assert_eq!(none, Err(StabilityError::WrongSize { found: 2, expected: 1 }));
    }

    #[test]
    fn rounded_tables_are_stable_to_their_precision() {
        // The two-stage Gauss method with twelve decimals: M vanishes up to rounding.
        let text = r#"{"format": "hemiola-method/1", "id": "gauss", "name": "Gauss", "precision": {"decimals": 12},
            "partitions": [{"name": "all", "a": [["0.25", "-0.038675134595"], ["0.538675134595", "0.25"]],
            "b": ["0.5", "0.5"]}]}"#;
        let gauss = Method::from_json(text.as_bytes(), "gauss").unwrap();
        assert!(algebraic_stability(&gauss, 0).unwrap().holds());
        let changed = text.replace("0.538675134595", "0.538675134");
        let changed = Method::from_json(changed.as_bytes(), "gauss").unwrap();
        assert!(!algebraic_stability(&changed, 0).unwrap().holds());
    }
}
