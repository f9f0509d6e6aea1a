//! Methods denoted by the arguments: ids, files, and folders of files.

use std::io;
use std::path::Path;

use hemiola::tableau::MethodError;
use hemiola::tableau::library::Library;
use miette::Diagnostic;
use thiserror::Error;

use crate::arguments::input_file::{FolderError, method_files};
use crate::arguments::source;
use crate::failure::{Failure, hinted};

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
        return failed(
            FolderError::Unreadable { folder: path.to_owned(), problem: io::ErrorKind::NotFound.into() }.into(),
        );
    }
    if !path.is_dir() || is_id() {
        return vec![Ok(argument.to_owned())];
    }
    match method_files(path) {
        Ok(files) => files.iter().map(|file| Ok(file.to_string_lossy().into_owned())).collect(),
        Err(error) => failed(error.into()),
    }
}

/// Name that denotes neither a method nor a folder.
#[derive(Debug, Error, Diagnostic)]
#[error("{0}; no folder has this name")]
#[diagnostic(help("`hemiola list` shows all methods; folders of method files are given by their paths"))]
struct NoMethodOrFolder(String);

hinted!(NoMethodOrFolder);

/// Extends the error for an unknown method by the statement that there is no such folder.
pub(crate) fn or_folder(failure: Failure) -> Failure {
    match failure.downcast_ref() {
        Some(error @ MethodError::Unknown { .. }) => NoMethodOrFolder(error.to_string()).into(),
        _ => failure,
    }
}
