//! Files denoted by the arguments.

use std::fs;
use std::path::{Path, PathBuf};

use crate::arguments::input_file::{FolderError, is_method, method_files};
use crate::arguments::methods;
use crate::failure::Failure;

/// Returns the given files and the method files in the given folders, in the order of the arguments and without
/// duplicates. Designs, certificates and schemas matched by a shell's `*.json` are skipped.
pub(crate) fn files(paths: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let found = methods::each(paths, |path| of(Path::new(path)))?;
    let mut files: Vec<PathBuf> = found.into_iter().flatten().collect();
    let mut seen = Vec::new();
    files.retain(|file| {
        let is_new = !seen.contains(file);
        seen.push(file.clone());
        is_new
    });
    Ok(files)
}

fn of(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if path.is_dir() {
        return Ok(method_files(path)?);
    }
    fs::metadata(path).map_err(|problem| FolderError::Unreadable { folder: path.to_owned(), problem })?;
    Ok(Some(path.to_owned()).filter(|path| may_be_method(path)).into_iter().collect())
}

/// Returns whether a file given by name is read: any extension is accepted unless its name marks it as something other
/// than a method.
fn may_be_method(file: &Path) -> bool {
    is_method(file) || file.extension().is_none_or(|ending| ending != "json")
}
