//! Why a text is not an expression.

use thiserror::Error;

/// The longest text of an expression.
pub(crate) const LONGEST_TEXT: usize = 500;
/// The deepest nesting of parentheses, signs and functions: bounds the recursion of the parser.
pub(crate) const DEEPEST_NESTING: usize = 50;
/// The largest power that may be written.
pub(crate) const LARGEST_POWER: i32 = 99;

/// Why a text is not an expression, or not the one that was asked for. Places count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExpressionError {
    /// The text stops where something should follow.
    #[error("the text ends where {expected} should follow")]
    UnexpectedEnd {
        /// What could follow.
        expected: &'static str,
    },
    /// A character that does not fit.
    #[error("`{found}` at character {column} is not {expected}")]
    Unexpected {
        /// The character.
        found: char,
        /// Where it stands.
        column: usize,
        /// What could stand there.
        expected: &'static str,
    },
    /// A word that is neither a variable nor a function.
    #[error("`{name}` at character {column} is not known; expected {expected}")]
    UnknownName {
        /// The word.
        name: String,
        /// Where it begins.
        column: usize,
        /// The names that there are.
        expected: String,
    },
    /// A product without a sign after a quotient.
    #[error("the factor at character {column} may belong above or below the bar; expected `a/b*c` or `a/(b*c)`")]
    Ambiguous {
        /// Where the factor begins.
        column: usize,
    },
    /// A number that no double can hold.
    #[error("the number at character {column} is outside the range of doubles")]
    OutOfRange {
        /// Where the number begins.
        column: usize,
    },
    /// A power that is not a small whole number.
    #[error("the power at character {column} is not a whole number from −{LARGEST_POWER} to {LARGEST_POWER}")]
    Power {
        /// Where the exponent begins.
        column: usize,
    },
    /// Too many nested parentheses, signs or functions.
    #[error("nested deeper than {DEEPEST_NESTING} levels at character {column}")]
    TooDeep {
        /// Where the limit is passed.
        column: usize,
    },
    /// A text that is too long.
    #[error("the text has {length} characters, more than {LONGEST_TEXT}")]
    TooLong {
        /// The number of characters.
        length: usize,
    },
    /// A term that is not a polynomial of the degree that was asked for.
    #[error("`{term}` at character {column} is not {expected}")]
    NotPolynomial {
        /// The term.
        term: String,
        /// Where it begins.
        column: usize,
        /// What it should be.
        expected: &'static str,
    },
    /// A division by zero, or numbers that overflow.
    #[error("the value is not finite")]
    NotFinite,
}
