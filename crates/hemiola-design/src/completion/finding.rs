//! The result for one request.

use crate::completion::proof::Proof;

/// The result for one request.
#[derive(Clone, Debug)]
pub enum Finding {
    /// The weights were found.
    Found {
        /// The order: one above the requested one if all embedded weights of that order have the next one as well.
        order: usize,
        /// The number of parameters that the conditions leave in all partitions together.
        free: usize,
        /// Whether all partitions have the same.
        shared: bool,
    },
    /// No such weights exist.
    Impossible {
        /// The order.
        order: usize,
        /// The name of the partition.
        partition: String,
        /// The stages, from 0, at which weights may be nonzero: those evaluated anyway.
        stages: Vec<usize>,
        /// Why.
        proof: Proof,
    },
    /// The precision of the coefficients does not decide whether such weights exist.
    Undecided {
        /// The order.
        order: usize,
        /// The name of the partition.
        partition: String,
    },
}

impl Finding {
    /// Whether the weights were found.
    #[must_use]
    pub fn is_found(&self) -> bool {
        matches!(self, Self::Found { .. })
    }
}
