//! Syntax and evaluation errors of expressions.

use thiserror::Error;

/// Maximum length of an expression in characters.
pub(crate) const LONGEST_TEXT: usize = 500;
/// Maximum nesting depth of parentheses, signs and functions, which bounds the recursion of the parser.
pub(crate) const DEEPEST_NESTING: usize = 50;
/// Largest exponent.
pub(crate) const LARGEST_POWER: i32 = 99;

/// Error in the text of an expression. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExpressionError {
    /// The text ends prematurely.
    #[error("the text ends; expected {expected}")]
    UnexpectedEnd {
        /// Expected continuation.
        expected: &'static str,
    },
    /// Unexpected character.
    #[error("`{found}` at character {column} is not {expected}")]
    Unexpected {
        /// The character.
        found: char,
        /// Its column.
        column: usize,
        /// Expected alternatives.
        expected: &'static str,
    },
    /// Word that is neither a variable nor a function.
    #[error("`{name}` at character {column} is not known; expected {expected}")]
    UnknownName {
        /// The word.
        name: String,
        /// Its first column.
        column: usize,
        /// The valid names.
        expected: String,
    },
    /// Implicit product after a quotient.
    #[error(
        "the factor at character {column} may belong to the numerator or to the denominator; expected `a/b*c` or `a/(b*c)`"
    )]
    Ambiguous {
        /// First column of the factor.
        column: usize,
    },
    /// Number outside the range of doubles.
    #[error("the number at character {column} is outside the range of doubles")]
    OutOfRange {
        /// First column of the number.
        column: usize,
    },
    /// Exponent that is not a small integer.
    #[error("the power at character {column} is not a whole number from −{LARGEST_POWER} to {LARGEST_POWER}")]
    Power {
        /// First column of the exponent.
        column: usize,
    },
    /// Parentheses, signs or functions nested too deeply.
    #[error("nested deeper than {DEEPEST_NESTING} levels at character {column}")]
    TooDeep {
        /// Column at which the limit is exceeded.
        column: usize,
    },
    /// Text that is too long.
    #[error("the text has {length} characters, more than {LONGEST_TEXT}")]
    TooLong {
        /// The number of characters.
        length: usize,
    },
    /// Term that is not a polynomial of the required degree.
    #[error("`{term}` at character {column} is not {expected}")]
    NotPolynomial {
        /// The term.
        term: String,
        /// Its first column.
        column: usize,
        /// Expected kind of term.
        expected: &'static str,
    },
    /// Division by zero or overflow.
    #[error("the value is not finite")]
    NotFinite,
}
