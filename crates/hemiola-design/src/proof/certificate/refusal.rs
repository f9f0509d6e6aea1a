//! Why a certificate does not hold.

use thiserror::Error;

/// Why a certificate does not hold for a method.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// It is about another method.
    #[error("it is about {found}, not {expected}")]
    Method {
        /// The id that it states.
        found: String,
        /// The id of the method.
        expected: String,
    },
    /// It is about another table.
    #[error("it is about the table {found}, but the coefficients have the digest {expected}")]
    Table {
        /// The digest that it states.
        found: String,
        /// The digest of the table.
        expected: String,
    },
    /// Orders, trees, stages or powers make no sense for the table.
    #[error("its {field} are not those of a proof about this table")]
    Field {
        /// The field at fault.
        field: &'static str,
    },
    /// The radius reaches beyond the digits.
    #[error("its radius {radius:e} is larger than a unit of the last printed digit, {unit:e}")]
    Radius {
        /// The radius that it states.
        radius: f64,
        /// A unit of the last digit; zero if the table has no decimals.
        unit: f64,
    },
    /// A bound is smaller than what is found.
    #[error("its {field} {stated:e} is smaller than {found:e}, which is found")]
    Bound {
        /// The field.
        field: &'static str,
        /// The bound that it states.
        stated: f64,
        /// The number.
        found: f64,
    },
    /// No contraction was found on the ball.
    #[error("no contraction is found on the stated ball: nothing shows that a solution lies within it")]
    NoSolution,
    /// Not all conditions follow from those that are imposed.
    #[error("the {what} do not follow from those that are imposed")]
    Open {
        /// Which conditions.
        what: &'static str,
    },
    /// The numbers as written miss conditions that are to hold exactly.
    #[error("the {what} do not hold exactly")]
    NotExact {
        /// Which conditions.
        what: &'static str,
    },
    /// Fewer decimals than stated hold.
    #[error("the {what} do not hold to {decimals} decimals")]
    Decimals {
        /// Which conditions.
        what: &'static str,
        /// The number that it states.
        decimals: u32,
    },
}
