//! How a scheme is written on the command line: a METHOD, or a scheme made of one.

use hemiola::tableau::Scheme;
use hemiola::tableau::library::Library;

use crate::arguments::source;
use crate::failure::Failure;

/// The scheme of a text.
pub(crate) fn read(text: &str, library: &Library) -> Result<Scheme, Failure> {
    Scheme::parse(text, |name| source::method(name, library))
}
