//! Reports, their errors, and progress notification.

use std::ops::ControlFlow;

use hemiola_design::DesignError;
use hemiola_figure::{Drawing, FigureError};
use hemiola_integrate::{MethodMismatch, Outcome};
use hemiola_models::ModelError;
use hemiola_multibody::{MachineError, MotionError};
use hemiola_number::{Progress, Update};
use hemiola_order::OrderError;
use hemiola_plot::{MapError, SliceError};
use hemiola_polynomial::PolynomialError;
use hemiola_stability::StabilityError;
use hemiola_tableau::MethodError;
use thiserror::Error;

/// A report in Markdown with its figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Text, which refers to the figures by their names.
    pub text: String,
    /// Names of the SVG files with their figures.
    pub figures: Vec<(String, Drawing)>,
}

/// Reason why a report failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportError {
    /// No report has this name.
    #[error("no report on `{name}`; expected one of: {expected}")]
    Unknown {
        /// The requested name.
        name: String,
        /// Names of all reports.
        expected: String,
    },
    /// The caller interrupted the report.
    #[error("interrupted")]
    Interrupted,
    /// The reference solution could not be computed.
    #[error("{model}: no reference solution: {outcome:?}")]
    NoReference {
        /// Name of the model.
        model: &'static str,
        /// Outcome of its run.
        outcome: Outcome,
    },
    /// A method of the library is missing or invalid.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// A model is missing.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A vehicle cannot be built.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// The simulation of a vehicle cannot continue.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// An optimal control problem cannot be solved.
    #[error(transparent)]
    Problem(#[from] hemiola_optimize::ProblemError),
    /// Parameters cannot be identified.
    #[error(transparent)]
    Identification(#[from] hemiola_optimize::identification::IdentificationError),
    /// A text is not a valid scheme.
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
    /// A polynomial could not be computed.
    #[error(transparent)]
    Polynomial(#[from] PolynomialError),
    /// A stability limit could not be computed.
    #[error(transparent)]
    Stability(#[from] StabilityError),
    /// A stability map cannot be computed.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A text is not a valid slice of a map.
    #[error(transparent)]
    Slice(#[from] SliceError),
    /// A figure cannot be drawn.
    #[error(transparent)]
    Figure(#[from] FigureError),
}

/// Announces the next step; returns an error if the caller interrupts.
pub(crate) fn next(progress: &dyn Progress, task: &str) -> Result<(), ReportError> {
    match progress.report(Update { phase: task, ..Update::default() }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(ReportError::Interrupted),
    }
}
