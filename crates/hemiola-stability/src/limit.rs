//! Stability limits along rays, from the exact polynomial |N(tu)|² − |D(tu)|².
//!
//! Published coefficients are rounded, and the optimal polynomials touch |R| = 1: taken literally, a table of eight
//! decimals is unstable by 1e-9 at every such point, often at the origin already. A limit is therefore the first t at
//! which |R| exceeds one by more than the uncertainty of the coefficients explains, and moments that agree with 1/k! to
//! that precision are taken to be 1/k! ([`Intended`]). What is reported is where |R| passes one on its way there.

use dashu::base::BitTest;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_polynomial::signs::{first_positive, last_rise};
use hemiola_tableau::{Exact, Method};
use num_complex::Complex64;
use num_traits::Zero;

use crate::error::StabilityError;
use crate::intended::Intended;

/// Exact coefficients without uncertainty are kept up to this many bits.
const KEPT_BITS: usize = 2048;
/// Uncertain ones are rounded to this many bits below their uncertainty: longer numbers would only be slower.
const GUARD_BITS: i32 = 80;

/// How far stability reaches along a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// |R(tu)| ≤ 1 for 0 ≤ t ≤ this number, and not just beyond.
    Finite(f64),
    /// |R(tu)| ≤ 1 for all t ≥ 0.
    Unbounded,
}

impl Limit {
    /// The limit as a number; infinity where it is unbounded.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            Self::Finite(value) => value,
            Self::Unbounded => f64::INFINITY,
        }
    }
}

/// The first exit of |R_r(tu)| ≤ 1 for the stability function of partition `partition` along t·`direction`, t ≥ 0.
///
/// ```
/// use hemiola_stability::{Limit, stability_limit};
/// use num_complex::Complex64;
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap();
/// let imaginary = stability_limit(&rk4, 0, Complex64::I).unwrap();
/// assert_eq!(imaginary, Limit::Finite(8f64.sqrt()));
/// ```
///
/// # Errors
/// [`StabilityError::OutOfRange`] where the direction is zero or not finite, or there is no such partition.
pub fn stability_limit(method: &Method, partition: usize, direction: Complex64) -> Result<Limit, StabilityError> {
    Intended::new(method, partition)?.first_exit(direction)
}

impl Intended {
    /// The first exit of |R(tu)| ≤ 1 along t·`direction`, t ≥ 0.
    pub(crate) fn first_exit(&self, direction: Complex64) -> Result<Limit, StabilityError> {
        let (Some(x), Some(y)) = (Exact::from_f64(direction.re), Exact::from_f64(direction.im)) else {
            return Err(StabilityError::OutOfRange {
                name: "the direction",
                value: direction.norm(),
                expected: "a finite number",
            });
        };
        if direction == Complex64::ZERO {
            return Err(StabilityError::OutOfRange {
                name: "the direction",
                value: 0.0,
                expected: "a number other than 0",
            });
        }
        let excess = self.function.excess(&(x, y));
        let explained = self.excess_uncertainty(direction, excess.len());
        Ok(first_exit(&excess, &explained))
    }
}

/// The first t > 0 with Σ Eₖtᵏ > Σ εₖtᵏ, where leading terms that their uncertainty explains count as zero.
fn first_exit(excess: &[Exact], explained: &[f64]) -> Limit {
    let differs = |(e, &epsilon): (&Exact, &f64)| !e.is_zero() && e.to_f64().abs() > epsilon;
    let Some(lowest) = excess.iter().zip(explained).position(differs) else {
        return Limit::Unbounded;
    };
    let excess = &excess[lowest..];
    let margin: Vec<RBig> = excess
        .iter()
        .zip(&explained[lowest..])
        .enumerate()
        .map(|(k, (e, &epsilon))| {
            let explained = Exact::from_f64(epsilon).unwrap_or_else(Exact::zero);
            // The lowest term decides near zero, and it is larger than its uncertainty.
            rational(&if k == 0 { e.clone() } else { e.clone() - explained }, epsilon)
        })
        .collect();
    let Some(exceeded) = first_positive(&margin) else {
        return Limit::Unbounded;
    };
    let literal: Vec<RBig> =
        excess.iter().zip(&explained[lowest..]).map(|(e, &epsilon)| rational(e, epsilon)).collect();
    let passed = last_rise(&literal, &exceeded).unwrap_or(exceeded);
    Limit::Finite(passed.to_f64().value())
}

