//! Why a method cannot be written in a format.

use thiserror::Error;

/// Why a method cannot be written in a format that holds some methods alone.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The format has no place for so many partitions.
    #[error("{id} has {}; {format} takes {expected} (`{id}@1,2` is two of them)", counted(*found))]
    Partitions {
        /// The method.
        id: String,
        /// The number of its partitions.
        found: usize,
        /// The format.
        format: &'static str,
        /// What it takes.
        expected: &'static str,
    },
    /// The format holds explicit methods alone.
    #[error("{id} is implicit; {format} takes explicit methods")]
    Implicit {
        /// The method.
        id: String,
        /// The format.
        format: &'static str,
    },
    /// The format has coefficients built in, and the method has others.
    #[error("{id}: {found}; {format} has {expected}")]
    Form {
        /// The method.
        id: String,
        /// The format.
        format: &'static str,
        /// What does not fit.
        found: String,
        /// What the format has there.
        expected: &'static str,
    },
}

fn counted(partitions: usize) -> String {
    if partitions == 1 { "one partition".to_owned() } else { format!("{partitions} partitions") }
}
