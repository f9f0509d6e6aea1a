//! Reports, their errors, and notification of progress.

use std::ops::ControlFlow;

use hemiola_design::DesignError;
use hemiola_figure::{Drawing, FigureError};
use hemiola_integrate::{MethodMismatch, Outcome};
use hemiola_models::ModelError;
use hemiola_multibody::{MachineError, MotionError};
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
    /// The name of each figure's SVG file, and what it shows.
    pub figures: Vec<(String, Drawing)>,
}

/// Why a report failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportError {
    /// No paper has this name.
    #[error("no report on `{name}`; expected one of: {expected}")]
    Unknown {
        /// The name.
        name: String,
        /// The names of all reports.
        expected: String,
    },
    /// The caller ended the report.
    #[error("interrupted")]
    Interrupted,
    /// No reference solution was found.
    #[error("{model}: no reference solution: {outcome:?}")]
    NoReference {
        /// The model.
        model: &'static str,
        /// How its run ended.
        outcome: Outcome,
    },
    /// A method of the library is missing or invalid.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// A model is missing.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A vehicle cannot be made.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// A vehicle cannot move on.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// An optimal control problem cannot be solved.
    #[error(transparent)]
    Problem(#[from] hemiola_optimize::ProblemError),
    /// A text is no scheme.
    #[error(transparent)]
    Scheme(#[from] hemiola_tableau::SchemeError),
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

/// Is notified of each next step; `Break` ends the report.
pub type Watcher<'a> = dyn Fn(&str) -> ControlFlow<()> + Sync + 'a;

/// Announces the next step.
pub(crate) fn next(watcher: &Watcher<'_>, task: &str) -> Result<(), ReportError> {
    match watcher(task) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(ReportError::Interrupted),
    }
}
