//! Why a design cannot be.

use hemiola_order::OrderError;
use hemiola_polynomial::PolynomialError;
use hemiola_stability::StabilityError;
use hemiola_tableau::MethodError;
use thiserror::Error;

/// Why there is no method for a specification.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DesignError {
    /// The slow part cannot have this order.
    #[error(
        "order {order} was asked of {slow} slow evaluations; an explicit method of order {order} needs at least {needed} \
         (Butcher 2016, §32), and coupling gives the pair the order of its slow part"
    )]
    OrderTooHigh {
        /// The order p.
        order: usize,
        /// The number of slow evaluations.
        slow: usize,
        /// How many that order needs.
        needed: usize,
    },
    /// A number in the specification that makes no sense.
    #[error("{name} is {found}; expected {expected}")]
    OutOfRange {
        /// What the number is.
        name: &'static str,
        /// Its value.
        found: String,
        /// The range.
        expected: &'static str,
    },
    /// Wishes that contradict each other.
    #[error("{wish} cannot be had: {theorem}")]
    Impossible {
        /// What was wished for.
        wish: String,
        /// Why it cannot be.
        theorem: &'static str,
    },
    /// The stages of a finished method leave no such weights.
    #[error("the conditions leave no {what} of order {wanted} to the {part} part of this method")]
    NoWeights {
        /// The part of the pair.
        part: &'static str,
        /// What was asked for.
        what: &'static str,
        /// The order asked for.
        wanted: usize,
    },
    /// A design file asks for what cannot be.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// Why it cannot be.
        problem: Box<DesignError>,
    },
    /// There is no optimal polynomial for the fast part.
    #[error(transparent)]
    Polynomial(#[from] PolynomialError),
    /// The order conditions cannot be set up.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// The stability of a design cannot be told.
    #[error(transparent)]
    Stability(#[from] StabilityError),
    /// The method could not be put together.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// No start led to a solution.
    #[error(
        "{solved} of {starts} starts from seed {seed} satisfied all conditions, but none with the structure that is wanted; \
         try another seed, more starts, more evaluations or fewer wishes"
    )]
    NotFound {
        /// The number of starts.
        starts: usize,
        /// The seed.
        seed: u64,
        /// The starts that satisfied the conditions.
        solved: usize,
    },
}

/// Refuses a number that is out of its range.
pub(crate) fn require(
    holds: bool,
    name: &'static str,
    found: &dyn ToString,
    expected: &'static str,
) -> Result<(), DesignError> {
    if holds { Ok(()) } else { Err(DesignError::OutOfRange { name, found: found.to_string(), expected }) }
}
