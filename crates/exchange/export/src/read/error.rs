//! Errors of texts that should contain methods.

use hemiola_tableau::MethodError;
use thiserror::Error;

/// Reason why no method could be read from a text. Lines and columns count from 1, columns in characters.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The bytes are not UTF-8.
    #[error("{file}:{line}:{column}: found a byte that is not UTF-8; expected text")]
    NotText {
        /// Name of the file.
        file: String,
        /// Line of the byte.
        line: usize,
        /// Column of the byte.
        column: usize,
    },
    /// The text is longer than any collection of methods.
    #[error("{file}: found {bytes} bytes; expected at most {limit}")]
    TooLarge {
        /// Name of the file.
        file: String,
        /// Size of the text.
        bytes: usize,
        /// Largest accepted size.
        limit: usize,
    },
    /// The file is a program in an unsupported language.
    #[error(
        "{file}: found a program in {language}; expected C, Python, MATLAB, Julia, or a table (--format selects one \
         of these)"
    )]
    Language {
        /// Name of the file.
        file: String,
        /// Language.
        language: &'static str,
    },
    /// The text contains something unexpected.
    #[error("{file}:{line}:{column}: {}found {found}; expected {expected}", of_method(.method))]
    Unexpected {
        /// Name of the file.
        file: String,
        /// Line.
        line: usize,
        /// Column.
        column: usize,
        /// Method concerned, if it has a name.
        method: Option<String>,
        /// Text found.
        found: String,
        /// Expected text.
        expected: String,
    },
    /// The text contains no coefficients.
    #[error("{file}: found no method (read as {format}); expected {expected}")]
    NoMethod {
        /// Name of the file.
        file: String,
        /// Format in which the text was read.
        format: &'static str,
        /// Expected contents of that format.
        expected: &'static str,
    },
    /// The coefficients were read but do not form a method.
    #[error("{file}:{line}:{column}: {problem}")]
    Method {
        /// Name of the file.
        file: String,
        /// Line at which the method begins.
        line: usize,
        /// Column at which the method begins.
        column: usize,
        /// Error of the method.
        problem: Box<MethodError>,
    },
}

fn of_method(method: &Option<String>) -> String {
    method.as_ref().map_or_else(String::new, |name| format!("{name}: "))
}

/// Position in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TextPosition {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl TextPosition {
    pub(super) const START: Self = Self { line: 1, column: 1 };
}

/// Error at a position, without the name of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextFault {
    pub(super) place: TextPosition,
    pub(super) found: String,
    pub(super) expected: String,
}

impl TextFault {
    pub(super) fn new(place: TextPosition, found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { place, found: found.into(), expected: expected.into() }
    }

    pub(super) fn in_file(self, file: &str, method: Option<String>) -> ReadError {
        let TextPosition { line, column } = self.place;
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

/// Quotes the beginning of a text for a message.
pub(super) fn quoted(text: &str) -> String {
    const SHOWN: usize = 40;
    let beginning: String = text.chars().take(SHOWN).collect();
    let rest = if beginning.len() < text.len() { " …" } else { "" };
    format!("`{beginning}{rest}`")
}
