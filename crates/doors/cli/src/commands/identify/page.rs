//! Fits as text and JSON.

use hemiola::models::Model;
use hemiola::optimize::identification::ParameterFit;
use serde::Serialize;

use crate::output::text::{self, Column, counted};

/// Fit as JSON. Missing numbers are `null`.
#[derive(Serialize)]
pub(crate) struct Report<'a> {
    model: &'a str,
    outcome: &'static str,
    iterations: usize,
    parameters: Vec<ParameterReport<'a>>,
    covariance: Vec<Vec<f64>>,
    chi_squared: f64,
    degrees_of_freedom: usize,
    probability: Option<f64>,
    times: usize,
    fitted: &'a [Vec<f64>],
    residuals: &'a [Vec<f64>],
}

#[derive(Serialize)]
struct ParameterReport<'a> {
    name: &'a str,
    value: f64,
    deviation: f64,
    at_bound: bool,
}

impl<'a> Report<'a> {
    pub(crate) fn new(model: &'a str, free: &[&'a str], fit: &'a ParameterFit) -> Self {
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

pub(crate) fn page(report: &Report<'_>, model: &Model, free: &[&str], fit: &ParameterFit) -> String {
    let chi = format!("{} with {}", text::rounded(fit.chi_squared, 5), counted(fit.degrees, "degree of freedom"));
    let chi = chi.replace("degree of freedoms", "degrees of freedom");
    let test = match report.probability {
        Some(probability) => format!("a correct model leaves more with probability {}", text::rounded(probability, 3)),
        None => "none: the standard deviations are not known (--deviations)".to_owned(),
    };
    let entries = [
        ("model", report.model.to_owned()),
        ("outcome", format!("{} after {}", report.outcome, counted(report.iterations, "iteration"))),
        ("χ²", chi),
        ("test", test),
    ];
    let [left, right] = [Column::Left, Column::Right];
    let mut columns = vec![("Parameter", left), ("Value", right), ("Deviation", right), ("Unit", left)];
    columns.extend(free.iter().map(|name| (*name, right)));
    let rows = report.parameters.iter().enumerate().map(|(i, parameter)| {
        let unit = model.parameters.iter().find(|one| one.name == parameter.name).map_or("", |one| one.unit);
        let deviation =
            if parameter.at_bound { "at its bound".to_owned() } else { text::rounded(parameter.deviation, 3) };
        let mut cells = vec![parameter.name.to_owned(), text::rounded(parameter.value, 8), deviation, unit.to_owned()];
        cells.extend((0..free.len()).map(|j| {
            if fit.at_bound[i] || fit.at_bound[j] { "–".to_owned() } else { format!("{:.3}", fit.correlation(i, j)) }
        }));
        cells
    });
    format!("{}\n{}", text::entries(&entries), text::table(&columns, rows))
}
