//! Stable step under a single coupling.

use hemiola_tableau::Method;

use super::growth::Growth;
use super::polynomial::RayPolynomial;
use super::radius::{CoupledRadius, Point};
use crate::error::StabilityError;
use crate::map::field::Field;
use crate::steps::search::{StepExcess, StepSearch, first_exit};

/// Multiple of the decoupled step up to which steps are examined; further stabilization by coupling is irrelevant.
const FARTHEST: f64 = 2.0;
/// Number of samples up to this multiple, and number of blocks in which they are taken.
///
/// Beyond the limit of one part ρ may exceed its bound for less than a hundredth of t₀. The search also finds maxima of
/// ρ between samples.
const SAMPLES: usize = 2000;
const BLOCKS: usize = 8;

/// Allowed error of the entries of S, as a fraction of the growth margin.
const ACCURACY: f64 = 1e-2;

/// Spectral radius ρ(S) along X = t x, Y = t y at one coupling number.
pub(super) struct CouplingRay<'a> {
    radius: &'a CoupledRadius,
    direction: [f64; 2],
    coupling: f64,
    margin: f64,
    polynomial: Option<RayPolynomial>,
}

impl<'a> CouplingRay<'a> {
    pub(super) fn new(radius: &'a CoupledRadius, direction: [f64; 2], coupling: f64, growth: Growth) -> Self {
        Self { radius, direction, coupling, margin: growth.margin(), polynomial: None }
    }

    /// Uses S as a polynomial in t where it is accurate enough, which takes a tenth of the time.
    pub(super) fn with_polynomial(self) -> Self {
        Self { polynomial: self.radius.polynomial(self.direction, self.coupling), ..self }
    }

    /// Finds the first t at which ρ(S) exceeds the growth bound, at most [`FARTHEST`].
    pub(super) fn first_exit(&self) -> f64 {
        let search = StepSearch { farthest: FARTHEST, samples: SAMPLES, margin: self.margin };
        first_exit(self, search, BLOCKS).min(FARTHEST)
    }

    /// Computes the excess at each step; steps after an excess above `until` may be omitted.
    fn excesses(&self, steps: &[f64], until: f64) -> Vec<f64> {
        let error = ACCURACY * self.margin;
        let farthest = steps.iter().copied().fold(0.0, f64::max);
        let quick = self.polynomial.as_ref().filter(|polynomial| polynomial.error(farthest) <= error);
        if let Some(polynomial) = quick {
            return polynomial.excesses(steps, self.margin, until);
        }
        let points: Vec<Point> =
            steps.iter().map(|t| [self.direction[0] * t, self.direction[1] * t, self.coupling]).collect();
        self.radius.at(&points).into_iter().map(|rho| rho - 1.0 - self.margin).collect()
    }
}

impl StepExcess for CouplingRay<'_> {
    fn at(&self, t: f64) -> f64 {
        self.excesses(&[t], f64::INFINITY)[0]
    }

    fn sample(&self, from: f64, to: f64, cells: usize) -> Vec<f64> {
        self.excesses(&equidistant(from, to, cells), f64::INFINITY)
    }

    fn sample_to_exit(&self, from: f64, to: f64, cells: usize) -> Vec<f64> {
        self.excesses(&equidistant(from, to, cells), 0.0)
    }
}

fn equidistant(from: f64, to: f64, cells: usize) -> Vec<f64> {
    (0..=cells).map(|i| from + (to - from) * i as f64 / cells as f64).collect()
}

/// Fraction of the decoupled step that remains under a single coupling: t*/t₀ as a function of κ/κ* and the coupling
/// number g. The [profile](super::coupled_profile) is its infimum.
///
/// As a [`Field`] it is t*/t₀ over x = κ/κ* and y = γ with g = γ|γ|: below the axis couplings are skew. It is infinite
/// for couplings that the profile excludes.
///
/// ```
/// use hemiola_stability::{CoupledStep, Growth};
/// let method = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
/// let step = CoupledStep::new(&method, 0.05, Growth::Strict)?;
/// assert!(step.ratio(1.0, 0.01) < 1.0 && (step.ratio(1.0, 0.0) - 1.0).abs() < 1e-6);
/// # Ok::<(), hemiola_stability::StabilityError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CoupledStep {
    radius: CoupledRadius,
    growth: Growth,
}

impl CoupledStep {
    /// Prepares the steps at the damping ratio ζ for a kind of growth.
    ///
    /// # Errors
    /// Returns the errors of [`coupled_profile`](super::coupled_profile).
    pub fn new(method: &Method, damping: f64, growth: Growth) -> Result<Self, StabilityError> {
        Ok(Self { radius: CoupledRadius::new(method, damping)?, growth })
    }

    /// Computes t*/t₀ at κ = `ratio`·κ* and coupling number g, at most 2.
    #[must_use]
    pub fn ratio(&self, ratio: f64, coupling: f64) -> f64 {
        // max(X, Y) = 1 is the decoupled step.
        let [x, y] = [1.0f64.min(ratio.recip()), 1.0f64.min(ratio)];
        CouplingRay::new(&self.radius, [x, y], coupling, self.growth).with_polynomial().first_exit()
    }
}

impl Field for CoupledStep {
    fn at(&self, x: f64, y: f64) -> f64 {
        // Frequency ratios that are negative or NaN have no decoupled step, and the profile excludes skew couplings
        // that change the damping of the exact problem.
        let coupling = y * y.abs();
        let [slow, fast] = self.radius.limits();
        let kappa = x * fast / slow;
        let is_damped = coupling >= 0.0 || -4.0 * coupling * kappa <= (1.0 - kappa).powi(2);
        if x >= 0.0 && y.is_finite() && is_damped { self.ratio(x, coupling) } else { f64::INFINITY }
    }
}
