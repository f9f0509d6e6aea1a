//! Runs the binary in a separate process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use tempfile::TempDir;

/// Builds a command of the binary with only the library's methods.
pub(crate) fn hemiola(arguments: &[&str]) -> Command {
    let mut command = cargo_bin_cmd!("hemiola");
    command.args(arguments).env_remove("HEMIOLA_METHODS").env("XDG_DATA_HOME", "/nonexistent").env_remove("COLUMNS");
    command
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    hemiola(arguments).output().expect("the binary runs")
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal ended the binary")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Returns the output of a successful command.
pub(crate) fn text(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(code(&output), 0, "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{arguments:?}");
    stdout(&output)
}

pub(crate) fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&text(arguments)).expect("valid JSON")
}

/// Returns the standard error of a command that ends with exit code 2.
pub(crate) fn complaint(arguments: &[&str]) -> String {
    let output = run(arguments);
    let stderr = String::from_utf8(output.stderr.clone()).expect("UTF-8");
    assert_eq!(code(&output), 2, "{arguments:?}: {stderr}");
    assert!(!stderr.contains("panicked") && !stderr.contains("backtrace"), "{stderr}");
    stderr
}

pub(crate) fn assert_near(value: &Value, expected: f64, tolerance: f64) {
    let value = value.as_f64().expect("a number");
    assert!((value - expected).abs() <= tolerance, "{value}, expected {expected}");
}

pub(crate) fn floats(value: &Value) -> Vec<f64> {
    value.as_array().expect("an array").iter().map(|number| number.as_f64().expect("a number")).collect()
}

/// Creates a folder for the files of one test.
pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

pub(crate) fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

/// Writes a library method with changes to its JSON text, under a new id.
pub(crate) fn variant(folder: &Path, id: &str, new_id: &str, changes: &[(&str, &str)]) -> PathBuf {
    let mut method = text(&["show", id, "--json"]).replace(&format!("\"{id}\""), &format!("\"{new_id}\""));
    for (from, to) in changes {
        assert!(method.contains(from), "{from}");
        method = method.replace(from, to);
    }
    let file = folder.join(format!("{new_id}.json"));
    fs::write(&file, method).expect("a file in a temporary folder");
    file
}
