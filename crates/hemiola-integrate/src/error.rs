//! What can go wrong.

use thiserror::Error;

/// Why a method cannot be run on a system.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MethodMismatch {
    /// The method has neither one partition nor those of the system.
    #[error(
        "{method} has {found} partitions, the system {expected}; expected a method with one partition or with {expected}"
    )]
    Partitions {
        /// The method's id.
        method: String,
        /// Its partitions.
        found: usize,
        /// The system's partitions.
        expected: usize,
    },
    /// The system is not divided into a slow and a fast part.
    #[error("the singular-perturbation scheme needs a slow and a fast partition; the system has {found}")]
    NotSlowAndFast {
        /// The system's partitions.
        found: usize,
    },
    /// The stages depend on each other, where an explicit method is needed.
    #[error("{method} is implicit; expected an explicit method")]
    Implicit {
        /// The method's id.
        method: String,
    },
    /// The method has no embedded weights, which the error estimate takes.
    #[error("{method} has no embedded weights; expected them in every partition for an error estimate")]
    NoEstimate {
        /// The method's id.
        method: String,
    },
    /// A scheme whose steps leave the couplings out of the Jacobian: only its stability is known.
    #[error("{scheme}: steps are made with the whole Jacobian; expected no `decoupled`")]
    DecoupledSteps {
        /// The scheme.
        scheme: String,
    },
    /// The method has no dense output.
    #[error("{method} has no dense output; expected it in every partition")]
    NoDenseOutput {
        /// The method's id.
        method: String,
    },
}

/// Why a step was not made.
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
    /// Newton's iterations for the stages did not converge.
    #[error("the stages of the step of {} from t = {} were not found in {iterations} Newton iterations", short(*.h), short(*.t))]
    NotConverged {
        /// Where the step began.
        t: f64,
        /// Its size.
        h: f64,
        /// The iterations made.
        iterations: usize,
    },
    /// A matrix that the step takes the inverse of is singular.
    #[error("a matrix of the step of {} from t = {} is singular", short(*.h), short(*.t))]
    Singular {
        /// Where the step began.
        t: f64,
        /// Its size.
        h: f64,
    },
    /// Steps were to be chosen by an error estimate that the stepper does not make.
    #[error("the stepper makes no error estimate; expected one made with `Extras {{ estimate: true, .. }}`")]
    NoEstimate,
}

/// Six digits, and powers of ten where there would be many zeros.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    let is_plain = rounded == 0.0 || (1e-4..1e7).contains(&rounded.abs());
    if is_plain { rounded.to_string() } else { format!("{rounded:e}") }
}
