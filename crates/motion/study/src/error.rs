//! Errors of studies.

use hemiola_integrate::{MethodMismatch, Outcome};
use hemiola_stability::StabilityError;
use hemiola_tableau::MethodError;
use thiserror::Error;

/// A reason why a study has no results.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StudyError {
    /// A scheme does not fit the model.
    #[error(transparent)]
    Mismatch(#[from] MethodMismatch),
    /// The stability of a method on a system could not be determined.
    #[error(transparent)]
    Stability(#[from] StabilityError),
    /// A simulation cannot solve the fast part of a multirate method exactly.
    #[error(
        "{id} has an exact fast part, which cannot be simulated; expected {id}:inner=METHOD,substeps=M, or no simulation"
    )]
    ExactFlow {
        /// The id of the method.
        id: String,
    },
    /// Adapting steps by doubling requires an order.
    #[error("{scheme} claims no order; adaptive steps require one")]
    NoClaim {
        /// The scheme.
        scheme: String,
    },
    /// A number is out of its range.
    #[error("found {name} {found}; expected {expected}")]
    OutOfRange {
        /// The name of the number.
        name: &'static str,
        /// The number.
        found: String,
        /// The accepted numbers.
        expected: &'static str,
    },
    /// A method of the library is missing or invalid.
    #[error("{0}")]
    Method(String),
    /// The run has too many equal steps to finish in acceptable time.
    #[error("{steps} equal steps of {scheme} take too long; expected at most {most} for this model")]
    TooManySteps {
        /// The scheme.
        scheme: String,
        /// The number of steps.
        steps: u64,
        /// The maximum.
        most: u64,
    },
    /// The states of a run do not fit into memory.
    #[error("{scheme}: more than {most} states to keep; expected fewer steps, or a larger tolerance")]
    TooManyStates {
        /// The scheme.
        scheme: String,
        /// The maximum.
        most: usize,
    },
    /// There is no reference solution.
    #[error("no reference solution: {outcome:?}")]
    NoReference {
        /// The outcome of its run; [`Outcome::Stopped`] if the time limit was reached.
        outcome: Outcome,
    },
    /// The study was interrupted before there was a reference solution.
    #[error("interrupted before the reference solution was computed")]
    InterruptedReference,
}

impl From<MethodError> for StudyError {
    fn from(error: MethodError) -> Self {
        Self::Method(error.to_string())
    }
}

/// Returns an error unless a number is in its range.
pub(crate) fn require(
    holds: bool,
    name: &'static str,
    found: &impl ToString,
    expected: &'static str,
) -> Result<(), StudyError> {
    if holds { Ok(()) } else { Err(StudyError::OutOfRange { name, found: found.to_string(), expected }) }
}

/// Returns an error unless a number is positive, normal and finite.
pub(crate) fn require_positive(name: &'static str, found: f64) -> Result<(), StudyError> {
    require(found >= f64::MIN_POSITIVE && found.is_finite(), name, &format!("{found:e}"), "a finite number > 0")
}
