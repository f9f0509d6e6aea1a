//! Errors of texts that should contain methods.

use hemiola_tableau::MethodError;
use thiserror::Error;

/// Why no method could be read from a text. Lines and columns count from 1, columns in characters.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The bytes are not UTF-8.
    #[error("{file}:{line}:{column}: found a byte that is not UTF-8; expected text")]
    NotText {
        /// The file.
        file: String,
        /// The line of the byte.
        line: usize,
        /// The column of the byte.
        column: usize,
    },
    /// The text is longer than any collection of methods.
    #[error("{file}: found {bytes} bytes; expected at most {limit}")]
    TooLarge {
        /// The file.
        file: String,
        /// Its size.
        bytes: usize,
        /// The maximum size.
        limit: usize,
    },
    /// The file is a program in a language that is not read.
    #[error(
        "{file}: found a program in {language}; expected C, Python, MATLAB, Julia, or a table (--format reads it as one of these)"
    )]
    Language {
        /// The file.
        file: String,
        /// The language.
        language: &'static str,
    },
    /// Something in the text is unexpected.
    #[error("{file}:{line}:{column}: {}found {found}; expected {expected}", of_method(.method))]
    Unexpected {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// The method concerned, if it has a name.
        method: Option<String>,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// No coefficients in the whole text.
    #[error("{file}: found no method (read as {format}); expected {expected}")]
    NoMethod {
        /// The file.
        file: String,
        /// The format in which it was read.
        format: &'static str,
        /// What that format contains.
        expected: &'static str,
    },
    /// The coefficients were read but do not form a method.
    #[error("{file}:{line}:{column}: {problem}")]
    Method {
        /// The file.
        file: String,
        /// The line at which the method begins.
        line: usize,
        /// The column at which the method begins.
        column: usize,
        /// What is wrong with it.
        problem: Box<MethodError>,
    },
}

fn of_method(method: &Option<String>) -> String {
    method.as_ref().map_or_else(String::new, |name| format!("{name}: "))
}

/// A position in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Place {
    pub(super) const START: Self = Self { line: 1, column: 1 };
}

/// What is wrong at a position; the caller knows the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) place: Place,
    pub(super) found: String,
    pub(super) expected: String,
}

impl Fault {
    pub(super) fn new(place: Place, found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { place, found: found.into(), expected: expected.into() }
    }

    pub(super) fn in_file(self, file: &str, method: Option<String>) -> ReadError {
        let Place { line, column } = self.place;
        ReadError::Unexpected {
            file: file.to_owned(),
            line,
            column,
            method,
            found: self.found,
            expected: self.expected,
        }
    }
}

/// The beginning of a text, quoted for a message.
pub(super) fn quoted(text: &str) -> String {
    const SHOWN: usize = 40;
    let beginning: String = text.chars().take(SHOWN).collect();
    let rest = if beginning.len() < text.len() { " …" } else { "" };
    format!("`{beginning}{rest}`")
}
