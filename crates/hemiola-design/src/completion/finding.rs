//! What became of a wish.

use crate::completion::proof::Proof;

/// What became of a wish.
#[derive(Clone, Debug)]
pub enum Finding {
    /// There is what was asked for.
    Found {
        /// The order: one above what was asked for where all embedded weights of that order have the next one as well.
        order: usize,
        /// How many parameters the conditions leave in all partitions together.
        free: usize,
        /// Whether all partitions have the same.
        shared: bool,
    },
    /// There is nothing of this kind.
    Impossible {
        /// The order.
        order: usize,
        /// The name of the partition.
        partition: String,
        /// The stages, from 0, at which weights may differ from zero: where it is evaluated anyway.
        stages: Vec<usize>,
        /// Why.
        proof: Proof,
    },
    /// The precision of the coefficients does not tell whether there is.
    Undecided {
        /// The order.
        order: usize,
        /// The name of the partition.
        partition: String,
    },
}

impl Finding {
    /// Whether there is what was asked for.
    #[must_use]
    pub fn is_found(&self) -> bool {
        matches!(self, Self::Found { .. })
    }
}
