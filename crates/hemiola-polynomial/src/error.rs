//! Requests that have no answer.

use thiserror::Error;

use crate::Axis;

/// Why there is no optimal polynomial for a request.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolynomialError {
    /// The order exceeds the degree, or one of them is zero.
    #[error("order {order} was asked of {stages} stages; expected 1 ≤ order ≤ stages")]
    OrderExceedsStages {
        /// The number of stages s.
        stages: usize,
        /// The order p.
        order: usize,
    },
    /// More stages than exact coefficients are computed for.
    #[error("{stages} stages were asked for; expected at most {most}")]
    TooManyStages {
        /// The number of stages s.
        stages: usize,
        /// The largest number there is.
        most: usize,
    },
    /// No polynomial is stable on any interval from the origin.
    #[error(
        "no polynomial of {stages} stages and order {order} is stable on an interval of the imaginary axis: \
         |R(iy)|² − 1 begins with a positive power of y"
    )]
    NoPositiveLimit {
        /// The number of stages s.
        stages: usize,
        /// The order p.
        order: usize,
    },
    /// The optimum is not known in closed form.
    #[error(
        "no closed form is known for {stages} stages of order {order} on the {axis}; known are: imaginary axis, \
         order 1, order 2, and orders 3 and 4 with an even number of stages; negative real axis, order 1"
    )]
    NoClosedForm {
        /// The axis.
        axis: Axis,
        /// The number of stages s.
        stages: usize,
        /// The order p.
        order: usize,
    },
}
