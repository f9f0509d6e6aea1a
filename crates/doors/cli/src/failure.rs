//! Failures of commands, with hints if possible, and the outcomes of completed commands.

use std::io;
use std::path::PathBuf;

use hemiola::atlas::AtlasError;
use hemiola::design::{DesignError, PolishError};
use hemiola::export::WriteError;
use hemiola::figure::FigureError;
use hemiola::integrate::MethodMismatch;
#[cfg(feature = "motion")]
use hemiola::models::ModelError;
use hemiola::multirate::MultirateError;
#[cfg(feature = "motion")]
use hemiola::optimize::identification::IdentificationError;
#[cfg(feature = "motion")]
use hemiola::optimize::{ControlFileError, ProblemError, RuleError};
use hemiola::order::OrderError;
use hemiola::plot::MapError;
use hemiola::polynomial::PolynomialError;
#[cfg(feature = "motion")]
use hemiola::report::ReportError;
use hemiola::stability::StabilityError;
#[cfg(feature = "motion")]
use hemiola::study::StudyError;
use hemiola::tableau::{MethodError, SchemeError};
use miette::Diagnostic;

#[cfg(feature = "motion")]
use crate::arguments::measurements::MeasurementError;
#[cfg(feature = "motion")]
use crate::arguments::model::ModelTextError;
use crate::arguments::number_file::FileError;
#[cfg(feature = "motion")]
use crate::commands::system::SystemError;
use crate::output::interrupt;
use crate::output::text::counted;

/// Outcome of a command, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CommandOutcome {
    /// Completed, and everything checked is true.
    Done,
    /// A claim or check failed.
    CheckFailed,
    /// Some of the input could not be used.
    BadInput,
    /// Ctrl-C was pressed before everything was done.
    Interrupted = interrupt::EXIT_CODE as isize,
}

