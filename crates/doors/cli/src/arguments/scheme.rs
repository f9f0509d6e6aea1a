//! Syntax of schemes on the command line: a METHOD, or a scheme built on one.

use hemiola::tableau::library::Library;
use hemiola::tableau::{Scheme, SchemeError};

use crate::arguments::source;
use crate::failure::{CommandError, Failure};

impl CommandError for SchemeError {}

/// Reads a scheme.
pub(crate) fn read(text: &str, library: &Library) -> Result<Scheme, Failure> {
    Scheme::parse(text, |name| source::method(name, library))
}
