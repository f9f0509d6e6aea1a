//! Runs commands of the binary as users and programs do, with only the library's methods.
#![allow(dead_code, reason = "every test uses a part of it")]

use std::process::Output;

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use tempfile::TempDir;

/// Returns the exit code, standard output and standard error.
pub(crate) fn outcome(command: &str, arguments: &[&str]) -> (i32, String, String) {
    let mut binary = cargo_bin_cmd!("hemiola");
    binary.arg(command).args(arguments).env_remove("HEMIOLA_METHODS").env("XDG_DATA_HOME", "/nonexistent");
    let Output { status, stdout, stderr } = binary.output().expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("no signal"), text(stdout), text(stderr))
}

/// Returns the output of a successful command.
pub(crate) fn page(command: &str, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = outcome(command, arguments);
    assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}");
    stdout
}

/// Returns the JSON output of a successful command.
pub(crate) fn report(command: &str, arguments: &[&str]) -> Value {
    serde_json::from_str(&page(command, &[arguments, &["--json"]].concat())).expect("valid JSON")
}

/// Returns the standard error of a command that ends with exit code 2.
pub(crate) fn complaint(command: &str, arguments: &[&str]) -> String {
    let (code, _, stderr) = outcome(command, arguments);
    assert_eq!(code, 2, "{arguments:?}: {stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    stderr
}

/// Temporary folder and the names of files in it.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("UTF-8").to_owned()
    }

    /// Returns the contents of a file.
    pub(crate) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file")
    }

    /// Writes a file and returns its name.
    pub(crate) fn file(&self, name: &str, contents: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, contents).expect("a file in a temporary folder");
        path
    }
}
