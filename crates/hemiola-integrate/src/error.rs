//! Errors of integrations.

use thiserror::Error;

/// Why a method cannot be run on a system.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MethodMismatch {
    /// The method has neither one partition nor as many as the system.
    #[error("{method} has {found} partitions, but the system has {expected}; expected a method with {}", admissible(*.expected))]
    Partitions {
        /// The method's id.
        method: String,
        /// Its partitions.
        found: usize,
        /// The system's partitions.
        expected: usize,
    },
    /// The system is not divided into a slow and a fast partition.
    #[error("the singular-perturbation scheme needs a slow and a fast partition; the system has {found}")]
    NotSlowAndFast {
        /// The system's partitions.
        found: usize,
    },
    /// The stages are implicit, but an explicit method is needed.
    #[error("{method} is implicit; expected an explicit method")]
    Implicit {
        /// The method's id.
        method: String,
    },
    /// The method has no embedded weights, which the error estimate needs.
    #[error("{method} has no embedded weights; an error estimate needs them in every partition")]
    NoEstimate {
        /// The method's id.
        method: String,
    },
    /// A scheme that omits the couplings from the Jacobian: only its stability can be computed.
    #[error("{scheme}: steps need the full Jacobian; remove `decoupled`")]
    DecoupledSteps {
        /// The scheme.
        scheme: String,
    },
    /// The method has no dense output.
    #[error("{method} has no dense output; it is needed in every partition")]
    NoDenseOutput {
        /// The method's id.
        method: String,
    },
}

/// Why a step failed.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StepError {
    /// A variable became infinite or not a number.
    #[error("a variable is not finite after the step of {} from t = {}", short(*.h), short(*.t))]
    NotFinite {
        /// Where the step began.
        t: f64,
        /// Its size.
        h: f64,
    },
    /// The Newton iterations for the stages did not converge.
    #[error("the stages of the step of {} from t = {} did not converge in {iterations} Newton iterations", short(*.h), short(*.t))]
    NotConverged {
        /// Where the step began.
        t: f64,
        /// Its size.
        h: f64,
        /// The iterations made.
        iterations: usize,
    },
    /// A matrix that has to be inverted is singular.
    #[error("a matrix of the step of {} from t = {} is singular", short(*.h), short(*.t))]
    Singular {
        /// Where the step began.
        t: f64,
        /// Its size.
        h: f64,
    },
    /// Adaptive steps need an error estimate that the stepper does not compute.
    #[error("the stepper computes no error estimate; expected one created with `Extras {{ estimate: true, .. }}`")]
    NoEstimate,
}

/// Six digits, with a power of ten if there would be many zeros.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    let is_plain = rounded == 0.0 || (1e-4..1e7).contains(&rounded.abs());
    if is_plain { rounded.to_string() } else { format!("{rounded:e}") }
}

/// The numbers of partitions that a method may have.
fn admissible(expected: usize) -> String {
    if expected == 1 { "one partition".to_owned() } else { format!("1 or {expected}") }
}
