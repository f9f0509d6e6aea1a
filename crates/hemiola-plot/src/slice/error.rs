//! What is wrong with the text of a slice.

use thiserror::Error;

use crate::expression::ExpressionError;

/// What is wrong with the text of a slice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SliceError {
    /// None of the slices.
    #[error("`{found}` is not a slice; expected {expected}")]
    Unknown {
        /// The name found.
        found: String,
        /// The names that there are.
        expected: String,
    },
    /// A part that is not `key=value`.
    #[error("`{found}` is not of the form key=value; expected `{expected}`")]
    NotAPair {
        /// The part.
        found: String,
        /// How the slice is written.
        expected: &'static str,
    },
    /// A key that the slice does not have.
    #[error("unknown key `{key}`; expected `{expected}`")]
    UnknownKey {
        /// The key.
        key: String,
        /// How the slice is written.
        expected: &'static str,
    },
    /// A key that is given twice.
    #[error("`{key}` is given twice")]
    Repeated {
        /// The key.
        key: String,
    },
    /// Two keys that have several values each.
    #[error("`{first}` and `{second}` both have several values; expected one key with several values")]
    TwoLists {
        /// One key.
        first: String,
        /// The other.
        second: String,
    },
    /// Several values of a key that takes one.
    #[error("`{key}` takes one value")]
    OneValue {
        /// The key.
        key: &'static str,
    },
    /// A value that is given twice.
    #[error("the value `{value}` of `{key}` is given twice")]
    RepeatedValue {
        /// The key.
        key: String,
        /// The value.
        value: String,
    },
    /// A key without which there is no slice.
    #[error("`{key}` is missing; expected `{expected}`")]
    Missing {
        /// The key.
        key: &'static str,
        /// How the slice is written.
        expected: &'static str,
    },
    /// Two keys that say the same.
    #[error("`{first}` and `{second}` both give the coupling; expected one of `w`, `g` and the two `sf`, `fs`")]
    Contradiction {
        /// One key.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// A value that does not fit.
    #[error("the value of `{key}`, `{found}`, is not {expected}")]
    Value {
        /// The key.
        key: &'static str,
        /// The text of the value.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A value that is not an expression, or not of the kind that fits.
    #[error("the value of `{key}`, `{found}`: {fault}")]
    Expression {
        /// The key.
        key: &'static str,
        /// The text of the value.
        found: String,
        /// What is wrong with it, and where.
        #[source]
        fault: ExpressionError,
    },
}
