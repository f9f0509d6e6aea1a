//! Code shared by several integration tests: the reference data and the properties under fuzzing.

pub mod architecture;
pub mod chebyshev;
pub mod fuzz;
pub mod reference;
pub mod rounded;

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Returns the method files of `tableaus/` as stored, by id, for comparison with the library.
///
/// # Panics
/// If a file cannot be read.
#[must_use]
pub fn method_files() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tableaus");
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let names =
        entries.flatten().map(|entry| entry.path()).filter(|file| file.extension().is_some_and(|e| e == "json"));
    let text = |file: &Path| fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let read =
        |file: &Path| serde_json::from_str(&text(file)).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut files: Vec<Value> = names.map(|file| read(&file)).filter(|file: &Value| file["id"].is_string()).collect();
    files.sort_by(|one, other| one["id"].as_str().cmp(&other["id"].as_str()));
    files
}