/// Reason why a command failed.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub(crate) enum Failure {
    #[error("{0}")]
    #[diagnostic(help("`hemiola list` shows all methods; `hemiola list WORD` shows those with WORD in their name"))]
    UnknownMethod(MethodError),

    #[error("{0}")]
    Method(MethodError),

    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    #[diagnostic(help("`hemiola list` shows all methods; `hemiola list WORD` shows those with WORD in their name"))]
    Several(Vec<Failure>),

    #[error("{model} has {found} partitions; expected two, slow and fast, for a dual-rate pair")]
    #[diagnostic(help("`hemiola models` lists the numbers of slow and fast variables of each model"))]
    NotDualRate { model: String, found: usize },

    #[error("{id}: {problem}")]
    #[diagnostic(help("`--order N` sets the highest order that is checked"))]
    Order { id: String, problem: OrderError },

    #[error("{id} claims no order")]
    #[diagnostic(help("`--order P` sets the order to check"))]
    NoClaim { id: String },

    #[error("{id} has no partition {found:?}; expected one of: {expected}")]
    NoPartition { id: String, found: String, expected: String },

    #[error("{id} has one partition; expected at least two")]
    #[diagnostic(help(
        "`--separable` is for problems in which the derivative of each partition depends only on the other partitions"
    ))]
    NotPartitioned { id: String },

    #[error("--z: {} for {id}; expected {expected}, the rows of Z", counted(*.found, "number"))]
    #[diagnostic(help("a method with one partition takes one number, a pair takes four: --z ZSS ZSF ZFS ZFF"))]
    WrongSize { id: String, expected: usize, found: usize },

    #[error(transparent)]
    Scheme(#[from] SchemeError),

    #[error("--data requires a single slice; there are {slices}")]
    #[diagnostic(help("each slice has its own grid: write one file for each slice"))]
    DataOfSlices { slices: usize },

    #[error("{0}")]
    Stability(#[from] StabilityError),

    #[error("{0}")]
    Figure(#[from] FigureError),

    #[error("{0}")]
    Export(#[from] WriteError),

    #[error("--to trixi writes one file per level; expected --output with a folder")]
    NoTrixiFolder,

    #[error("{0}")]
    Map(#[from] MapError),

    #[error("{0}")]
    Polynomial(#[from] PolynomialError),

    #[error(
        "no certificate: the bound on |R| could not be proved exactly; expected a polished optimum on an axis or a shape"
    )]
    NoCertificate,

    #[error("{file}: {problem}")]
    #[diagnostic(help("`hemiola design` writes the certificate next to the method, as NAME.certificate.json"))]
    Certificate { file: PathBuf, problem: String },

    #[error("{0}")]
    SpectrumFile(#[from] FileError),

    #[cfg(feature = "motion")]
    #[error("{0}")]
    System(#[from] SystemError),

    #[cfg(feature = "motion")]
    #[error("{0}")]
    #[diagnostic(help("{}", .0.help()))]
    Model(#[from] ModelTextError),

    #[cfg(feature = "motion")]
    #[error("{0}")]
    Report(#[from] ReportError),

    #[error("{0}")]
    Atlas(#[from] AtlasError),

    #[error("{0}")]
    Mismatch(#[from] MethodMismatch),

    #[error("{model}: no reference solution: {outcome}")]
    #[diagnostic(help(
        "the reference is computed with an explicit method, which takes too many steps for a stiff problem; try a shorter interval (--to)"
    ))]
    NoReference { model: String, outcome: String },

    #[error("{option} requires {with}")]
    Contradiction { option: &'static str, with: &'static str },

    #[error("interrupted: {done} of {} were computed", counted(*.asked, "polynomial"))]
    InterruptedTable { done: usize, asked: usize },

    #[error("--stages, --order and --damping ask for {asked} polynomials; expected at most {most}")]
    TooManyPolynomials { asked: usize, most: usize },

    #[error("{0}")]
    Design(#[from] DesignError),

    #[error("{id}: {problem}")]
    #[diagnostic(help(
        "`--nearest` selects the nearest point of a family; `hemiola diagnose` searches for a wrong digit"
    ))]
    Polish { id: String, problem: Box<PolishError> },

    #[error("{option} {file}: expected a file name that ends in {expected}")]
    WrongEnding { option: &'static str, file: PathBuf, expected: &'static str },

    #[error("{} and {} both name {file}; expected different files", .options[0], .options[1])]
    SameFile { options: [String; 2], file: PathBuf },

    #[error("{option} and --json both write to standard output; expected a file for one of them")]
    #[diagnostic(help("without --json, the results go to standard error"))]
    JsonBesideFile { option: String },

    #[error("{option} {file}: this build cannot write {}; rebuild with --features {feature}", .feature.to_uppercase())]
    NotBuilt { option: &'static str, file: PathBuf, feature: String },

    #[error(
        "--output {file}: the file name becomes the method's id; expected lower-case words joined by hyphens, followed by .json"
    )]
    NoId { file: PathBuf },

    #[error("{option} {found:?}: expected lower-case words of letters and digits joined by hyphens")]
    NotAnId { option: &'static str, found: String },

    #[error("{option} {}: expected the lower bound first, then a larger upper bound", listed(.ends))]
    EmptyRange { option: &'static str, ends: Vec<f64> },

    #[error("--panels {columns}x{rows}: the grid is too small; expected room for {panels} panels")]
    TooFewPlaces { columns: usize, rows: usize, panels: usize },

    #[error("{folder}: no method file (*.json) in this folder")]
    EmptyFolder { folder: PathBuf },

    #[error("{folder}: no method file (*.json) and no program with tables in this folder")]
    NoTables { folder: PathBuf },

    #[error("{file}: {problem}")]
    #[diagnostic(help("`hemiola lint … --baseline FILE --write-baseline` writes a baseline"))]
    Baseline { file: PathBuf, problem: String },

    #[error("{folder}: {problem}")]
    Folder { folder: PathBuf, problem: io::Error },

    #[error("{option} requires a single method; there are {found}")]
    #[diagnostic(help("write one file for each method"))]
    NotOneMethod { option: &'static str, found: usize },

    #[error(
        "--animate: {model} has no bodies to draw; expected a quarter car, planar-vehicle, hmmwv, sedan, truck, spatial-vehicle or a machine in a file"
    )]
    NoBodies { model: String },

    #[error("--show {show}: {model} has no such output; `hemiola models NAME` lists the outputs of a model")]
    NothingToShow { show: &'static str, model: String },

    #[error("interrupted: {checked} of {} were checked", counted(*.methods, "method"))]
    Interrupted { checked: usize, methods: usize },

    #[error("{option}: found {found} MPI ranks; expected one, because this search is not distributed")]
    ManyRanks { found: usize, option: &'static str },

    #[error("{option} {folder}: no such folder")]
    NoFolder { option: &'static str, folder: PathBuf },

    #[error("{option}: {}; expected {expected}", counted(*.found, "number"))]
    WrongCount { option: &'static str, expected: usize, found: usize },

    #[error("--for needs a target error: add --error E")]
    NoErrorWanted,

    #[error("--for {model}: the model has one part; expected at least two coupled parts")]
    NoParts { model: String },

    #[error("two design files produce the method {id}")]
    #[diagnostic(help("the method's id comes from the name of the design file: rename one of the files"))]
    SameMethod { id: String },

    #[error("{file}: the method would overwrite its design")]
    #[diagnostic(help("name design files NAME.design.json, or choose the method's file with --output"))]
    OverDesign { file: PathBuf },

    #[error("{file}: another process is writing this file")]
    #[diagnostic(help("wait until that process ends, or choose another file with --output"))]
    Claimed { file: PathBuf },

    #[error("interrupted before the family was finished; no file is written")]
    InterruptedFamily,

    #[error("{file} belongs to another design")]
    #[diagnostic(help("--force overwrites it, --output names another file"))]
    OtherFamily { file: PathBuf },

    #[error("interrupted before any start led to a pair")]
    #[diagnostic(help("resume with `hemiola design {} --resume`", .design.display()))]
    InterruptedDesign { design: PathBuf },

    #[error("{file} belongs to another design")]
    #[diagnostic(help("repeat the options or the design file of the interrupted search, or omit --resume"))]
    OtherSearch { file: PathBuf },

    #[error("{file} and {first} belong to different searches")]
    #[diagnostic(help("shares of one search have the same design, starts and seed"))]
    OtherShare { file: PathBuf, first: PathBuf },

    #[error("start {number} has a different result in {file} than in an earlier share")]
    #[diagnostic(help(
        "recompute one of the shares: the result of a start depends only on the design and on its number"
    ))]
    Disagreement { number: usize, file: PathBuf },

    #[error("{missing} of {all} starts are missing from the shares; the first is start {first}")]
    #[diagnostic(help("add the other shares, or compute the missing starts here with --finish"))]
    MissingStarts { missing: usize, all: usize, first: usize },

    #[error("interrupted after {done} of {all} iterations: {design} is the best so far")]
    #[diagnostic(help(
        "`hemiola design` with this file produces its method; repeat the command with --resume to continue"
    ))]
    InterruptedTuning { done: u64, all: u64, design: PathBuf },

    #[error("interrupted before the outer search began: nothing was written")]
    InterruptedEarly,

    #[cfg(feature = "motion")]
    #[error("{0}")]
    Problem(#[from] ProblemError),

    #[error("no problem to optimize; expected lane-change or a file")]
    NoProblem,

    #[cfg(feature = "motion")]
    #[error("{0}")]
    #[diagnostic(help("problems/schema.json describes the format; the same folder contains examples"))]
    ControlFile(#[from] ControlFileError),

    #[cfg(feature = "motion")]
    #[error("{0}")]
    Rule(RuleError),

    #[cfg(feature = "motion")]
    #[error("{0}")]
    Identification(#[from] IdentificationError),

    #[cfg(feature = "motion")]
    #[error("--free: {0}")]
    #[diagnostic(help("`hemiola models NAME` lists the parameters of a library model"))]
    Identified(ModelError),

    #[cfg(feature = "motion")]
    #[error("{0}")]
    Measurements(#[from] MeasurementError),

    #[error("{option} names `{found}`; expected one of: {expected}")]
    NoSuchName { option: &'static str, found: String, expected: String },

    #[error("--deviations: no value for {variable}; expected one for each measured variable, or one for all")]
    NoDeviation { variable: String },

    #[cfg(feature = "motion")]
    #[error(transparent)]
    Study(StudyError),

    #[error("--slow-stages {}: expected {slow} stages in increasing order, from 1 to {fast}", listed(.found))]
    SlowStages { found: Vec<usize>, slow: usize, fast: usize },

    #[error("{0}")]
    #[diagnostic(help("`hemiola import --help` lists the formats; `hemiola import FILE --format …` selects one"))]
    Table(String),

    #[error("{file} contains {}: {}", counted(ids.len(), "method"), ids.join(", "))]
    #[diagnostic(help("select one with {file}#ID"))]
    SeveralTables { file: String, ids: Vec<String> },

    #[error("{file} contains no method {id}; expected one of: {}", ids.join(", "))]
    NoTable { file: String, id: String, ids: Vec<String> },

    #[error("{method} has no pair `{found}`; expected two different partitions, by number or name: {}", partitions.join(", "))]
    NoPair { method: String, found: String, partitions: Vec<String> },

    #[error("{0}")]
    MultirateMethod(MultirateError),

    #[error("{id} is a multirate method; expected an ordinary one")]
    #[diagnostic(help(
        "`{id}:inner=kutta-3,substeps=4` is the ordinary method with four steps of kutta-3 in each interval"
    ))]
    Multirate { id: String },

    #[error("found {found:?}; expected NAME:inner=METHOD,substeps=M with a number of substeps M")]
    NotARealization { found: String },

    #[error("{name} is not a multirate method; expected multirate methods only, beside {multirate}")]
    #[diagnostic(help("check ordinary methods in a command of their own"))]
    MixedMethods { multirate: String, name: String },

    #[error("{option} does not apply to the multirate method {id}")]
    NotForMultirate { option: &'static str, id: String },

    #[error("{file}: {}", .problem.kind())]
    Input { file: String, problem: io::Error },

    #[error("{file}: {problem}")]
    #[diagnostic(help("drawing commands write a figure file if their output file ends in .json"))]
    FigureFile { file: PathBuf, problem: FigureError },

    #[error("{file} already exists")]
    #[diagnostic(help("`--force` overwrites it"))]
    Exists { file: PathBuf },

    #[error("{found} methods were read, but no folder for their files was given")]
    #[diagnostic(help("`--folder DIR` writes each method to its own file"))]
    NoFolderForMethods { found: usize },

    // The full message would name the temporary file, which replaces the target once it is complete.
    #[error("{file}: {}", .problem.kind())]
    #[diagnostic(help("the folder must exist and be writable"))]
    Write { file: PathBuf, problem: io::Error },

    #[cfg(not(feature = "motion"))]
    #[error("{subject}: this build has no models; rebuild with --features motion")]
    NoModels { subject: String },

    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

#[cfg(feature = "motion")]
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

impl From<MultirateError> for Failure {
    fn from(error: MultirateError) -> Self {
        match error {
            MultirateError::Method(error) => error.into(),
            _ => Self::MultirateMethod(error),
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
    /// Returns whether the reader of the output has closed the pipe: `hemiola list | head`.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

fn listed(numbers: &[impl ToString]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
