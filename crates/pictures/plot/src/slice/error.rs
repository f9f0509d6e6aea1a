//! Errors in the text of a slice.

use thiserror::Error;

use crate::expression::ExpressionError;

/// Error in the text of a slice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SliceError {
    /// Unknown kind of slice.
    #[error("`{found}` is not a slice; expected {expected}")]
    Unknown {
        /// The name found.
        found: String,
        /// The valid names.
        expected: String,
    },
    /// Part that is not of the form `key=value`.
    #[error("`{found}` is not of the form key=value; expected `{expected}`")]
    NotAPair {
        /// The part.
        found: String,
        /// Syntax of the slice.
        expected: &'static str,
    },
    /// Key that the slice does not have.
    #[error("unknown key `{key}`; expected `{expected}`")]
    UnknownKey {
        /// The key.
        key: String,
        /// Syntax of the slice.
        expected: &'static str,
    },
    /// Key that is given twice.
    #[error("`{key}` is given twice")]
    Repeated {
        /// The key.
        key: String,
    },
    /// Two keys with several values each.
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
    /// Value that is given twice.
    #[error("the value `{value}` of `{key}` is given twice")]
    RepeatedValue {
        /// The key.
        key: String,
        /// The value.
        value: String,
    },
    /// Missing key.
    #[error("`{key}` is missing; expected `{expected}`")]
    Missing {
        /// The key.
        key: &'static str,
        /// Syntax of the slice.
        expected: &'static str,
    },
    /// Two keys that specify the same quantity.
    #[error("`{first}` and `{second}` both give the coupling; expected `w`, or `g`, or `sf` and `fs`")]
    Contradiction {
        /// One key.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// Invalid value.
    #[error("the value of `{key}`, `{found}`, is not {expected}")]
    Value {
        /// The key.
        key: &'static str,
        /// The text of the value.
        found: String,
        /// Expected kind of value.
        expected: &'static str,
    },
    /// Value that is not an expression of the required kind.
    #[error("the value of `{key}`, `{found}`: {fault}")]
    Expression {
        /// The key.
        key: &'static str,
        /// The text of the value.
        found: String,
        /// Description and position of the error.
        #[source]
        fault: ExpressionError,
    },
}
