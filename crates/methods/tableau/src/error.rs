//! Errors in method files.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use hemiola_number::NumberError;

/// Errors of reading, finding or writing a method.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MethodError {
    /// The file could not be read or written.
    #[error("{file}: {source}")]
    File {
        /// The file.
        file: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file is larger than any method file.
    #[error("{file}: found {bytes} bytes; expected at most {limit}")]
    TooLarge {
        /// The file.
        file: String,
        /// Its size in bytes.
        bytes: u64,
        /// The largest size that is read.
        limit: u64,
    },
    /// The text is not JSON, or not of the expected shape.
    #[error("{file}: at {path}: {problem}")]
    Json {
        /// The file.
        file: String,
        /// The place in the JSON document.
        path: String,
        /// Found and expected text, with line and column.
        problem: String,
    },
    /// A coefficient is not a number.
    #[error(
        "{file}: at {path}: found {found}: {problem}; expected a number such as \"1/3\", \"0.25\" or \"(3-sqrt(3))/6\""
    )]
    Number {
        /// The file.
        file: String,
        /// The place in the JSON document.
        path: String,
        /// The text found there.
        found: String,
        /// The error of the number parser.
        problem: NumberError,
    },
    /// A value is inconsistent with the rest of the method.
    #[error("{file}: at {path}: found {found}; expected {expected}")]
    Invalid {
        /// The file.
        file: String,
        /// The place in the JSON document.
        path: String,
        /// The value found there.
        found: String,
        /// The expected value.
        expected: String,
    },
    /// Two files define the same method.
    #[error("the id `{id}` is defined in both {first} and {second}; rename one of them")]
    DuplicateId {
        /// The id.
        id: String,
        /// The first definition.
        first: String,
        /// The second definition.
        second: PathBuf,
    },
    /// There is no method with this name.
    #[error("no method `{name}` in the library{suggestion}; method files are given with their extension .json")]
    Unknown {
        /// The requested name.
        name: String,
        /// The nearest names, as a phrase.
        suggestion: String,
    },
}
