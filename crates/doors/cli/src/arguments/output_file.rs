//! Output files of a command, and a check that all of them can be written.

use std::ffi::OsString;
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Command};
use hemiola::tableau::is_written_through;
use miette::Diagnostic;
use thiserror::Error;

use crate::failure::{Failure, hinted};

/// Output files of which one cannot be written.
#[derive(Debug, Error, Diagnostic)]
enum OutputFileError {
    #[error("{} and {} both name {file}; expected different files", .options[0], .options[1])]
    Same { options: [String; 2], file: PathBuf },
    #[error("{option} and --json both write to standard output; expected a file for one of them")]
    #[diagnostic(help("without --json, the results go to standard error"))]
    BesideJson { option: String },
}

hinted!(OutputFileError);

/// File to write; `-` is standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutputFile(PathBuf);

impl From<OsString> for OutputFile {
    fn from(name: OsString) -> Self {
        Self(name.into())
    }
}

impl From<PathBuf> for OutputFile {
    fn from(path: PathBuf) -> Self {
        Self(path)
    }
}

impl Deref for OutputFile {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl fmt::Display for OutputFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

/// Returns whether a file is standard output: `-`, as for input, or a system name for it.
pub(crate) fn is_stdout(file: &Path) -> bool {
    let names = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    names.iter().any(|name| file == Path::new(name))
}

/// Returns whether a file is a stream (standard output, a device or a pipe), whose name does not determine the format.
pub(crate) fn is_stream(file: &Path) -> bool {
    is_stdout(file) || is_written_through(file)
}

/// Checks the output files of a command line and returns whether one of them is standard output. No file may be named
/// twice, and standard output carries either a file or the results as JSON.
pub(crate) fn check(command: &Command, matches: &ArgMatches) -> Result<bool, Failure> {
    let (command, matches) = innermost(command, matches);
    let named = named(command, matches);
    for (k, (option, file)) in named.iter().enumerate() {
        if let Some((earlier, _)) = named[..k].iter().find(|(_, earlier)| is_same(earlier, file)) {
            return Err(
                OutputFileError::Same { options: [earlier.clone(), option.clone()], file: file.to_path_buf() }.into()
            );
        }
    }
    let Some((option, _)) = named.into_iter().find(|(_, file)| is_stdout(file)) else { return Ok(false) };
    match matches.try_get_one::<bool>("json") {
        Ok(Some(true)) => Err(OutputFileError::BesideJson { option }.into()),
        _ => Ok(true),
    }
}

/// Returns the subcommand that runs.
fn innermost<'a>(command: &'a Command, matches: &'a ArgMatches) -> (&'a Command, &'a ArgMatches) {
    match matches.subcommand().and_then(|(name, below)| Some((command.find_subcommand(name)?, below))) {
        Some((command, below)) => innermost(command, below),
        None => (command, matches),
    }
}

/// Returns the output files with the options that name them.
fn named(command: &Command, matches: &ArgMatches) -> Vec<(String, OutputFile)> {
    let of = |argument: &clap::Arg| {
        let files = matches.try_get_many::<OutputFile>(argument.get_id().as_str()).ok().flatten();
        let option = argument.get_long().map_or_else(|| argument.get_id().to_string(), |long| format!("--{long}"));
        files.into_iter().flatten().map(move |file| (option.clone(), file.clone())).collect::<Vec<_>>()
    };
    command.get_arguments().flat_map(of).collect()
}

/// Returns whether writing one file would overwrite the other. A device or a pipe can be named twice, except standard
/// output.
fn is_same(first: &Path, second: &Path) -> bool {
    match (is_stream(first), is_stream(second)) {
        (true, true) => is_stdout(first) && is_stdout(second),
        (false, false) => place(first) == place(second),
        _ => false,
    }
}

/// Returns the canonical path of a file that need not exist.
fn place(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = || folder.canonicalize().ok().zip(file.file_name()).map(|(folder, name)| folder.join(name));
    file.canonicalize().ok().or_else(beside).unwrap_or_else(|| file.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_place_has_several_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("below")).unwrap();
        assert!(is_same(&path("x.csv"), &path("below/../x.csv")));
        assert!(!is_same(&path("x.csv"), &path("y.csv")));
        assert!(is_same(Path::new("x.csv"), Path::new("./x.csv")));
        assert!(is_same(Path::new("-"), Path::new("-")));
    }
}
