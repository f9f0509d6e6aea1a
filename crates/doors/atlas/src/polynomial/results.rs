//! Results for one polynomial, and their JSON form.

use hemiola_plot::boundary;
use hemiola_polynomial::{
    Axis, Certificate, ContactPoint, Implementation, Optimum, PolynomialError, Spectrum, StabilityInterval,
    StabilityPolynomial, StableForm, StageForm, implementations, monomial_digits_lost,
};
use hemiola_tableau::Exact;
use serde::Serialize;
use serde_json::{Value, json};

use super::certificate::CertificateSummary;

/// Polynomial with all reported results.
pub struct PolynomialResults {
    /// The polynomial.
    pub polynomial: StabilityPolynomial,
    /// Proof of its limit, if there is one.
    pub certificate: Option<Certificate>,
    /// Whether a proof was attempted.
    pub tried: bool,
    /// Results as JSON.
    pub report: PolynomialReport,
}

/// Results as JSON.
#[derive(Serialize)]
pub struct PolynomialReport {
    /// Number of stages.
    pub stages: usize,
    /// Order.
    pub order: usize,
    /// Axis, if the spectrum lies on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axis: Option<&'static str>,
    /// Spectrum as text.
    pub spectrum: String,
    /// Damping η.
    pub damping: f64,
    /// Limit with the requested digits.
    pub limit: String,
    /// Coefficients with extra digits for the cancellation in their sums; rounded to the requested digits, they would
    /// not be stable.
    pub coefficients: Vec<String>,
    /// Coefficients rounded to the requested digits.
    #[serde(skip)]
    pub shown: Vec<String>,
    /// Source of the formula, if there is one.
    pub closed_form: Option<&'static str>,
    /// Whether more digits are known than those of a conic program.
    pub polished: bool,
    /// Points at which |R| touches its bound.
    pub contact_points: Vec<ContactJson>,
    stable_form: Value,
    /// Realizations with their errors.
    #[serde(rename = "realisations")]
    pub implementations: Vec<ImplementationForm>,
    /// Digits that R loses to the rounding of its coefficients.
    pub digits_lost: f64,
    /// Proof of the limit; `None` if there is none or it was not attempted.
    pub certificate: Option<CertificateSummary>,
}

/// Point at which |R| touches its bound.
#[derive(Serialize)]
pub struct ContactJson {
    /// Real and imaginary part.
    pub z: [f64; 2],
    multiplier: f64,
}

/// Implementation of the method, and its amplification of rounding errors.
#[derive(Serialize)]
pub struct ImplementationForm {
    /// Kind of implementation.
    #[serde(serialize_with = "by_name")]
    pub scheme: StageForm,
    /// Largest amplification of a rounding error.
    pub amplification: f64,
    /// Relative rounding error of a step in double precision.
    pub rounding: f64,
}

/// Number of digits to which the optimum of a conic program is known.
const CONIC_DIGITS: usize = 8;
/// Largest number of stages with fast proofs.
const QUICK: usize = 50;
/// Number of points at which the maxima of stage polynomials are computed.
const POINTS: usize = 400;

/// Number of significant digits shown.
#[derive(Clone, Copy)]
pub struct DigitRequest {
    /// Requested number.
    pub asked: Option<u16>,
    /// Default number.
    pub usual: usize,
}

impl DigitRequest {
    /// Returns the requested or default number of digits, limited to those that are known.
    #[must_use]
    pub fn of(self, optimum: &Optimum) -> usize {
        let known = if optimum.is_polished() { self.usual } else { self.usual.min(CONIC_DIGITS) };
        self.asked.map_or(known, usize::from)
    }
}

