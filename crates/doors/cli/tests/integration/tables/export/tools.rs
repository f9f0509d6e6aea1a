//! Compilers and interpreters of this machine, and their output.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns whether this machine has a tool.
pub(crate) fn has(tool: &str, arguments: &[&str]) -> bool {
    let status = Command::new(tool).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Returns the output of a tool that runs successfully in a folder.
pub(crate) fn run(folder: &Path, tool: impl AsRef<OsStr>, arguments: &[&str]) -> String {
    let tool = tool.as_ref();
    let output = Command::new(tool).args(arguments).current_dir(folder).output().expect("the tool starts");
    let (printed, complaint) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{} {arguments:?}\n{printed}\n{complaint}", tool.display());
    printed.into_owned()
}

/// Parses the numbers in a text.
pub(crate) fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace().map(|word| word.parse().unwrap_or_else(|_| panic!("{word:?} in {text}"))).collect()
}

/// Returns the export of a method in a language, as the binary writes it.
pub(crate) fn export(method: &str, language: &str) -> String {
    crate::common::page("export", &[method, "--language", language])
}
