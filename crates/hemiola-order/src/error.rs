//! What can go wrong with a question about order.

use thiserror::Error;

/// Why an order question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OrderError {
    /// The order is beyond what densities in 64 bits allow.
    #[error("order {order} was asked for; expected at most {highest}")]
    OrderTooHigh {
        /// The order asked for.
        order: usize,
        /// The highest order there is.
        highest: usize,
    },
    /// The trees are too many to go through.
    #[error("there are {count} trees up to order {order}; expected at most {limit}: ask for a lower order")]
    TooManyTrees {
        /// The order asked for.
        order: usize,
        /// The number of trees up to that order.
        count: u128,
        /// The most that are gone through.
        limit: u128,
    },
    /// More colors than a set of bits holds.
    #[error("{colors} kinds of nodes were asked for; expected at most 32")]
    TooManyColors {
        /// The number of kinds.
        colors: usize,
    },
    /// Linearized methods have at least one Newton iteration.
    #[error("0 Newton iterations were asked for; expected at least 1")]
    NoIterations,
    /// A partition that a method does not have.
    #[error("partition {partition} was asked for; expected one of 0 to {}", partitions - 1)]
    NoPartition {
        /// The partition asked for, counted from 0.
        partition: usize,
        /// The number of partitions, at least one.
        partitions: usize,
    },
    /// No prime in which the coefficients have residues.
    #[error("none of {tried} primes suits the square roots of the coefficients; expected fewer different roots")]
    NoPrime {
        /// The number of primes that were tried.
        tried: usize,
    },
    /// A power that the stability polynomial of an explicit method does not have.
    #[error("a coefficient of z^{power} was given; expected powers from 1 to {stages}, the number of stages")]
    NoPower {
        /// The power.
        power: usize,
        /// The number of stages.
        stages: usize,
    },
    /// More entries than can be suspected in pairs.
    #[error("{entries} entries may be in error; expected at most {limit}: say which partitions are right")]
    TooManyEntries {
        /// The number of entries.
        entries: usize,
        /// The most that are looked at.
        limit: usize,
    },
    /// A text that is not a tree.
    #[error("`{text}` is not a tree: at character {position} expected {expected}")]
    TreeText {
        /// The text.
        text: String,
        /// The place, in characters from 1.
        position: usize,
        /// What was expected there.
        expected: &'static str,
    },
}
