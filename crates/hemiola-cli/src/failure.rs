//! What ends a command early, with a hint where there is one, and how a command that ran to its end ended.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use hemiola::design::{DesignError, PolishError};
use hemiola::figure::FigureError;
use hemiola::integrate::MethodMismatch;
use hemiola::order::OrderError;
use hemiola::plot::MapError;
use hemiola::polynomial::PolynomialError;
use hemiola::report::ReportError;
use hemiola::stability::StabilityError;
use hemiola::study::StudyError;
use hemiola::tableau::{MethodError, SchemeError};
use miette::Diagnostic;

use crate::arguments::model::ModelTextError;
use crate::commands::polynomial::FileError;
use crate::commands::system::SystemError;
use crate::output::interrupt;
use crate::output::text::counted;

/// How a command ended, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Done, and whatever was to be checked is true.
    Done,
    /// A claim or check failed.
    CheckFailed,
    /// Some of the input could not be used.
    BadInput,
    /// Ctrl-C came before all was done.
    Interrupted = interrupt::EXIT_CODE as isize,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(outcome as u8)
    }
}

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub(crate) enum Failure {
    #[error("{0}")]
    #[diagnostic(help("`hemiola list` shows all methods, `hemiola list WORD` those with a word in their name"))]
    UnknownMethod(MethodError),

    #[error("{0}")]
    Method(MethodError),

    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    #[diagnostic(help("`hemiola list` shows all methods, `hemiola list WORD` those with a word in their name"))]
    Several(Vec<Failure>),

    #[error("{id}: {problem}")]
    #[diagnostic(help("`--order N` sets the highest order that is checked"))]
    Order { id: String, problem: OrderError },

    #[error("{id} claims no order")]
    #[diagnostic(help("`--order P` says which order it should have"))]
    NoClaim { id: String },

    #[error("{id} has no partition {found:?}; expected one of: {expected}")]
    NoPartition { id: String, found: String, expected: String },

    #[error("{id} has one partition")]
    #[diagnostic(help("`--separable` is about problems whose partitions depend on each other alone"))]
    NotPartitioned { id: String },

    #[error("--z: {} for {id}; expected {expected}, row after row of Z", counted(*.found, "number"))]
    #[diagnostic(help("a plain method takes one number, a pair four: --z ZSS ZSF ZFS ZFF"))]
    WrongSize { id: String, expected: usize, found: usize },

    #[error(transparent)]
    Scheme(#[from] SchemeError),

    #[error("--data goes with one slice; there are {slices}")]
    #[diagnostic(help("the panels of several slices have grids of their own: write one file for each slice"))]
    DataOfSlices { slices: usize },

    #[error("{0}")]
    Stability(#[from] StabilityError),

    #[error("{0}")]
    Figure(#[from] FigureError),

    #[error("{0}")]
    Map(#[from] MapError),

    #[error("{0}")]
    Polynomial(#[from] PolynomialError),

    #[error(
        "no certificate: that |R| keeps its bound could not be proved exactly; expected an optimum that is polished, on an axis or on a shape"
    )]
    NoCertificate,

    #[error("{file}: {problem}")]
    #[diagnostic(help("`hemiola design` writes certificates beside methods, as NAME.certificate.json"))]
    Certificate { file: PathBuf, problem: String },

    #[error("{0}")]
    SpectrumFile(#[from] FileError),

    #[error("{0}")]
    System(#[from] SystemError),

    #[error("{0}")]
    #[diagnostic(help("`hemiola models` lists the models, `hemiola models NAME` the parameters and variables of one"))]
    Model(#[from] ModelTextError),

    #[error("{0}")]
    Report(#[from] ReportError),

    #[error("{0}")]
    Mismatch(#[from] MethodMismatch),

    #[error("{model}: there is no solution to compare with: {outcome}")]
    #[diagnostic(help(
        "it is computed with an explicit method: a stiff problem takes too many steps, a shorter span (--to) fewer"
    ))]
    NoReference { model: String, outcome: String },

    #[error("{option} goes with {with}")]
    Contradiction { option: &'static str, with: &'static str },

    #[error("interrupted: {done} of {} were found", counted(*.asked, "polynomial"))]
    InterruptedTable { done: usize, asked: usize },

    #[error("{0}")]
    Design(#[from] DesignError),

    #[error("{id}: {problem}")]
    #[diagnostic(help("`--nearest` takes the nearest point of a family; `hemiola diagnose` looks for a wrong digit"))]
    Polish { id: String, problem: Box<PolishError> },

    #[error("{option} {file}: expected a file name that ends in {expected}")]
    WrongEnding { option: &'static str, file: PathBuf, expected: &'static str },

    #[error("{option} {file}: this build writes no {}: build with --features {feature}", .feature.to_uppercase())]
    NotBuilt { option: &'static str, file: PathBuf, feature: String },

    #[error(
        "--output {file}: the name is to be the method's id; expected lower-case words joined by hyphens, and .json"
    )]
    NoId { file: PathBuf },

    #[error("{option} {found:?}: expected lower-case words of letters and digits joined by hyphens")]
    NotAnId { option: &'static str, found: String },

    #[error("{option} {}: expected a lower and a higher number", listed(.ends))]
    EmptyRange { option: &'static str, ends: Vec<f64> },

    #[error("{folder}: there is no method file (*.json) in this folder")]
    EmptyFolder { folder: PathBuf },

    #[error("{folder}: {problem}")]
    Folder { folder: PathBuf, problem: io::Error },

    #[error("{option} is about one method; there are {found}")]
    #[diagnostic(help("write one file for each method"))]
    NotOneMethod { option: &'static str, found: usize },

    #[error("interrupted: {checked} of {} were checked", counted(*.methods, "method"))]
    Interrupted { checked: usize, methods: usize },

    #[error("{option} {folder}: there is no such folder")]
    NoFolder { option: &'static str, folder: PathBuf },

    #[error("{option}: {}; expected {expected}", counted(*.found, "number"))]
    WrongCount { option: &'static str, expected: usize, found: usize },

    #[error("two design files make the method {id}")]
    #[diagnostic(help("the method takes its id from the design file: rename one of them"))]
    SameMethod { id: String },

    #[error("{file}: the method would take the place of its design")]
    #[diagnostic(help("name design files NAME.design.json, or say with --output where the method goes"))]
    OverDesign { file: PathBuf },

    #[error("interrupted before any start led to a pair")]
    #[diagnostic(help("`hemiola design {} --resume` goes on", .design.display()))]
    InterruptedDesign { design: PathBuf },

    #[error("{file} belongs to another design")]
    #[diagnostic(help(
        "give the options or the design file of the search that was interrupted, or leave --resume out"
    ))]
    OtherSearch { file: PathBuf },

    #[error("interrupted after {done} of {all} iterations: {design} is the best so far")]
    #[diagnostic(help(
        "`hemiola design` makes its method from that file; the same command as before with --resume goes on"
    ))]
    InterruptedTuning { done: u64, all: u64, design: PathBuf },

    #[error("interrupted before the outer search began: nothing is written")]
    InterruptedEarly,

    #[error(transparent)]
    Study(StudyError),

    #[error("--slow-stages {}: expected {slow} increasing stages from 1 to {fast}", listed(.found))]
    SlowStages { found: Vec<usize>, slow: usize, fast: usize },

    #[error("{0}")]
    #[diagnostic(help(
        "`hemiola import --help` shows what is read; `hemiola import FILE --format …` says how the file is written"
    ))]
    Table(String),

    #[error("{file} holds {}: {}", counted(ids.len(), "method"), ids.join(", "))]
    #[diagnostic(help("say which as {file}#ID"))]
    SeveralTables { file: String, ids: Vec<String> },

    #[error("{file} holds no method {id}; expected one of: {}", ids.join(", "))]
    NoTable { file: String, id: String, ids: Vec<String> },

    #[error("{file}: {}", .problem.kind())]
    Input { file: String, problem: io::Error },

    #[error("{file} exists")]
    #[diagnostic(help("`--force` writes over it"))]
    Exists { file: PathBuf },

    #[error("{found} methods were read; expected a folder for their files")]
    #[diagnostic(help("`--folder DIR` writes each of them into a file of its own"))]
    NoFolderForMethods { found: usize },

    // The full text would name the temporary file that takes the file's place once it is complete.
    #[error("{file}: {}", .problem.kind())]
    #[diagnostic(help("the folder must exist, and you must be allowed to write to it"))]
    Write { file: PathBuf, problem: io::Error },

    #[error("cannot write to the standard output: {0}")]
    Output(#[from] io::Error),
}

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Self {
        match error {
            StudyError::Mismatch(error) => error.into(),
            StudyError::Stability(error) => error.into(),
            StudyError::NoClaim { scheme } => Self::NoClaim { id: scheme },
            other => Self::Study(other),
        }
    }
}

impl From<MethodError> for Failure {
    fn from(error: MethodError) -> Self {
        match error {
            MethodError::Unknown { .. } => Self::UnknownMethod(error),
            _ => Self::Method(error),
        }
    }
}

impl Failure {
    /// Whether the reader of the output has seen enough: `hemiola list | head`.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

fn listed(numbers: &[impl ToString]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
