//! Files to check.

use std::path::PathBuf;

use hemiola_export::ReadOptions;

/// A file to check, and how it is read.
#[derive(Clone, Debug)]
pub struct LintFile {
    /// The file.
    pub path: PathBuf,
    /// Its contents.
    pub contents: FileContents,
}

/// Contents of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileContents {
    /// A method in our own format.
    Method,
    /// Tables of methods in another format.
    Tables(ReadOptions),
    /// A program that may contain tables. One without any is skipped.
    Program(ReadOptions),
}

impl From<PathBuf> for LintFile {
    fn from(path: PathBuf) -> Self {
        Self { path, contents: FileContents::Method }
    }
}
