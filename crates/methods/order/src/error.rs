//! Errors of order computations.

use thiserror::Error;

use crate::diagnose::claim::Claim;

/// Errors of an order computation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OrderError {
    /// The order exceeds the limit of densities in 64 bits.
    #[error("found order {order}; expected at most {highest}")]
    OrderTooHigh {
        /// The requested order.
        order: usize,
        /// The highest order supported.
        highest: usize,
    },
    /// There are too many trees to enumerate.
    #[error("there are {count} trees up to order {order}; expected at most {limit}; choose a lower order")]
    TooManyTrees {
        /// The requested order.
        order: usize,
        /// The number of trees up to that order.
        count: u128,
        /// The maximum number.
        limit: u128,
    },
    /// A check would take hours.
    #[error(
        "there are {conditions} conditions up to order {order}; expected at most {most} for {stages} stages, which may take an hour; \
         choose a lower order"
    )]
    TooMuchWork {
        /// The requested order.
        order: usize,
        /// The number of conditions up to that order.
        conditions: u128,
        /// The number of stages.
        stages: usize,
        /// The maximum number of conditions for this number of stages.
        most: u128,
    },
    /// A claim would take too long to check.
    #[error(
        "the claim of order {claimed} has {conditions} conditions; expected at most {most} for {stages} stages, unless the order to check \
         is specified explicitly"
    )]
    ClaimTooHigh {
        /// The claimed order.
        claimed: usize,
        /// The number of its conditions, including those of the next order.
        conditions: u128,
        /// The number of stages.
        stages: usize,
        /// The maximum number of conditions for this number of stages.
        most: u128,
    },
    /// A check needs too much memory.
    #[error(
        "a check up to order {order} takes {bytes} bytes of memory for {stages} stages; expected at most {most}; choose a lower order"
    )]
    TooMuchMemory {
        /// The requested order.
        order: usize,
        /// The number of stages.
        stages: usize,
        /// The size of its tables in bytes.
        bytes: u128,
        /// The maximum size in bytes.
        most: u128,
    },
    /// A tolerance is negative or not finite.
    #[error("found the tolerance {tolerance}; expected a finite number ≥ 0")]
    Tolerance {
        /// The tolerance.
        tolerance: String,
    },
    /// The receiver of progress stopped the computation.
    #[error("interrupted")]
    Interrupted,
    /// There are more than 32 kinds of nodes.
    #[error("found {colors} kinds of nodes; expected at most 32")]
    TooManyColors {
        /// The number of kinds.
        colors: usize,
    },
    /// The number of Newton iterations is out of range: linearized methods have at least one, and more than a thousand
    /// have no effect.
    #[error("found {found} Newton iterations; expected 1 to {most}")]
    Iterations {
        /// The number found.
        found: usize,
        /// The maximum.
        most: usize,
    },
    /// The method does not have this partition.
    #[error("found partition {partition}; expected 0 to {}", partitions - 1)]
    NoPartition {
        /// The requested partition, counted from 0.
        partition: usize,
        /// The number of partitions, at least one.
        partitions: usize,
    },
    /// No tried prime has residues for the coefficients.
    #[error(
        "the square roots of the coefficients have no residues modulo any of {tried} primes; expected fewer different roots"
    )]
    NoPrime {
        /// The number of primes that were tried.
        tried: usize,
    },
    /// The stability polynomial of an explicit method does not have this power.
    #[error("found a coefficient of z^{power}; expected powers from 1 to {stages}, the number of stages")]
    NoPower {
        /// The power.
        power: usize,
        /// The number of stages.
        stages: usize,
    },
    /// A claim refers to weights that the method does not have.
    #[error("the method has no weights for a claim about its {claim}")]
    NoWeights {
        /// The claim.
        claim: Claim,
    },
    /// There are more embedded weights or powers of θ than a search for misprints handles.
    #[error("found {weights} additional sets of weights; expected at most 16 together with the partitions")]
    TooManyWeights {
        /// The number of embedded weights or of powers of θ, over all partitions.
        weights: usize,
    },
    /// There are too many entries to test in pairs.
    #[error("{entries} entries may be wrong; expected at most {limit}; specify which partitions are correct")]
    TooManyEntries {
        /// The number of entries.
        entries: usize,
        /// The maximum number.
        limit: usize,
    },
    /// The text is not a tree.
    #[error("`{text}` is not a tree; expected {expected} at character {position}")]
    TreeText {
        /// The text.
        text: String,
        /// The position, in characters from 1.
        position: usize,
        /// The expected token there.
        expected: &'static str,
    },
}
