//! Fits of parameters as JSON and as content of figures.

use hemiola_models::Model;
use hemiola_optimize::identification::{Measurements, ParameterFit, ellipse};
use hemiola_plot::{ConfidenceEllipse, FittedVariable};
use serde::Serialize;

/// Fit as JSON. Missing numbers are `null`.
#[derive(Serialize)]
pub struct FitReport<'a> {
    /// Name of the model.
    pub model: &'a str,
    /// Outcome of the fit.
    pub outcome: &'static str,
    /// Number of iterations.
    pub iterations: usize,
    /// Parameters with their standard deviations.
    pub parameters: Vec<ParameterReport<'a>>,
    covariance: Vec<Vec<f64>>,
    chi_squared: f64,
    degrees_of_freedom: usize,
    /// Probability of larger residuals for a correct model.
    pub probability: Option<f64>,
    times: usize,
    fitted: &'a [Vec<f64>],
    residuals: &'a [Vec<f64>],
}

/// Fitted parameter.
#[derive(Serialize)]
pub struct ParameterReport<'a> {
    /// Name.
    pub name: &'a str,
    /// Value.
    pub value: f64,
    /// Standard deviation.
    pub deviation: f64,
    /// Whether the value is a bound.
    pub at_bound: bool,
}

impl<'a> FitReport<'a> {
    /// Collects the results of a fit of parameters with these names.
    #[must_use]
    pub fn new(model: &'a str, free: &[&'a str], fit: &'a ParameterFit) -> Self {
        let deviations = fit.deviations();
        let parameter = |(k, &name): (usize, &&'a str)| ParameterReport {
            name,
            value: fit.parameters[k],
            deviation: deviations[k],
            at_bound: fit.at_bound[k],
        };
        Self {
            model,
            outcome: fit.ending.text(),
            iterations: fit.iterations,
            parameters: free.iter().enumerate().map(parameter).collect(),
            covariance: fit.covariance.row_iter().map(|row| row.iter().copied().collect()).collect(),
            chi_squared: fit.chi_squared,
            degrees_of_freedom: fit.degrees,
            probability: fit.probability(),
            times: fit.fitted.len(),
            fitted: &fit.fitted,
            residuals: &fit.residuals,
        }
    }
}

/// Returns the measured and the fitted values of each measured variable; `course` contains times and values of the fit.
#[must_use]
pub fn fitted_variables(
    model: &Model,
    data: &Measurements,
    fit: &ParameterFit,
    (times, course): &(Vec<f64>, Vec<Vec<f64>>),
) -> Vec<FittedVariable> {
    let column = |rows: &[Vec<f64>], k: usize| rows.iter().map(|row| row[k]).collect();
    let variable = |(k, &state): (usize, &usize)| {
        let variable = &model.variables[state];
        let label = if variable.unit.is_empty() || variable.unit == "1" {
            variable.name.clone()
        } else {
            format!("{} in {}", variable.name, variable.unit)
        };
        FittedVariable {
            label,
            times: data.times.clone(),
            measured: column(&data.values, k),
            fitted: times.iter().zip(course).map(|(t, row)| [*t, row[k]]).collect(),
            residuals: column(&fit.residuals, k),
        }
    };
    data.states.iter().enumerate().map(variable).collect()
}

/// Returns one ellipse for each pair of parameters that have a variance.
#[must_use]
pub fn ellipses(free: &[&str], fit: &ParameterFit) -> Vec<ConfidenceEllipse> {
    const POINTS: usize = 200;
    let places: Vec<usize> = (0..free.len()).filter(|&k| !fit.at_bound[k]).collect();
    let pairs = places.iter().enumerate().flat_map(|(k, &i)| places[k + 1..].iter().map(move |&j| (i, j)));
    let one = |(i, j): (usize, usize)| {
        let center = [fit.parameters[i], fit.parameters[j]];
        let covariance = [i, j].map(|row| [i, j].map(|column| fit.covariance[(row, column)]));
        let labels = [free[i].to_owned(), free[j].to_owned()];
        ConfidenceEllipse { labels, center, points: ellipse(center, covariance, 0.95, POINTS) }
    };
    pairs.map(one).collect()
}
