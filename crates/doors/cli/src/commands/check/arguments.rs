//! Methods denoted by the arguments: ids, files, and folders of files.

use std::path::Path;

use hemiola::tableau::library::Library;

use crate::arguments::input_file::method_files;
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
    if !Path::new(argument).is_dir() || is_id() {
        return vec![Ok(argument.to_owned())];
    }
    match method_files(Path::new(argument)) {
        Ok(files) => files.iter().map(|file| Ok(file.to_string_lossy().into_owned())).collect(),
        Err(error) => vec![Err(error.into())],
    }
}
