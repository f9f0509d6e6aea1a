//! Reading of whole files up to a maximum length, since a device may have no end.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Longest text of numbers, or of a figure: a Jacobian of a thousand variables takes some 20 MB.
pub(crate) const LONGEST_TEXT: u64 = 256 << 20;
/// Longest state of a search: that of a million starts.
pub(crate) const LONGEST_SEARCH: u64 = 1 << 30;

/// Reads a file of at most this many bytes.
pub(crate) fn bytes(file: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

/// Reads a text of at most this many bytes.
pub(crate) fn text(file: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(bytes(file, most)?).map_err(|_| ErrorKind::InvalidData.into())
}
