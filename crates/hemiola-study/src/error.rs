//! Why there is nothing to say of a method on a model.

use hemiola_integrate::{MethodMismatch, Outcome};
use hemiola_stability::StabilityError;
use thiserror::Error;

/// Why a study has no results.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StudyError {
    /// A scheme does not fit the model.
    #[error(transparent)]
    Mismatch(#[from] MethodMismatch),
    /// The stability of a method on a system was not found.
    #[error(transparent)]
    Stability(#[from] StabilityError),
    /// Steps cannot be adapted by doubling without an order.
    #[error("{scheme} claims no order")]
    NoClaim {
        /// The scheme.
        scheme: String,
    },
    /// There is no solution to compare with.
    #[error("there is no solution to compare with: {outcome:?}")]
    NoReference {
        /// How its run ended; [`Outcome::Stopped`] where its time was up.
        outcome: Outcome,
    },
    /// The work was interrupted before there was a solution to compare with.
    #[error("interrupted before there was a solution to compare with")]
    InterruptedReference,
}
