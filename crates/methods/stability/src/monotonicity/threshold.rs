//! The threshold factor of a stability polynomial.

use std::cmp::Ordering;

use hemiola_tableau::{Exact, Method};

use crate::error::StabilityError;
use crate::function::ExactStability;
use crate::monotonicity::radius::{MonotoneConditions, MonotonicityRadius, certified_radius};

/// Tolerance of the conditions in floating-point arithmetic, relative to the sum of the terms.
const TOLERANCE: f64 = 1e-14;

/// Computes the threshold factor of a partition's stability polynomial R: the largest r for which R and all its
/// derivatives are nonnegative at −r (Kraaijevanger 1986). It is an upper bound of the SSP coefficient.
///
/// Returns `None` if R is not a polynomial.
///
/// ```
/// use hemiola_stability::monotonicity::threshold_factor;
/// let rk4 = hemiola_tableau::library::method("rk4")?;
/// // C = 0, but linear problems allow h up to one Euler step.
/// assert_eq!(threshold_factor(&rk4, 0)?.and_then(|radius| radius.value()), Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`StabilityError::WrongSize`] if there is no such partition.
pub fn threshold_factor(method: &Method, partition: usize) -> Result<Option<MonotonicityRadius>, StabilityError> {
    let function = ExactStability::new(method, partition)?.literal_function();
    if function.denominator.len() > 1 {
        return Ok(None);
    }
    let coefficients_f64 = function.numerator.iter().map(Exact::to_f64).collect();
    Ok(Some(certified_radius(&Threshold { coefficients: function.numerator, coefficients_f64 })))
}

/// The conditions R⁽ᵏ⁾(−t) ≥ 0 of a polynomial.
struct Threshold {
    coefficients: Vec<Exact>,
    coefficients_f64: Vec<f64>,
}

impl Threshold {
    /// Computes R⁽ᵏ⁾(−t)/k! for all k, by repeated division by z + t.
    fn derivatives(&self, t: &Exact) -> Vec<Exact> {
        let mut a = self.coefficients.clone();
        for k in 0..a.len() {
            for j in (k..a.len() - 1).rev() {
                let change = a[j + 1].clone() * t.clone();
                a[j] += -change;
            }
        }
        a
    }
}

impl MonotoneConditions for Threshold {
    fn hold_at(&self, t: &Exact) -> bool {
        self.derivatives(t).iter().all(|derivative| derivative.sign() != Ordering::Less)
    }

    /// Decides by the first nonzero term of R⁽ᵏ⁾(−t − ε) = Σ R⁽ᵏ⁺ʲ⁾(−t)(−ε)ʲ/j!.
    fn hold_beyond(&self, t: &Exact) -> bool {
        let signs: Vec<Ordering> = self.derivatives(t).iter().map(Exact::sign).collect();
        (0..signs.len()).all(|k| {
            let first = signs[k..].iter().enumerate().find(|(_, sign)| **sign != Ordering::Equal);
            first.is_none_or(|(j, sign)| (*sign == Ordering::Greater) == (j % 2 == 0))
        })
    }

    /// R and R' have opposite signs for large arguments, unless R is constant.
    fn hold_everywhere(&self) -> bool {
        let is_constant = self.coefficients.iter().skip(1).all(|a| a.sign() == Ordering::Equal);
        is_constant && self.coefficients.first().is_none_or(|a| a.sign() != Ordering::Less)
    }

    fn size(&self) -> usize {
        self.coefficients.len()
    }

    fn appear_to_hold(&self, t: f64) -> bool {
        let mut a = self.coefficients_f64.clone();
        let mut size = a.clone();
        for k in 0..a.len() {
            for j in (k..a.len() - 1).rev() {
                a[j] -= a[j + 1] * t;
                size[j] += size[j + 1].abs() * t;
            }
        }
        a.iter().zip(&size).all(|(a, size)| *a >= -TOLERANCE * size.abs())
    }
}
