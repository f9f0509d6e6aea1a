//! Errors of polishing.

use hemiola_order::OrderError;
use hemiola_tableau::MethodError;
use thiserror::Error;

/// A reason why a table cannot be polished.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PolishError {
    /// The table has no rounded decimals.
    #[error(
        "no coefficient is a rounded decimal: integers, fractions, roots, decimals such as 0.375 and tables of one or \
         two digits are taken as exact; expected decimals of three digits or more"
    )]
    NoDecimals,
    /// The number of decimals is out of range.
    #[error("found {found} decimals; expected 1 to 50")]
    Decimals {
        /// The requested number.
        found: usize,
    },
    /// Order 0 was requested, which has no conditions.
    #[error("found order 0; expected at least 1")]
    NoOrder,
    /// There are more conditions than Newton's method with many digits can solve in reasonable time.
    #[error("there are {found} conditions up to order {order}; expected at most {most}; choose a lower order")]
    TooManyConditions {
        /// The order.
        order: usize,
        /// The number of conditions.
        found: u128,
        /// The maximum.
        most: u128,
    },
    /// The conditions leave a family of solutions.
    #[error(
        "the conditions of order {order} leave a family of dimension {dimension} in {unknowns} unknown decimals; the \
         table determines the member only to its own digits"
    )]
    Family {
        /// The order.
        order: usize,
        /// The dimension of the family.
        dimension: usize,
        /// The number of unknowns.
        unknowns: usize,
    },
    /// No solution was found nearby.
    #[error(
        "no solution of the conditions of order {order} was found nearby: the smallest residual reached is {residual:.1e}; expected \
         a table of this order with correct digits"
    )]
    NoSolution {
        /// The order.
        order: usize,
        /// The smallest residual reached.
        residual: f64,
    },
    /// The conditions cannot be set up.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// The polished method is invalid.
    #[error(transparent)]
    Method(#[from] MethodError),
}

impl PolishError {
    /// Returns whether the input is at fault, as opposed to a table without a unique solution nearby.
    #[must_use]
    pub fn is_about_input(&self) -> bool {
        !matches!(self, Self::Family { .. } | Self::NoSolution { .. })
    }
}
