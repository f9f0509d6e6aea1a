//! Results for one polynomial, and their JSON form.

use hemiola::plot::boundary;
use hemiola::polynomial::{
    Axis, Certificate, ContactPoint, Implementation, Interval, Optimum, PolynomialError, Scheme, Spectrum,
    StabilityPolynomial, StableForm, implementations, monomial_digits_lost,
};
use hemiola::tableau::Exact;
use serde::Serialize;
use serde_json::{Value, json};

use crate::failure::Failure;

use super::certificate::Summary;
use super::request::AxisName;

/// Polynomial with all reported results.
pub(crate) struct PolynomialResults {
    pub(crate) polynomial: StabilityPolynomial,
    pub(crate) certificate: Option<Certificate>,
    /// Whether a proof was attempted.
    pub(crate) tried: bool,
    pub(crate) report: Report,
}

#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) stages: usize,
    pub(crate) order: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) axis: Option<AxisName>,
    pub(crate) spectrum: String,
    pub(crate) damping: f64,
    pub(crate) limit: String,
    /// Coefficients with extra digits for the cancellation in their sums; rounded to the requested digits, they would
    /// not be stable.
    pub(crate) coefficients: Vec<String>,
    /// Coefficients rounded to the requested digits.
    #[serde(skip)]
    pub(crate) shown: Vec<String>,
    pub(crate) closed_form: Option<&'static str>,
    pub(crate) polished: bool,
    pub(crate) contact_points: Vec<ContactJson>,
    stable_form: Value,
    #[serde(rename = "realisations")]
    pub(crate) implementations: Vec<ImplementationForm>,
    /// Digits that R loses to the rounding of its coefficients.
    pub(crate) digits_lost: f64,
    /// Proof of the limit; `None` if there is none or it was not attempted.
    pub(crate) certificate: Option<Summary>,
}

#[derive(Serialize)]
pub(crate) struct ContactJson {
    pub(crate) z: [f64; 2],
    multiplier: f64,
}

/// Implementation of the method, and its amplification of rounding errors.
#[derive(Serialize)]
pub(crate) struct ImplementationForm {
    #[serde(serialize_with = "by_name")]
    pub(crate) scheme: Scheme,
    pub(crate) amplification: f64,
    pub(crate) rounding: f64,
}

/// Number of digits to which the optimum of a conic program is known.
const CONIC_DIGITS: usize = 8;
/// Largest number of stages for which proofs are fast.
const QUICK: usize = 50;
/// Number of points over which suprema of stages are taken.
const POINTS: usize = 400;

/// Number of significant digits shown.
#[derive(Clone, Copy)]
pub(crate) struct DigitRequest {
    pub(crate) asked: Option<u16>,
    pub(crate) usual: usize,
}

impl DigitRequest {
    /// Returns the requested or default number of digits, limited to those that are known.
    pub(crate) fn of(self, optimum: &Optimum) -> usize {
        let known = if optimum.is_polished() { self.usual } else { self.usual.min(CONIC_DIGITS) };
        self.asked.map_or(known, usize::from)
    }
}

impl PolynomialResults {
    /// Computes the results. Includes a proof if that takes well below a second, or always with `certify`. `says`
    /// receives the name of each step of the computation.
    pub(crate) fn new(
        optimum: &Optimum,
        digits: DigitRequest,
        certify: bool,
        says: &dyn Fn(&str),
    ) -> Result<Self, Failure> {
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
        let report = Report {
            stages: problem.stages(),
            order: problem.order(),
            axis: axis(problem.spectrum()).map(AxisName::from),
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
            certificate: certificate.as_ref().map(|certificate| Summary::new(certificate, digits)),
        };
        Ok(Self { polynomial, certificate, tried, report })
    }
}

/// Returns the axis that contains a spectrum, if it is an interval.
pub(crate) fn axis(spectrum: &Spectrum) -> Option<Axis> {
    match spectrum {
        Spectrum::Axis(axis) => Some(*axis),
        _ => None,
    }
}

/// Returns the interval on which a recurrence can be based.
fn interval(optimum: &Optimum) -> Option<Interval> {
    let axis = match optimum.problem().spectrum() {
        Spectrum::Axis(axis) => *axis,
        Spectrum::ImaginaryWithReal { .. } => Axis::Imaginary,
        _ => return None,
    };
    Some(Interval { axis, limit: optimum.limit() })
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

fn by_name<S: serde::Serializer>(scheme: &Scheme, serializer: S) -> Result<S::Ok, S::Error> {
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
pub(crate) fn basis(form: &StableForm) -> &'static str {
    match form {
        StableForm::RealChebyshev { .. } => "Σ c_j T_j(1 + 2z/L)",
        StableForm::ImaginaryChebyshev { .. } => "Σ c_j V_j(z/L), V_j(w) = i^j T_j(w/i)",
        StableForm::DiskPowers { .. } => "Σ c_j (1 + z/r)^j",
        StableForm::Orthonormal { .. } => "Σ c_j q_j(z/u), q_j orthonormal on the spectrum",
    }
}
