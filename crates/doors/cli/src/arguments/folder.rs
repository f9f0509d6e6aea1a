//! Folders of method files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hemiola::tableau::library::is_method_file;
use thiserror::Error;

use crate::failure::CommandError;

/// Reason why a folder gives no method files.
#[derive(Debug, Error)]
pub(crate) enum FolderError {
    #[error("{folder}: no method file (*.json) in this folder")]
    Empty { folder: PathBuf },
    #[error("{folder}: {problem}")]
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
