//! Reports that make the results of a paper again, with figures, from the libraries.
//!
//! ```no_run
//! use std::ops::ControlFlow;
//! let report = hemiola_report::report("jack-adaptive-rk4", &|_| ControlFlow::Continue(()))?;
//! std::fs::write("jack-adaptive-rk4.md", &report.text)?;
//! for (name, svg) in &report.figures {
//!     std::fs::write(name, svg)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod eigenvalues;
mod gerdts;
mod gil_sanfelice_nikravesh;
mod jack;
mod markdown;
mod runs;
mod shome_haug_jay;

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

pub use eigenvalues::{block_eigenvalues, eigenvalue_figure};

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

/// A report and what makes it.
type Entry = (&'static str, fn(&Watcher<'_>) -> Result<Report, ReportError>);

const REPORTS: [Entry; 4] = [
    ("shome-haug-jay-2004", shome_haug_jay::report),
    ("gil-sanfelice-nikravesh-2013", gil_sanfelice_nikravesh::report),
    ("jack-adaptive-rk4", jack::report),
    ("gerdts-2003", gerdts::report),
];

/// The names of all reports: authors and years of papers.
pub fn names() -> impl Iterator<Item = &'static str> {
    REPORTS.iter().map(|(name, _)| *name)
}

/// The report on a paper.
///
/// # Errors
/// [`ReportError`] where there is none of that name, it was interrupted, or something in it could not be computed.
pub fn report(name: &str, watcher: &Watcher<'_>) -> Result<Report, ReportError> {
    let unknown = || ReportError::Unknown { name: name.to_owned(), expected: names().collect::<Vec<_>>().join(", ") };
    let (_, make) = REPORTS.iter().find(|(known, _)| *known == name).ok_or_else(unknown)?;
    make(watcher)
}

/// Says what is done next.
pub(crate) fn next(watcher: &Watcher<'_>, task: &str) -> Result<(), ReportError> {
    match watcher(task) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(ReportError::Interrupted),
    }
}
