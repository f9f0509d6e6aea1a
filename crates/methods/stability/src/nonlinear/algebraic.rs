//! Algebraic stability.

use std::cmp::Ordering;

use hemiola_tableau::{Butcher, Exact, Method};
use num_traits::Zero;

use crate::error::StabilityError;

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
/// The decision is exact, by elimination on M. If it fails for rounded coefficients, b and M may be negative by as much
/// as their precision explains: M + δI is tested with δ the largest row sum of the changes of M.
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
/// [`StabilityError::WrongSize`] if there is no such partition.
pub fn algebraic_stability(method: &Method, partition: usize) -> Result<AlgebraicStability, StabilityError> {
    let expected = method.partitions().len();
    let missing = StabilityError::WrongSize { found: partition + 1, expected };
    let butcher = method.exact().partitions.into_iter().nth(partition).ok_or(missing.clone())?;
    let uncertainty = method.uncertainties().partitions.into_iter().nth(partition).ok_or(missing)?;
    let matrix = stability_form(&butcher);
    if butcher.b.iter().all(|b| b.sign() != Ordering::Less) && is_positive_semidefinite(matrix.clone()) {
        return Ok(AlgebraicStability::Stable);
    }
    let open = |(b, delta): (&Exact, &f64)| b.to_f64() >= -delta;
    let Some(delta) = Exact::from_f64(largest_change(&butcher, &uncertainty)).filter(|delta| !delta.is_zero()) else {
        return Ok(AlgebraicStability::Unstable);
    };
    let mut shifted = matrix;
    for (i, row) in shifted.iter_mut().enumerate() {
        row[i] += delta.clone();
    }
    let holds = butcher.b.iter().zip(&uncertainty.b).all(open) && is_positive_semidefinite(shifted);
    Ok(if holds { AlgebraicStability::WithinPrecision } else { AlgebraicStability::Unstable })
}

/// Computes M = BA + AᵀB − bbᵀ.
fn stability_form(butcher: &Butcher<Exact>) -> Vec<Vec<Exact>> {
    let Butcher { a, b, .. } = butcher;
    let entry = |i: usize, j: usize| {
        let terms = b[i].clone() * a[i][j].clone() + b[j].clone() * a[j][i].clone();
        terms - b[i].clone() * b[j].clone()
    };
    (0..b.len()).map(|i| (0..b.len()).map(|j| entry(i, j)).collect()).collect()
}

/// Bounds the change of M, as its largest row sum, by the uncertainties of the coefficients.
fn largest_change(butcher: &Butcher<Exact>, uncertainty: &Butcher<f64>) -> f64 {
    let s = butcher.stages();
    let size = |x: &Exact| x.to_f64().abs();
    let half = |i: usize, j: usize| {
        let (b, a) = (size(&butcher.b[i]), size(&butcher.a[i][j]));
        let (db, da) = (uncertainty.b[i], uncertainty.a[i][j]);
        (b + db) * da + db * a + db * (size(&butcher.b[j]) + uncertainty.b[j])
    };
    let row = |i: usize| (0..s).map(|j| half(i, j) + half(j, i)).sum::<f64>();
    // A small allowance for the rounding of this sum itself.
    (0..s).map(row).fold(0.0, f64::max) * (1.0 + 1e-10)
}

/// Decides whether a symmetric matrix is positive semidefinite, by the exact factorization LDLᵀ. A zero pivot requires
/// a zero row.
fn is_positive_semidefinite(mut m: Vec<Vec<Exact>>) -> bool {
    let n = m.len();
    for k in 0..n {
        match m[k][k].sign() {
            Ordering::Less => return false,
            Ordering::Equal if m[k][k + 1..].iter().any(|entry| entry.sign() != Ordering::Equal) => return false,
            Ordering::Equal => {}
            Ordering::Greater => {
                let Some(inverse) = m[k][k].reciprocal() else { return false };
                let pivot = m[k].clone();
                for i in k + 1..n {
                    let factor = pivot[i].clone() * inverse.clone();
                    if factor.is_zero() {
                        continue;
                    }
                    for j in i..n {
                        let change = factor.clone() * pivot[j].clone();
                        m[i][j] += -change;
                    }
                }
            }
        }
    }
    true
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

    fn is_semidefinite(rows: &[&[i32]]) -> bool {
        is_positive_semidefinite(rows.iter().map(|row| row.iter().map(|&x| Exact::from(x)).collect()).collect())
    }

    #[test]
    fn semidefinite_matrices_may_have_zero_pivots() {
        assert!(is_semidefinite(&[&[0, 0, 0], &[0, 2, 2], &[0, 2, 2]]));
        assert!(is_semidefinite(&[&[1, 1, 0], &[1, 1, 0], &[0, 0, 5]]));
        assert!(!is_semidefinite(&[&[0, 1], &[1, 5]]));
        assert!(!is_semidefinite(&[&[1, 1, 1], &[1, 1, 0], &[1, 0, 9]]));
        assert!(!is_semidefinite(&[&[1, 0], &[0, -1]]));
    }
}
