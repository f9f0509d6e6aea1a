//! Usage errors of options and methods that several commands share.

use std::path::PathBuf;

use hemiola::order::OrderError;
use miette::Diagnostic;
use thiserror::Error;

use crate::failure::{CommandError, hinted};
use crate::output::text::{counted, listed};

/// Options that do not fit each other, or values that do not fit their option.
#[derive(Debug, Error)]
pub(crate) enum OptionError {
    #[error("{option} requires {with}")]
    Contradiction { option: &'static str, with: &'static str },
    #[error("{option} {folder}: no such folder")]
    NoFolder { option: &'static str, folder: PathBuf },
    #[error("{option} {found:?}: expected lower-case words of letters and digits joined by hyphens")]
    NotAnId { option: &'static str, found: String },
    #[error(
        "--output {file}: the file name becomes the method's id; expected lower-case words joined by hyphens, followed by .json"
    )]
    NoId { file: PathBuf },
    #[error("{option}: {}; expected {expected}", counted(*.found, "number"))]
    WrongCount { option: &'static str, expected: usize, found: usize },
    #[error("{option} {}: expected the lower bound first, then a larger upper bound", listed(.ends))]
    EmptyRange { option: &'static str, ends: [f64; 2] },
    #[error("{option} names `{found}`; expected one of: {expected}")]
    NoSuchName { option: &'static str, found: String, expected: String },
    #[cfg(not(feature = "motion"))]
    #[error("{subject}: this build has no models; rebuild with --features motion")]
    NoModels { subject: String },
}

impl CommandError for OptionError {}

/// Methods that do not fit a command.
#[derive(Debug, Error, Diagnostic)]
pub(crate) enum MethodUseError {
    #[error("{id}: {problem}")]
    #[diagnostic(help("`--order N` sets the highest order that is checked"))]
    Order { id: String, problem: OrderError },
    #[error("{id} claims no order")]
    #[diagnostic(help("`--order P` sets the order to check"))]
    NoClaim { id: String },
    #[error("{id} has one partition; expected at least two")]
    #[diagnostic(help(
        "`--separable` is for problems in which the derivative of each partition depends only on the other partitions"
    ))]
    NotPartitioned { id: String },
    #[error("{option} requires a single method; there are {found}")]
    #[diagnostic(help("write one file for each method"))]
    NotOneMethod { option: &'static str, found: usize },
    #[error("{option} does not apply to the multirate method {id}")]
    NotForMultirate { option: &'static str, id: String },
}

hinted!(MethodUseError);
