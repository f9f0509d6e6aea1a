//! Input files of limited length, since a device may have no end, and the method files of folders.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use hemiola::tableau::library::is_method_file;
use thiserror::Error;

use crate::failure::CommandError;
use crate::output::text::cause;

/// Longest text of numbers or of a figure; a Jacobian of a thousand variables takes about 20 MB.
pub(crate) const LONGEST_TEXT: u64 = 256 << 20;
/// Longest state of a search, with a million starts.
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

/// Reason why method files of a folder cannot be listed.
#[derive(Debug, Error)]
pub(crate) enum FolderError {
    #[error("{folder}: no method file (*.json) in this folder")]
    Empty { folder: PathBuf },
    #[error("{folder}: {}", cause(.problem))]
    Unreadable { folder: PathBuf, problem: io::Error },
}

impl CommandError for FolderError {}

/// Returns the sorted method files of a folder, at least one.
pub(crate) fn method_files(folder: &Path) -> Result<Vec<PathBuf>, FolderError> {
    let failed = |problem| FolderError::Unreadable { folder: folder.to_owned(), problem };
    let entries = fs::read_dir(folder).map_err(failed)?.collect::<io::Result<Vec<_>>>().map_err(failed)?;
    let mut files: Vec<PathBuf> =
        entries.into_iter().map(|entry| entry.path()).filter(|file| is_method(file)).collect();
    files.sort();
    if files.is_empty() { Err(FolderError::Empty { folder: folder.to_owned() }) } else { Ok(files) }
}

/// Returns whether the name of a file is that of a method file.
pub(crate) fn is_method(file: &Path) -> bool {
    file.file_name().and_then(|name| name.to_str()).is_some_and(is_method_file)
}
