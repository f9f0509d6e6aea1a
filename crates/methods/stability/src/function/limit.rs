//! Stability limits along rays.

use hemiola_tableau::Method;
use num_complex::Complex64;

use crate::error::StabilityError;
use crate::function::exact::ExactStability;

/// Extent of stability along a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// |R(tu)| ≤ 1 for 0 ≤ t ≤ this number, but not just beyond it.
    Finite(f64),
    /// |R(tu)| ≤ 1 for all t ≥ 0.
    Unbounded,
}

impl Limit {
    /// Converts the first exit, if there is one, to a limit.
    pub(crate) fn at(exit: Option<f64>) -> Self {
        exit.map_or(Self::Unbounded, Self::Finite)
    }

    /// Returns the limit as a number; infinity if it is unbounded.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            Self::Finite(value) => value,
            Self::Unbounded => f64::INFINITY,
        }
    }
}

/// Finds the first exit from |R_r(tu)| ≤ 1 for the stability function of partition `partition` along t·`direction`, t ≥
/// 0.
///
/// For a tableau of fractions and roots it is the first exit in exact arithmetic, correct to rounding. For a tableau of
/// decimals, an interval of instability is ignored in two cases: if |R| − 1 is at most 10⁻⁹ on all of it (or ten units
/// of the last decimal for tableaux with fewer digits) and a change of the coefficients within their precision removes
/// it; or, for tables with the digits of doubles, if |R| − 1 is at most 10⁻¹² and a change of the last digits of the
/// coefficients removes it. The leading
/// coefficients of N and D of an implicit method count as zero if the precision explains them.
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
/// Returns [`StabilityError::OutOfRange`] if the direction is zero or not finite, [`StabilityError::WrongSize`] if
/// there is no such partition.
pub fn stability_limit(method: &Method, partition: usize, direction: Complex64) -> Result<Limit, StabilityError> {
    ExactStability::new(method, partition)?.limit(direction)
}

impl ExactStability {
    /// Finds the first exit along t·`direction`; see [`stability_limit`].
    ///
    /// # Errors
    /// Returns [`StabilityError::OutOfRange`] if the direction is zero or not finite.
    pub fn limit(&self, direction: Complex64) -> Result<Limit, StabilityError> {
        Ok(Limit::at(self.exit_along(direction)?.1))
    }
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
        // Lobatto IIIC* with two stages has the polynomial of order two.
        assert_eq!(limits("lobatto-iiic-star-2", 0), limits("heun-2", 0));
    }

    #[test]
    fn rounded_tables_have_the_limit_that_was_meant() {
        let (imaginary, _) = limits("shome-haug-jay-2-5", 1);
        // Eight decimals move the simple crossing at 4 by about 1e-8 over its slope.
        assert!((imaginary - 4.0).abs() < 1e-6, "{imaginary}");
        assert_eq!(limits("shome-haug-jay-2-5", 0).0, 0.0);
    }

    #[test]
    fn a_ray_between_the_axes() {
        let method = library::method("shome-haug-jay-2-5").unwrap();
        let u = Complex64::new(-0.05, (1.0f64 - 0.0025).sqrt());
        let limits: Vec<f64> = (0..2).map(|r| stability_limit(&method, r, u).unwrap().value()).collect();
        // |1 + tu + (tu)²/2| = 1 where t³/4 − ζt² + 2ζ²t − 2ζ = 0: t = 0.8 for ζ = 0.05.
        assert!((limits[0] - 0.8).abs() < 1e-8 && (limits[1] - 4.040).abs() < 5e-4, "{limits:?}");
    }
}
