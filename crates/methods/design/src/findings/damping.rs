//! The cost of damping the fast polynomial.

use hemiola_polynomial::{Axis, Problem, Spectrum};

use crate::error::DesignError;
use crate::pair::partitions::FAST;
use crate::specification::Specification;
use crate::specification::stability::{Stability, taylor};

/// Fraction of the limit at which full damping begins in the polynomial for comparison.
const NARROW_BAND: f64 = 0.9;
/// Fraction of the limit without damping above which damping is cheap.
const CHEAP: f64 = 0.9;

/// A fast polynomial whose damping costs more than a tenth of its limit, and alternatives.
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

/// The limit of an optimal polynomial, and the error that it alone makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DampedPolynomial {
    /// The limit along the axis.
    pub limit: f64,
    /// |β_{p+1} − 1/(p+1)!|: the error coefficient of the tall tree whose nodes are all fast, below which no principal
    /// error norm lies.
    pub error: f64,
}

impl DampingCost {
    /// Compares the damped fast polynomial of a specification with others; `None` if it is not damped or keeps nine
    /// tenths of the limit.
    ///
    /// # Errors
    /// Returns [`DesignError::Polynomial`] if the damped polynomial does not exist.
    ///
    /// ```
    /// use hemiola_design::findings::DampingCost;
    /// use hemiola_design::{Specification, Stability};
    /// use hemiola_polynomial::Axis;
    /// let mut specification = Specification::new(3, 4, None)?;
    /// specification.stability[1] = Stability::Optimal { axis: Axis::Imaginary, damping: 0.05, band: 0.5 };
    /// let cost = DampingCost::new(&specification)?.ok_or("damping is cheap")?;
    /// // The classical method of order four has the limit 2√2 and no error in β₄.
    /// assert!((cost.undamped.limit - 8f64.sqrt()).abs() < 1e-9 && cost.undamped.error < 1e-9);
    /// assert!(cost.damped.limit < 1.1 && cost.damped.error > 0.7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(specification: &Specification) -> Result<Option<Self>, DesignError> {
        let &Specification { fast, order, .. } = specification;
        let Stability::Optimal { axis, damping, band } = specification.stability[FAST] else { return Ok(None) };
        if damping <= 0.0 || fast <= order {
            return Ok(None);
        }
        let of = |damping, band| polynomial(axis, [fast, order], damping, band);
        let [damped, undamped] = [of(damping, band)?, of(0.0, band)?];
        if damped.limit >= CHEAP * undamped.limit {
            return Ok(None);
        }
        let narrow = (axis == Axis::Imaginary && band < NARROW_BAND).then(|| of(damping, NARROW_BAND)).transpose()?;
        let narrow = narrow.map(|narrow| (NARROW_BAND, narrow));
        Ok(Some(Self { damping, power: order + 1, damped, undamped, narrow }))
    }
}

fn polynomial(
    axis: Axis,
    [stages, order]: [usize; 2],
    damping: f64,
    band: f64,
) -> Result<DampedPolynomial, DesignError> {
    let optimum = Problem::new(Spectrum::Axis(axis), stages, order).damping(damping).band(band).solve()?;
    let polynomial = optimum.polynomial(17)?;
    let beta = polynomial.coefficients()[order + 1].to_f64().value();
    let exact = taylor(order + 1)[order + 1].to_f64().value();
    Ok(DampedPolynomial { limit: optimum.limit(), error: (beta - exact).abs() })
}
