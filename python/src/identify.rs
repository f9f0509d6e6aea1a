//! Identification of model parameters from measurements.

use std::sync::Arc;

use hemiola::integrate::System;
use hemiola::optimize::StepRule;
use hemiola::optimize::identification::{Identification, LibraryModel, Measurements, ParameterFit};
use hemiola::optimize::sqp::Ranges;
use pyo3::prelude::*;

use crate::errors::refused;
use crate::models::Equations;
use crate::running::{SharedProgress, watched};
use crate::scheme::SchemeArgument;

/// Result of a fit.
#[derive(IntoPyObject)]
struct FitResult {
    ending: &'static str,
    parameters: Vec<f64>,
    at_bound: Vec<bool>,
    covariance: Vec<Vec<f64>>,
    fitted: Vec<Vec<f64>>,
    residuals: Vec<Vec<f64>>,
    chi_squared: f64,
    degrees: usize,
    probability: Option<f64>,
    iterations: usize,
}

fn found(fit: ParameterFit) -> FitResult {
    FitResult {
        ending: fit.ending.text(),
        probability: fit.probability(),
        covariance: fit.covariance.row_iter().map(|row| row.iter().copied().collect()).collect(),
        parameters: fit.parameters,
        at_bound: fit.at_bound,
        fitted: fit.fitted,
        residuals: fit.residuals,
        chi_squared: fit.chi_squared,
        degrees: fit.degrees,
        iterations: fit.iterations,
    }
}

/// Fits parameters of a model, with lower and upper bounds, to measurements of some variables. Returns the fit and the exception that
/// stopped it early.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a model, measurements, and how to integrate")]
fn identify(
    py: Python<'_>,
    equations: &Equations,
    free: Vec<String>,
    bounds: (Vec<f64>, Vec<f64>),
    times: Vec<f64>,
    states: Vec<usize>,
    values: Vec<Vec<f64>>,
    deviations: Vec<f64>,
    scheme: SchemeArgument<'_>,
    steps: usize,
    iterations: usize,
) -> PyResult<(FitResult, Option<PyErr>)> {
    let model = &equations.model;
    let rule = StepRule::new(&scheme.scheme()?, model.sizes()).map_err(refused)?;
    let data = Measurements { times, states, values, deviations };
    let work = |shared: &SharedProgress| {
        let names: Vec<&str> = free.iter().map(String::as_str).collect();
        let (equations, start) = LibraryModel::new(model, &names).map_err(refused)?;
        let equations = Arc::new(equations);
        let initial = Arc::clone(&equations);
        let identification = Identification {
            dynamics: equations,
            initial: Arc::new(move |p| initial.initial(p).ok()),
            rule,
            steps,
            bounds: Ranges { lower: bounds.0, upper: bounds.1 },
        };
        identification.run(&data, &start, iterations, shared).map_err(refused)
    };
    let (fit, exception) = watched(py, None, work, |_| Ok(()))?;
    Ok((found(fit?), exception))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(identify, module)?)
}
