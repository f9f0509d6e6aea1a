//! Errors and facts as text.

use std::fmt::Display;

use serde::Serialize;

/// A line with a name and a text, as printed on the command line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Fact(pub(crate) &'static str, pub(crate) String);

impl Fact {
    pub(crate) fn new(name: &'static str, text: impl Into<String>) -> Self {
        Self(name, text.into())
    }
}

/// Returns the message of an error, including its causes.
pub(crate) fn message(error: impl Display) -> String {
    error.to_string()
}
