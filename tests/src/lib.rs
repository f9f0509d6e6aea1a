//! What several integration tests share: the reference data, and the property that fuzzing tries to break.

pub mod chebyshev;
pub mod reference;
pub mod rounded;

use std::fs;
use std::path::Path;

use hemiola_tableau::{Method, butcher_latex, butcher_text};
use serde_json::Value;

/// The method files of `tableaus/` as they stand there, by id: what the library holds must agree with them.
///
/// # Panics
/// Where a file cannot be read.
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

/// Reads bytes as a method file. What is accepted survives a round trip unchanged and can be shown in every form; what
/// is refused is refused in a few words that name the file.
///
/// # Panics
/// Where one of these does not hold: that is what the fuzzer looks for.
pub fn fuzz_method_file(bytes: &[u8]) {
    let method = match Method::from_json(bytes, "fuzzed.json") {
        Ok(method) => method,
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with("fuzzed.json: ") && message.len() < 4000, "{message}");
            return;
        }
    };
    let json = method.to_json();
    let again = Method::from_json(json.as_bytes(), "again.json").unwrap_or_else(|error| panic!("{error}\n{json}"));
    assert_eq!(again, method, "after a round trip");
    assert_eq!(again.to_json(), json);
    for butcher in &method.to_f64().partitions {
        assert!(butcher.a.iter().flatten().chain(&butcher.b).all(|value| value.is_finite()), "{json}");
    }
    assert!(butcher_text(&method).contains('┼'));
    assert!(butcher_latex(&method).contains("\\hline"));
}
