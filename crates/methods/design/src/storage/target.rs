//! The stability polynomial of a low-storage design: prescribed, bounded on a spectrum, or free.

use dashu::rational::RBig;
use hemiola_polynomial::Problem;
use num_complex::Complex64;

use crate::error::{DesignError, require};
use crate::family::level::SpectrumBoundary;
use crate::storage::specification::StorageSpecification;

/// Relative shortfall of the limit that rounding of doubles explains.
pub(crate) const ROUNDING: f64 = 1e-6;
/// Digits of a prescribed polynomial, more than those of the coefficients.
const DIGITS: usize = 70;
/// Fraction of the largest step up to which a start is made stable before its polynomial becomes the optimal one.
const APPROACH: f64 = 0.98;
/// Surplus of the scale at which a free polynomial should be bounded, because penalties leave small excesses.
const SURPLUS: f64 = 2e-3;
/// Largest number of points for the bound, and of points for internal stability.
const MOST_POINTS: usize = 400;
const INTERNAL_POINTS: usize = 8;

/// The requirements of a spectrum on the polynomial.
#[derive(Clone, Debug)]
pub(crate) struct StabilityTarget {
    pub(crate) boundary: SpectrumBoundary,
    /// The largest step of any polynomial of these stages and this order.
    pub(crate) optimum: f64,
    /// The smallest allowed step of the method.
    pub(crate) wanted: f64,
    /// The coefficients β₀ … β_s of the optimal polynomial.
    pub(crate) polynomial: Vec<RBig>,
    /// Whether the polynomial of the method must be the optimal one.
    pub(crate) is_prescribed: bool,
    /// Points hλ at which the polynomial should be bounded by one while it is not prescribed.
    pub(crate) places: Vec<Complex64>,
    /// Points at which internal stability is evaluated.
    pub(crate) internal: Vec<Complex64>,
}

impl StabilityTarget {
    /// Returns the target of a specification; `None` without a spectrum.
    pub(crate) fn new(specification: &StorageSpecification) -> Result<Option<Self>, DesignError> {
        let StorageSpecification { stages, order, share, spectrum, .. } = specification;
        let Some(spectrum) = spectrum else { return Ok(None) };
        let boundary = SpectrumBoundary::new(spectrum, *stages)?;
        let solution = Problem::new(spectrum.clone(), *stages, *order).solve()?;
        let optimum = solution.limit();
        let polynomial = solution.polynomial(DIGITS)?.coefficients().to_vec();
        let is_prescribed = *share == 1.0;
        let wanted = share * optimum;
        // Between sparse eigenvalues, the polynomial may be unstable at shorter steps than the optimal one.
        let doubles: Vec<f64> = polynomial.iter().map(|beta| beta.to_f64().value()).collect();
        let reached = boundary.limit(&doubles, optimum);
        require(
            !is_prescribed || reached >= optimum * (1.0 - ROUNDING),
            "the step up to which the optimal polynomial is stable",
            &reached,
            "the optimal step: add eigenvalues between those of the spectrum, or lower the fraction of the step",
        )?;
        let scaled = |h: f64, most: usize| -> Vec<Complex64> {
            let step = boundary.places.len().div_ceil(most).max(1);
            boundary.places.iter().step_by(step).map(|place| place * h).collect()
        };
        let places = scaled(wanted * if is_prescribed { APPROACH } else { 1.0 + SURPLUS }, MOST_POINTS);
        let internal = scaled(wanted, INTERNAL_POINTS);
        Ok(Some(Self { optimum, wanted, polynomial, is_prescribed, places, internal, boundary }))
    }
}
