//! Methods with a given stability polynomial and their amplification of perturbations.

use std::fmt;

use dashu::rational::RBig;
use num_complex::Complex64;

use crate::implementation::interval::StabilityInterval;
use crate::implementation::stages::{self, StageSuprema, Term};
use crate::implementation::{chain, factors, recurrence};

/// Form in which the stages of a method with a given stability polynomial are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StageForm {
    /// Horner's scheme Y_{j+1} = y + α_j h f(Y_j) with α_j = β_{s−j}/β_{s−j−1}, j = 0 … s−1, in two registers (van der
    /// Houwen 1977; Jameson, Schmidt & Turkel 1981). Here Q_j = β_{s−j} z^{s−j}.
    Chain,
    /// One Euler step 1 − z/r for each real root and two stages for each complex pair.
    ///
    /// The order of the factors keeps both the partial products and the remaining products small (Lebedev & Finogenov
    /// 1971; Lebedev 1994).
    Factors,
    /// Three-term recurrence of polynomials that stay bounded on the interval of stability, and a linear combination of
    /// them.
    ///
    /// These are shifted Chebyshev polynomials on the negative real axis (van der Houwen & Sommeijer 1980; Verwer,
    /// Hundsdorfer & Sommeijer 1990) and leapfrog steps on the imaginary axis.
    Recurrence,
}

impl fmt::Display for StageForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chain => "chain",
            Self::Factors => "factors",
            Self::Recurrence => "recurrence",
        })
    }
}

/// Method with a given stability polynomial, and its amplification of perturbations of the stages.
#[derive(Clone, Debug, PartialEq)]
pub struct Implementation {
    /// Form of the method.
    pub scheme: StageForm,
    /// Terms of Y₁, Y₂, …; the last stage is the new value.
    ///
    /// The modified Shu–Osher form is Y_j = Σ_i (value_ji Y_i + slope_ji h f(Y_i)) with Y₀ = y. Every scheme evaluates
    /// f at s stages; a last stage without slopes is a linear combination of the previous ones.
    pub stages: Vec<Vec<Term>>,
    /// Maximum internal amplification factor M = max_j sup |Q_j|, j ≥ 1; infinite beyond the range of doubles.
    pub amplification: f64,
    /// Largest stage sup |P_j| relative to |y|, with Y_j = P_j(z) y.
    pub growth: f64,
    /// Rounding error of a step relative to y: u Σ_j sup |Q_j| · sup Σ_i (|value_ji| + |slope_ji z|)|P_i| with u =
    /// 2⁻⁵³.
    ///
    /// Each stage rounds the terms it adds, and an error that arises at one z may be amplified at another. The value
    /// bounds the error to first order and up to a small constant; the actual error is often a tenth of it or less.
    ///
    /// Compare it with the accuracy required of a step: above 1e−8 it is noticeable in ordinary computations, and above
    /// 1 the method is useless in double precision, even though |R| ≤ 1.
    pub rounding: f64,
}

impl Implementation {
    /// Returns log₁₀ M, the number of digits by which the stages must be more accurate than the result; at least zero.
    #[must_use]
    pub fn digits_lost(&self) -> f64 {
        self.amplification.log10().max(0.0)
    }

    pub(crate) fn new(scheme: StageForm, stages: Vec<Vec<Term>>, points: &[Complex64]) -> Self {
        let StageSuprema { amplification, growth, rounding } = stages::sizes(&stages, points);
        Self { scheme, stages, amplification, growth, rounding }
    }
}

/// Constructs the implementations of R(z) = Σ β_k zᵏ, β₀ = 1, as methods in doubles.
///
/// `beta` contains β₀ … β_s, and `points` the values of z over which suprema are taken: some hundred points on the
/// interval of stability or on the boundary of the spectrum, scaled by the step size. The order of the factors is
/// chosen for the same points.
///
/// A scheme is omitted if it does not exist: the chain if some β_k vanishes, the factors if their roots cannot be
/// separated (multiple roots) or the degree exceeds 300, and the recurrence without an interval. The result is empty if
/// R is constant or β₀ ≠ 1.
///
/// ```
/// use hemiola_polynomial::{Axis, StabilityInterval, StageForm, optimal, implementations};
/// use num_complex::Complex64;
/// // Twenty stages on the negative real axis, R = T₂₀(1 + z/400).
/// let polynomial = optimal(Axis::Real, 20, 1).unwrap();
/// let interval = StabilityInterval { axis: Axis::Real, limit: polynomial.limit() };
/// let points: Vec<Complex64> = (0..=500).map(|i| (-interval.limit * f64::from(i) / 500.0).into()).collect();
/// let [chain, factors, recurrence] = &implementations(polynomial.coefficients(), Some(interval), &points)[..] else {
///     panic!()
/// };
/// assert_eq!(recurrence.scheme, StageForm::Recurrence);
/// assert!((recurrence.amplification - 20.0).abs() < 1e-9); // Q₁ = U₁₉(1 + z/400), 20 at the origin
/// assert!(factors.amplification < 1e4);
/// assert!(chain.amplification > 1e13); // no digit of a step is right
/// ```
#[must_use]
pub fn implementations(
    beta: &[RBig],
    interval: Option<StabilityInterval>,
    points: &[Complex64],
) -> Vec<Implementation> {
    let degree = beta.iter().rposition(|coefficient| !coefficient.is_zero()).unwrap_or(0);
    if degree == 0 || !beta[0].is_one() {
        return Vec::new();
    }
    let beta = &beta[..=degree];
    let candidates = [
        (StageForm::Chain, chain::stages(beta)),
        (StageForm::Factors, factors::stages(beta, interval, points)),
        (StageForm::Recurrence, interval.and_then(|interval| recurrence::stages(beta, interval))),
    ];
    candidates.into_iter().filter_map(|(scheme, stages)| Some(Implementation::new(scheme, stages?, points))).collect()
}
