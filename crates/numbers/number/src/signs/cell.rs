//! The cells of proofs.

use dashu::rational::RBig;

/// A closed interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofCell {
    /// The left end.
    pub low: RBig,
    /// The right end.
    pub high: RBig,
}
