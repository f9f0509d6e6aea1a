//! Errors of designs.

use std::path::PathBuf;

use hemiola::design::DesignError;
use miette::Diagnostic;
use thiserror::Error;

use crate::failure::{CommandError, CommandOutcome, hinted};
use crate::output::text::listed;

/// Reason why a design does not start.
#[derive(Debug, Error, Diagnostic)]
pub(crate) enum DesignJobError {
    #[error("two design files produce the method {id}")]
    #[diagnostic(help("the method's id comes from the name of the design file: rename one of the files"))]
    SameMethod { id: String },
    #[error("{file}: the method would overwrite its design")]
    #[diagnostic(help("name design files NAME.design.json, or choose the method's file with --output"))]
    OverDesign { file: PathBuf },
    #[error("{file}: {problem}")]
    Command { file: PathBuf, problem: String },
    #[error("{file}: the command has none of --ssp, --storage, --implicit and --fast exact")]
    #[diagnostic(help("design files of pairs and families state the fields of the design: `hemiola design --fields`"))]
    NotDirect { file: PathBuf },
    #[error("{option} changes fields; {file} states a command")]
    #[diagnostic(help("change the command in the file"))]
    NoFields { option: &'static str, file: PathBuf },
    #[error("{file} belongs to another design")]
    #[diagnostic(help("--force overwrites it, --output names another file"))]
    OtherFamily { file: PathBuf },
    #[error("{file} belongs to another design")]
    #[diagnostic(help("repeat the options or the design file of the interrupted search, or omit --resume"))]
    OtherSearch { file: PathBuf },
    #[error("{option}: found {found} MPI ranks; expected one, because this search is not distributed")]
    ManyRanks { found: usize, option: &'static str },
    #[error("--for needs a target error: add --error E")]
    NoError,
    #[error("--slow-stages {}: expected {slow} stages in increasing order, from 1 to {fast}", listed(.found))]
    SlowStages { found: Vec<usize>, slow: usize, fast: usize },
    #[cfg(feature = "motion")]
    #[error("--for {model}: the model has one part; expected at least two coupled parts")]
    NoParts { model: String },
    #[cfg(feature = "motion")]
    #[error("{model} has {found} partitions; expected two, slow and fast, for a dual-rate pair")]
    #[diagnostic(help("`hemiola models` lists the numbers of slow and fast variables of each model"))]
    NotDualRate { model: String, found: usize },
    #[cfg(feature = "motion")]
    #[error("{model}: the error {error:e} is below the uncertainty of the reference solution, {uncertainty:.1e}")]
    #[diagnostic(help("state a larger error in the field `for.error` of the design file"))]
    Unmeasurable { model: String, error: f64, uncertainty: f64 },
}

hinted!(DesignJobError);

/// Interruption of a design by Ctrl-C.
#[derive(Debug, Error, Diagnostic)]
pub(crate) enum DesignInterrupted {
    #[error("interrupted before the family was finished; no file is written")]
    Family,
    #[error("interrupted before the search of {option} was finished; no file is written")]
    Direct { option: &'static str },
    #[error("interrupted before any start led to a pair")]
    #[diagnostic(help("resume with `hemiola design {} --resume`", .design.display()))]
    Search { design: PathBuf },
    #[error("interrupted after {done} of {all} iterations: {design} is the best so far")]
    #[diagnostic(help(
        "`hemiola design` with this file produces its method; repeat the command with --resume to continue"
    ))]
    Tuning { done: u64, all: u64, design: PathBuf },
    #[error("interrupted before the outer search began: nothing was written")]
    Early,
}

hinted!(DesignInterrupted, CommandOutcome::Interrupted);

impl CommandError for DesignError {}
