//! The result for one request.

use crate::completion::proof::AbsenceProof;

/// The result for one request.
#[derive(Clone, Debug)]
pub enum CompletionOutcome {
    /// The weights were found.
    Found {
        /// The order: one above the requested one if all embedded weights of the requested order have order q + 1.
        order: usize,
        /// The number of free parameters in all partitions together.
        free: usize,
        /// Whether all partitions have the same weights.
        shared: bool,
    },
    /// No such weights exist.
    Impossible {
        /// The order.
        order: usize,
        /// The name of the partition.
        partition: String,
        /// The stages, from 0, at which the partition is evaluated and the weights may therefore differ from zero.
        stages: Vec<usize>,
        /// The proof.
        proof: AbsenceProof,
    },
    /// The coefficients are not precise enough to decide whether such weights exist.
    Undecided {
        /// The order.
        order: usize,
        /// The name of the partition.
        partition: String,
    },
}

impl CompletionOutcome {
    /// Returns whether the weights were found.
    #[must_use]
    pub fn is_found(&self) -> bool {
        matches!(self, Self::Found { .. })
    }
}
