//! A report, why there is none, and who is told of its progress.

use std::ops::ControlFlow;

use hemiola_design::DesignError;
use hemiola_figure::FigureError;
use hemiola_integrate::{MethodMismatch, Outcome};
use hemiola_models::ModelError;
use hemiola_order::OrderError;
use hemiola_polynomial::PolynomialError;
use hemiola_stability::StabilityError;
use hemiola_tableau::MethodError;
use thiserror::Error;

/// A report in Markdown with its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The text, which refers to the figures by their names.
    pub text: String,
    /// The name of each figure's file, and its SVG.
    pub figures: Vec<(String, String)>,
}

/// Why there is no report.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportError {
    /// No paper has this name.
    #[error("there is no report on `{name}`; expected one of: {expected}")]
    Unknown {
        /// The name.
        name: String,
        /// The names of all reports.
        expected: String,
    },
    /// The caller wanted no more.
    #[error("interrupted")]
    Interrupted,
    /// A solution to compare with was not found.
    #[error("{model}: its solution was not found: {outcome:?}")]
    NoReference {
        /// The model.
        model: &'static str,
        /// How its run ended.
        outcome: Outcome,
    },
    /// A method of the library is missing or does not read.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// A model is missing.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A method does not fit a model.
    #[error(transparent)]
    Mismatch(#[from] MethodMismatch),
    /// A method could not be designed.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// Order conditions could not be checked.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// A polynomial was not found.
    #[error(transparent)]
    Polynomial(#[from] PolynomialError),
    /// A limit was not found.
    #[error(transparent)]
    Stability(#[from] StabilityError),
    /// A figure cannot be drawn.
    #[error(transparent)]
    Figure(#[from] FigureError),
}

/// Told what is done next; `Break` ends the report.
pub type Watcher<'a> = dyn Fn(&str) -> ControlFlow<()> + Sync + 'a;

/// Says what is done next.
pub(crate) fn next(watcher: &Watcher<'_>, task: &str) -> Result<(), ReportError> {
    match watcher(task) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(ReportError::Interrupted),
    }
}