impl PolynomialResults {
    /// Computes the results. Includes a proof if it takes well below a second, or always with `certify`. `says` receives the name of
    /// each step of the computation.
    ///
    /// # Errors
    /// [`PolynomialError`] if fewer digits are known than requested.
    pub fn new(
        optimum: &Optimum,
        digits: DigitRequest,
        certify: bool,
        says: &dyn Fn(&str),
    ) -> Result<Self, PolynomialError> {
        says("digits");
        let asked = digits.asked.is_some();
        let mut digits = digits.of(optimum);
        let polynomial = match optimum.polynomial(digits) {
            // Fewer digits are known than the default.
            Err(PolynomialError::NoDigits { .. }) if !asked => {
                digits = CONIC_DIGITS;
                optimum.polynomial(digits)?
            }
            other => other?,
        };
        let problem = optimum.problem();
        let points = boundary(problem.spectrum(), optimum.limit(), POINTS).concat();
        let is_quick = problem.stages() <= QUICK;
        let tried = certify || is_quick;
        says("proof");
        let certificate = if tried { polynomial.certificate() } else { None };
        says("implementations");
        let beta = polynomial.coefficients();
        let digits_lost = monomial_digits_lost(beta, &points);
        let decimals = |digits: usize| -> Vec<String> {
            let decimal = |exact: Exact| exact.to_decimal(digits).to_string();
            beta.iter().cloned().map(Exact::from).map(decimal).collect()
        };
        let report = PolynomialReport {
            stages: problem.stages(),
            order: problem.order(),
            axis: axis(problem.spectrum()).map(axis_word),
            spectrum: problem.spectrum().to_string(),
            damping: problem.eta(),
            limit: polynomial.limit_text(digits),
            coefficients: decimals(digits + digits_lost.ceil() as usize),
            shown: decimals(digits),
            closed_form: optimum.closed_form(),
            polished: optimum.is_polished(),
            contact_points: optimum.contact_points().into_iter().map(ContactJson::from).collect(),
            stable_form: stable_form(&polynomial.stable_form()),
            implementations: implementations(beta, interval(optimum), &points)
                .iter()
                .map(ImplementationForm::from)
                .collect(),
            digits_lost,
            certificate: certificate.as_ref().map(|certificate| CertificateSummary::new(certificate, digits)),
        };
        Ok(Self { polynomial, certificate, tried, report })
    }
}

fn axis_word(axis: Axis) -> &'static str {
    match axis {
        Axis::Imaginary => "imaginary",
        Axis::Real => "real",
    }
}

/// Returns the axis that contains a spectrum, if it is an interval.
#[must_use]
pub fn axis(spectrum: &Spectrum) -> Option<Axis> {
    match spectrum {
        Spectrum::Axis(axis) => Some(*axis),
        _ => None,
    }
}

/// Returns the interval on which a recurrence can be based.
fn interval(optimum: &Optimum) -> Option<StabilityInterval> {
    let axis = match optimum.problem().spectrum() {
        Spectrum::Axis(axis) => *axis,
        Spectrum::ImaginaryWithReal { .. } => Axis::Imaginary,
        _ => return None,
    };
    Some(StabilityInterval { axis, limit: optimum.limit() })
}

impl From<ContactPoint> for ContactJson {
    fn from(ContactPoint { z, multiplier }: ContactPoint) -> Self {
        // The points are doubles: real or imaginary parts of the size of rounding errors, and negative zeros, become
        // zero.
        let part = |part: f64| if part.abs() <= 1e-13 * z.norm() { 0.0 } else { part };
        Self { z: [part(z.re), part(z.im)], multiplier }
    }
}

impl From<&Implementation> for ImplementationForm {
    fn from(implementation: &Implementation) -> Self {
        let Implementation { scheme, amplification, rounding, .. } = *implementation;
        Self { scheme, amplification, rounding }
    }
}

fn by_name<S: serde::Serializer>(scheme: &StageForm, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(scheme)
}

fn stable_form(form: &StableForm) -> Value {
    let basis = basis(form);
    match form {
        StableForm::RealChebyshev { limit, coefficients } | StableForm::ImaginaryChebyshev { limit, coefficients } => {
            json!({ "basis": basis, "limit": limit, "coefficients": coefficients })
        }
        StableForm::DiskPowers { radius, coefficients } => {
            json!({ "basis": basis, "radius": radius, "coefficients": coefficients })
        }
        StableForm::Orthonormal { unit, first, recursion, coefficients } => json!({
            "basis": basis, "unit": unit, "first": first, "recursion": recursion, "coefficients": coefficients,
        }),
    }
}

/// Describes a stable form as a formula.
#[must_use]
pub fn basis(form: &StableForm) -> &'static str {
    match form {
        StableForm::RealChebyshev { .. } => "Σ c_j T_j(1 + 2z/L)",
        StableForm::ImaginaryChebyshev { .. } => "Σ c_j V_j(z/L), V_j(w) = i^j T_j(w/i)",
        StableForm::DiskPowers { .. } => "Σ c_j (1 + z/r)^j",
        StableForm::Orthonormal { .. } => "Σ c_j q_j(z/u), q_j orthonormal on the spectrum",
    }
}