/// A short rational number at or just below the exact one: nearer than its uncertainty by [`GUARD_BITS`].
fn rational(value: &Exact, uncertainty: f64) -> RBig {
    if value.is_zero() {
        return RBig::ZERO;
    }
    let fraction_bits = if uncertainty > 0.0 {
        // −log₂ of the uncertainty, from above.
        (GUARD_BITS - uncertainty.log2().floor() as i32).clamp(0, KEPT_BITS as i32) as usize
    } else {
        KEPT_BITS
    };
    let low = match value.as_rational() {
        Some(value) if value.denominator().bit_len() <= fraction_bits => return value.clone(),
        Some(value) => value.clone(),
        None => value.enclose(fraction_bits + 64).low().clone(),
    };
    let scale = UBig::ONE << fraction_bits;
    let floor = (low * RBig::from(IBig::from(scale.clone()))).floor();
    RBig::from_parts(floor, scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn limits(id: &str, partition: usize) -> (f64, f64) {
        let method = library::method(id).unwrap();
        let limit = |direction| stability_limit(&method, partition, direction).unwrap().value();
        (limit(Complex64::I), limit(Complex64::new(-1.0, 0.0)))
    }

    #[test]
    fn limits_from_the_literature() {
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() <= 1e-13 * expected, "{found} {expected}");
        let (imaginary, real) = limits("rk4", 0);
        close(imaginary, 8f64.sqrt());
        close(real, 2.785_293_563_405_282);
        assert_eq!(limits("explicit-euler", 0), (0.0, 2.0));
        assert_eq!(limits("heun-2", 0), (0.0, 2.0));
        let (imaginary, real) = limits("kutta-3", 0);
        close(imaginary, 3f64.sqrt());
        close(real, 2.512_745_326_618_328_6);
    }

    #[test]
    fn implicit_methods_are_stable_without_limit() {
        for id in ["implicit-euler", "implicit-midpoint", "gauss-2", "gauss-3", "radau-iia-3", "lobatto-iiic-3"] {
            assert_eq!(limits(id, 0), (f64::INFINITY, f64::INFINITY), "{id}");
        }
        // Lobatto IIIC* has an explicit stability polynomial's limit.
        assert!(limits("lobatto-iiic-star-2", 0).1.is_finite());
    }

    #[test]
    fn rounded_tables_have_the_limit_that_was_meant() {
        let (imaginary, _) = limits("shome-haug-jay-2-5", 1);
        // Eight decimals move the simple crossing at 4 by some 1e-8 over its slope.
        assert!((imaginary - 4.0).abs() < 1e-6, "{imaginary}");
        assert_eq!(limits("shome-haug-jay-2-5", 0).0, 0.0);
    }

    #[test]
    fn a_ray_between_the_axes() {
        let method = library::method("shome-haug-jay-2-5").unwrap();
        let u = Complex64::new(-0.05, (1.0f64 - 0.0025).sqrt());
        let limits: Vec<f64> = (0..2).map(|r| stability_limit(&method, r, u).unwrap().value()).collect();
        // |1 + tu + (tu)²/2| = 1 at t = 4ζ/(1 − … ): 0.8 for ζ = 0.05, where 0.41165 + 0.58835 = 1.
        assert!((limits[0] - 0.8).abs() < 1e-12 && (limits[1] - 4.040).abs() < 5e-4, "{limits:?}");
    }
}
