//! Methods denoted by the arguments: ids, files, and folders of files.

use std::fs;
use std::io;
use std::path::Path;

use hemiola::tableau::library::{Library, is_method_file};

use crate::arguments::source;
use crate::failure::Failure;

/// Returns the ids and files of the arguments in order; a folder is replaced by its sorted files.
pub(crate) fn methods(arguments: &[String], library: &Library) -> Vec<Result<String, Failure>> {
    arguments.iter().flat_map(|argument| methods_of(argument, library)).flat_map(tables_of).collect()
}

/// Expands a file that contains several methods.
fn tables_of(name: Result<String, Failure>) -> Vec<Result<String, Failure>> {
    match name {
        Ok(name) => source::expanded(&[name]),
        Err(failure) => vec![Err(failure)],
    }
}

fn methods_of(argument: &str, library: &Library) -> Vec<Result<String, Failure>> {
    // A folder may have the same name as a method; the method takes precedence.
    let is_id = || library.ids().is_ok_and(|ids| ids.iter().any(|id| id == argument));
    let path = Path::new(argument);
    let failed = |failure| vec![Err(failure)];
    // Methods have no separators in their names, and files have an extension.
    if argument.contains(['/', '\\']) && path.extension().is_none() && !path.exists() {
        return failed(Failure::Folder { folder: path.to_owned(), problem: io::ErrorKind::NotFound.into() });
    }
    if !path.is_dir() || is_id() {
        return vec![Ok(argument.to_owned())];
    }
    match files(argument) {
        Ok(files) if files.is_empty() => failed(Failure::EmptyFolder { folder: argument.into() }),
        Ok(files) => files.into_iter().map(Ok).collect(),
        Err(problem) => failed(Failure::Folder { folder: argument.into(), problem }),
    }
}

/// Adds to the error of an unknown method that no folder has its name either.
pub(crate) fn or_folder(failure: Failure) -> Failure {
    match failure {
        Failure::UnknownMethod(error) => Failure::NoMethodOrFolder(error),
        other => other,
    }
}

/// Returns the sorted method files of a folder.
fn files(folder: &str) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_name().and_then(|name| name.to_str()).is_some_and(is_method_file) {
            files.push(path.to_string_lossy().into_owned());
        }
    }
    files.sort();
    Ok(files)
}
