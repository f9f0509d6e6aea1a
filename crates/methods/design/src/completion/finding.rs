//! The result for one request.

use crate::completion::proof::AbsenceProof;

/// The result for one request.
#[derive(Clone, Debug)]
pub enum CompletionOutcome {
    /// The weights were found.
    Found {
        /// The order that the order check verifies. It may exceed that of the conditions.
        order: usize,
        /// The order of the conditions that were solved: above the requested one if all embedded weights of the
        /// requested order have the higher order.
        conditions: usize,
        /// The number of parameters that these conditions leave free in all partitions together.
        free: usize,
        /// Whether all partitions have the same weights.
        shared: bool,
        /// The polynomials to which a dense output was restricted; `None` for weights, and for polynomials that are
        /// unique at any degree.
        class: Option<PolynomialClass>,
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

/// The polynomials among which a dense output was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolynomialClass {
    /// The highest degree.
    pub degree: usize,
    /// Whether the derivative is that of the solution at both ends of the step, where these evaluations exist.
    pub is_smooth: bool,
}

impl CompletionOutcome {
    /// Returns whether the weights were found.
    #[must_use]
    pub fn is_found(&self) -> bool {
        matches!(self, Self::Found { .. })
    }
}
