//! Files denoted by the arguments.

use std::fs;
use std::path::{Path, PathBuf};

use hemiola::tableau::library::is_method_file;

use crate::failure::Failure;

/// Returns the given files and the method files in the given folders, in the order of the arguments and without
/// duplicates. Designs, certificates and schemas matched by a shell's `*.json` are skipped.
pub(crate) fn files(paths: &[String]) -> Result<Vec<PathBuf>, Failure> {
    let (mut files, mut faults) = (Vec::new(), Vec::new());
    for path in paths.iter().map(Path::new) {
        match of(path) {
            Ok(found) => files.extend(found),
            Err(fault) => faults.push(fault),
        }
    }
    match faults.len() {
        0 => {}
        1 => return Err(faults.swap_remove(0)),
        _ => return Err(Failure::Several(faults)),
    }
    let mut seen = Vec::new();
    files.retain(|file| {
        let is_new = !seen.contains(file);
        seen.push(file.clone());
        is_new
    });
    Ok(files)
}

fn of(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |problem| Failure::Folder { folder: path.to_owned(), problem };
    if !path.is_dir() {
        fs::metadata(path).map_err(failed)?;
        return Ok(Some(path.to_owned()).filter(|path| may_be_method(path)).into_iter().collect());
    }
    let entries = fs::read_dir(path).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    let mut files: Vec<PathBuf> =
        entries.into_iter().map(|entry| entry.path()).filter(|file| is_method(file)).collect();
    files.sort();
    if files.is_empty() { Err(Failure::EmptyFolder { folder: path.to_owned() }) } else { Ok(files) }
}

fn is_method(file: &Path) -> bool {
    file.file_name().and_then(|name| name.to_str()).is_some_and(is_method_file)
}

/// Returns whether a file given by name is read: any extension is accepted unless its name marks it as something other
/// than a method.
fn may_be_method(file: &Path) -> bool {
    is_method(file) || file.extension().is_none_or(|ending| ending != "json")
}
