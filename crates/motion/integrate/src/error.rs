//! Errors of steppers and integrations.

use thiserror::Error;

/// Mismatch between a method and a system.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MethodMismatch {
    /// The method has neither one partition nor the number of partitions of the system.
    #[error("{method} has {found} partitions, but the system has {expected}; expected a method with {}", admissible(*.expected))]
    Partitions {
        /// The method's id.
        method: String,
        /// The method's number of partitions.
        found: usize,
        /// The system's number of partitions.
        expected: usize,
    },
    /// The system is not divided into a slow and a fast partition.
    #[error("the singular-perturbation scheme needs a slow and a fast partition; the system has {found}")]
    NotSlowAndFast {
        /// The system's number of partitions.
        found: usize,
    },
    /// The stages are implicit where an explicit method is required.
    #[error("{method} is implicit; expected an explicit method")]
    Implicit {
        /// The method's id.
        method: String,
    },
    /// The method has no embedded weights, which an error estimate requires.
    #[error("{method} has no embedded weights; an error estimate needs them in every partition")]
    NoEstimate {
        /// The method's id.
        method: String,
    },
    /// The scheme omits the couplings from the Jacobian. Only its stability can be computed.
    #[error("{scheme}: steps need the full Jacobian; remove `decoupled`")]
    DecoupledSteps {
        /// The scheme.
        scheme: String,
    },
    /// A multirate method has stages whose fast and slow parts must be solved together.
    #[error("{message}")]
    Coupled {
        /// The stage, and what is expected of it.
        message: String,
    },
    /// The inner method of a multirate method has several partitions.
    #[error("the inner method {method} has {found} partitions; expected one")]
    InnerPartitions {
        /// The id of the inner method.
        method: String,
        /// The number of its partitions.
        found: usize,
    },
    /// The number of micro-steps in an interval is out of range.
    #[error("found {found} micro-steps in an interval; expected 1 to {most}")]
    MicroSteps {
        /// The number.
        found: usize,
        /// The maximum.
        most: usize,
    },
    /// The method has no dense output.
    #[error("{method} has no dense output; it is needed in every partition")]
    NoDenseOutput {
        /// The method's id.
        method: String,
    },
}

/// Failure of a step.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StepError {
    /// A variable became infinite or NaN.
    #[error("a variable is not finite after the step of {} from t = {}", short(*.h), short(*.t))]
    NotFinite {
        /// The time at the beginning of the step.
        t: f64,
        /// The step size.
        h: f64,
    },
    /// The Newton iterations of the stages did not converge.
    #[error("the stages of the step of {} from t = {} did not converge in {iterations} Newton iterations", short(*.h), short(*.t))]
    NotConverged {
        /// The time at the beginning of the step.
        t: f64,
        /// The step size.
        h: f64,
        /// The number of iterations.
        iterations: usize,
    },
    /// A matrix to be inverted is singular.
    #[error("a matrix of the step of {} from t = {} is singular", short(*.h), short(*.t))]
    Singular {
        /// The time at the beginning of the step.
        t: f64,
        /// The step size.
        h: f64,
    },
    /// The tolerance requires micro-steps that are too small or too many.
    #[error("the fast system of the interval of {} from t = {} needs micro-steps that are too small or too many", short(*.h), short(*.t))]
    MicroSteps {
        /// The time at the beginning of the interval.
        t: f64,
        /// The length of the interval.
        h: f64,
    },
    /// Adaptive steps require an error estimate, which the stepper does not compute.
    #[error("the stepper computes no error estimate; expected one created with `Extras {{ estimate: true, .. }}`")]
    NoEstimate,
}

/// Formats a number with six digits, in scientific notation if there would be many zeros.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    let is_plain = rounded == 0.0 || (1e-4..1e7).contains(&rounded.abs());
    if is_plain { rounded.to_string() } else { format!("{rounded:e}") }
}

/// Describes the numbers of partitions a method may have.
fn admissible(expected: usize) -> String {
    if expected == 1 { "one partition".to_owned() } else { format!("1 or {expected}") }
}
