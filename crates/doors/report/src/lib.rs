//! Reports that reproduce the results of papers, with figures, using only the libraries.
//!
//! Each paper has a folder: `shome_haug_jay`, `gil_sanfelice_nikravesh`, `jack`, `gerdts` and `pan_he`. [`names`] lists
//! them, and [`report()`] computes one. `runs` contains shared integrations, `markdown` tables and numbers. [`results`] presents
//! simulations, convergence studies, stable steps and optima.
//!
//! ```
//! use hemiola_report::{ReportError, names, report};
//! use std::ops::ControlFlow;
//! assert!(names().eq(["shome-haug-jay-2004", "gil-sanfelice-nikravesh-2013", "jack-adaptive-rk4", "gerdts-2003", "pan-he"]));
//! // A report takes from seconds to minutes and announces its tasks; here it is stopped before the first.
//! let interrupted = report("jack-adaptive-rk4", &|_task: hemiola_number::Update<'_>| ControlFlow::Break(()));
//! assert!(matches!(interrupted, Err(ReportError::Interrupted)));
//! ```

mod drives;
mod eigenvalues;
mod gerdts;
mod gil_sanfelice_nikravesh;
mod jack;
mod markdown;
mod pan_he;
mod papers;
mod report;
pub mod results;
mod runs;
mod shome_haug_jay;
mod sketch;

use hemiola_number::Progress;

pub use drives::{lane_change_drive, lane_change_figure, optimum_course};
pub use eigenvalues::{block_eigenvalues, eigenvalue_figure};
pub use report::{Report, ReportError};

/// A report name with its generator.
type ReportGenerator = (&'static str, fn(&dyn Progress) -> Result<Report, ReportError>);

const REPORTS: [ReportGenerator; 5] = [
    (papers::SHOME_HAUG_JAY, shome_haug_jay::report),
    (papers::GIL_SANFELICE_NIKRAVESH, gil_sanfelice_nikravesh::report),
    (papers::JACK, jack::report),
    (papers::GERDTS, gerdts::report),
    (papers::PAN_HE, pan_he::report),
];

/// Returns the names of all reports: authors and years of the papers.
pub fn names() -> impl Iterator<Item = &'static str> {
    REPORTS.iter().map(|(name, _)| *name)
}

/// Computes the report on a paper. `progress` receives the name of each task.
///
/// # Errors
/// Returns [`ReportError`] if there is no report of that name, if it is interrupted, or if a computation fails.
pub fn report(name: &str, progress: &dyn Progress) -> Result<Report, ReportError> {
    let unknown = || ReportError::Unknown { name: name.to_owned(), expected: names().collect::<Vec<_>>().join(", ") };
    let (_, make) = REPORTS.iter().find(|(known, _)| *known == name).ok_or_else(unknown)?;
    make(progress)
}

/// Doctest of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
