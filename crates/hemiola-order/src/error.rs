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
    /// The trees would not fit into memory.
    #[error("the trees up to order {order} are more than {limit}; ask for a lower order")]
    TooManyTrees {
        /// The order asked for.
        order: usize,
        /// The most trees and forests that are enumerated.
        limit: usize,
    },
    /// More colours than a set of bits holds.
    #[error("{colours} kinds of nodes were asked for; expected at most 32")]
    TooManyColours {
        /// The number of kinds.
        colours: usize,
    },
    /// Linearised methods have at least one Newton iteration.
    #[error("0 Newton iterations were asked for; expected at least 1")]
    NoIterations,
}
