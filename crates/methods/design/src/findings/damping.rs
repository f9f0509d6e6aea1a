//! The cost of damping the fast polynomial.

use hemiola_polynomial::{Axis, Problem, Spectrum};

use crate::error::DesignError;
use crate::pair::partitions::FAST;
use crate::specification::Specification;
use crate::specification::stability::{Stability, taylor};

/// Fraction of the limit at which full damping begins in the polynomial for comparison.
const NARROW_BAND: f64 = 0.9;
/// Fraction of the limit without damping. A damped polynomial that reaches it is not reported.
const CHEAP: f64 = 0.9;

/// A fast polynomial whose damping costs more than a tenth of the limit, with alternatives.
#[derive(Clone, Debug, PartialEq)]
pub struct DampingCost {
    /// The damping η.
    pub damping: f64,
    /// The power p + 1 of the first coefficient that the order does not determine.
    pub power: usize,
    /// The polynomial of the design.
    pub damped: DampedPolynomial,
    /// The polynomial without damping.
    pub undamped: DampedPolynomial,
    /// The polynomial whose damping begins at nine tenths of its limit, with this band, on the imaginary axis.
    pub narrow: Option<(f64, DampedPolynomial)>,
}

/// The limit of an optimal polynomial, and the error that it causes by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DampedPolynomial {
    /// The limit along the axis.
    pub limit: f64,
    /// |β_{p+1} − 1/(p+1)!|: the error coefficient of the tall tree whose nodes are all fast, a lower bound of the
    /// principal error norm.
    pub error: f64,
}

impl DampingCost {
    /// Compares the damped fast polynomial of a specification with others; `None` if it is not damped, retains nine
    /// tenths of the limit, or cannot be compared with another polynomial.
    ///
    /// ```
    /// use hemiola_design::findings::DampingCost;
    /// use hemiola_design::{Specification, Stability};
    /// use hemiola_polynomial::Axis;
    /// let mut specification = Specification::new(3, 4, None)?;
    /// specification.stability[1] = Stability::Optimal { axis: Axis::Imaginary, damping: 0.05, band: 0.5 };
    /// let cost = DampingCost::new(&specification).ok_or("damping is cheap")?;
    /// // The classical method of order four has the limit 2√2 and no error in β₄.
    /// assert!((cost.undamped.limit - 8f64.sqrt()).abs() < 1e-9 && cost.undamped.error < 1e-9);
    /// assert!(cost.damped.limit < 1.1 && cost.damped.error > 0.7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(specification: &Specification) -> Option<Self> {
        let &Specification { fast, order, .. } = specification;
        let Stability::Optimal { axis, damping, band } = specification.stability[FAST] else { return None };
        if damping <= 0.0 || fast <= order {
            return None;
        }
        let of = |damping, band| polynomial(axis, [fast, order], damping, band).ok();
        let [damped, undamped] = [of(damping, band)?, of(0.0, band)?];
        if damped.limit >= CHEAP * undamped.limit {
            return None;
        }
        let has_narrow = axis == Axis::Imaginary && band < NARROW_BAND;
        let narrow = has_narrow.then(|| of(damping, NARROW_BAND)).flatten().map(|narrow| (NARROW_BAND, narrow));
        Some(Self { damping, power: order + 1, damped, undamped, narrow })
    }
}

fn polynomial(
    axis: Axis,
    [stages, order]: [usize; 2],
    damping: f64,
    band: f64,
) -> Result<DampedPolynomial, DesignError> {
    /// Significant digits of doubles.
    const DIGITS: usize = 17;
    let optimum = Problem::new(Spectrum::Axis(axis), stages, order).damping(damping).band(band).solve()?;
    let polynomial = optimum.polynomial(DIGITS)?;
    let error = (&polynomial.coefficients()[order + 1] - &taylor(order + 1)[order + 1]).to_f64().value().abs();
    Ok(DampedPolynomial { limit: optimum.limit(), error })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(axis: Axis, damping: f64, band: f64) -> Option<DampingCost> {
        let mut specification = Specification::new(3, 4, None).unwrap();
        specification.stability[FAST] = Stability::Optimal { axis, damping, band };
        DampingCost::new(&specification)
    }

    #[test]
    fn costs_are_known_where_damping_is_expensive() {
        let found = cost(Axis::Imaginary, 0.05, 0.5).unwrap();
        let (band, narrow) = found.narrow.unwrap();
        assert!(band > 0.5 && narrow.limit > 0.98 * found.undamped.limit && narrow.error < 0.002, "{narrow:?}");
        assert_eq!((found.power, found.damping), (4, 0.05));
        // A narrow band and a small damping are cheap, and the narrow band has no narrower alternative.
        assert_eq!(cost(Axis::Imaginary, 0.05, 0.9), None);
        assert_eq!(cost(Axis::Imaginary, 0.0, 0.5), None);
        assert_eq!(cost(Axis::Real, 0.05, 0.5), None);
        // Damping on the real axis has no band.
        assert_eq!(cost(Axis::Real, 0.6, 0.5).unwrap().narrow, None);
    }

    #[test]
    fn nothing_is_compared_without_a_free_coefficient() {
        let mut specification = Specification::new(3, 3, None).unwrap();
        specification.stability[FAST] = Stability::Optimal { axis: Axis::Real, damping: 0.6, band: 0.5 };
        assert_eq!(DampingCost::new(&specification), None);
    }
}
