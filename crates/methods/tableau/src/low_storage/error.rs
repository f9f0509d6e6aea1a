//! Errors in low-storage forms.

use thiserror::Error;

use crate::NumberError;

/// Errors of reading a low-storage form.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StorageError {
    /// There is no class with this name.
    #[error("no low-storage form `{found}`; expected 2N, 2R, 3R, … 16R, 2S, 2S* or 3S*")]
    UnknownClass {
        /// The name.
        found: String,
    },
    /// A vector has the wrong number of entries.
    #[error("{class}: found {found} entries of {vector}; expected {expected}")]
    WrongLength {
        /// The class.
        class: String,
        /// The name of the vector.
        vector: String,
        /// The number of its entries.
        found: usize,
        /// The lengths that fit.
        expected: String,
    },
    /// The tableau would take too much time.
    #[error("{class}: found {found}; expected at most {limit}")]
    TooLarge {
        /// The class.
        class: String,
        /// The size.
        found: String,
        /// The largest size.
        limit: &'static str,
    },
    /// A coefficient of the tableau is not a number of the format.
    #[error("a coefficient of the tableau: {0}")]
    Number(#[from] NumberError),
    /// The registers do not add up to the solution.
    #[error("{class}: found {found} as {value}; expected {expected}")]
    Inconsistent {
        /// The class.
        class: String,
        /// The quantity.
        value: String,
        /// Its value.
        found: f64,
        /// The value that a consistent method has.
        expected: &'static str,
    },
}
