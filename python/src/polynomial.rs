//! Optimal stability polynomials.

use hemiola::number::Exact;
use hemiola::plot::polynomial_figure;
use hemiola::polynomial::{Axis, PolynomialError, Problem, Spectrum, implementations};
use num_complex::Complex64;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::errors::refused;
use crate::pictures::Picture;
use crate::running::released;

/// Number of accurate digits of the optimum of a conic program.
const CONIC_DIGITS: usize = 8;

#[derive(IntoPyObject)]
struct PolynomialResult {
    limit: f64,
    limit_text: String,
    /// Exact coefficients β₀ … β_s.
    coefficients: Vec<String>,
    closed_form: Option<&'static str>,
    polished: bool,
    spectrum: String,
    contact_points: Vec<(Complex64, f64)>,
    /// Number of proved statements; `None` without a proof.
    statements: Option<usize>,
    certificate: Option<String>,
    /// Implementations by name, with their internal amplification.
    implementations: Vec<(String, f64)>,
    drawing: Picture,
}

/// Parses the stability domain in the notation of the command line, or takes a list of eigenvalues.
fn spectrum(text: &str, eigenvalues: Option<&[Complex64]>, extent: Option<f64>) -> PyResult<Spectrum> {
    Ok(match (text, eigenvalues, extent) {
        (_, Some(values), _) => Spectrum::Eigenvalues(values.to_vec()),
        ("imaginary", _, Some(extent)) => Spectrum::ImaginaryWithReal { extent },
        (_, _, Some(_)) => return Err(refused("real_extent requires the imaginary axis")),
        ("imaginary", ..) => Spectrum::Axis(Axis::Imaginary),
        ("real", ..) => Spectrum::Axis(Axis::Real),
        (text, ..) => text.parse().map_err(refused)?,
    })
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of a polynomial")]
fn optimal_polynomial(
    py: Python<'_>,
    stages: usize,
    order: usize,
    text: &str,
    eigenvalues: Option<PyReadonlyArray1<'_, Complex64>>,
    real_extent: Option<f64>,
    damping: f64,
    band: Option<f64>,
    digits: Option<usize>,
    certify: bool,
    threads: Option<usize>,
) -> PyResult<PolynomialResult> {
    let eigenvalues = eigenvalues.as_ref().map(|values| values.as_slice()).transpose()?;
    let mut problem = Problem::new(spectrum(text, eigenvalues, real_extent)?, stages, order).damping(damping);
    if let Some(fraction) = band {
        problem = problem.band(fraction);
    }
    released(py, threads, || {
        let optimum = problem.solve().map_err(refused)?;
        let known = if optimum.is_polished() { 17 } else { CONIC_DIGITS };
        let (polynomial, digits) = match optimum.polynomial(digits.unwrap_or(known)) {
            // Fewer digits are accurate than the default.
            Err(PolynomialError::NoDigits { .. }) if digits.is_none() => {
                (optimum.polynomial(CONIC_DIGITS).map_err(refused)?, CONIC_DIGITS)
            }
            other => (other.map_err(refused)?, digits.unwrap_or(known)),
        };
        let certificate = if certify { polynomial.certificate() } else { None };
        let points: Vec<Complex64> = hemiola::plot::boundary(problem.spectrum(), optimum.limit(), 400).concat();
        let forms = implementations(polynomial.coefficients(), None, &points);
        Ok(PolynomialResult {
            limit: polynomial.limit(),
            limit_text: polynomial.limit_text(digits),
            coefficients: polynomial.coefficients().iter().map(|beta| Exact::from(beta.clone()).to_string()).collect(),
            closed_form: optimum.closed_form(),
            polished: optimum.is_polished(),
            spectrum: problem.spectrum().to_string(),
            contact_points: optimum.contact_points().into_iter().map(|point| (point.z, point.multiplier)).collect(),
            statements: certificate.as_ref().map(|certificate| certificate.stability.len()),
            certificate: certificate.map(|certificate| format!("{:#}\n", certificate.to_json(&polynomial))),
            implementations: forms.iter().map(|form| (form.scheme.to_string(), form.amplification)).collect(),
            drawing: polynomial_figure(&polynomial).into(),
        })
    })?
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(optimal_polynomial, module)?)
}
