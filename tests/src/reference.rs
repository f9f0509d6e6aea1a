//! Reference data in `tests/data`, verified independently in 60-digit arithmetic.

use std::fs;
use std::path::Path;

use hemiola_tableau::Method;
use serde_json::{Value, json};

/// Returns the records of a file: the array called `field`.
///
/// # Panics
/// If the file or the field is missing.
#[must_use]
pub fn records(file: &str, field: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(file);
    let text = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut data: Value = serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
    match data[field].take() {
        Value::Array(records) => records,
        other => panic!("{file}: found {other} as `{field}`; expected an array"),
    }
}

/// Returns the text in a record.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("found {value}; expected a text"))
}

/// Returns the tableau or pair of tableaus of a record, read like a method file.
///
/// # Panics
/// If it is not a valid method.
#[must_use]
pub fn method(record: &Value) -> Method {
    let tableaus = record["partitions"].as_array().map_or_else(|| vec![record], |pair| pair.iter().collect());
    let partitions: Vec<Value> = tableaus
        .into_iter()
        .map(|tableau| {
            let name = tableau["role"].as_str().unwrap_or("all");
            json!({"name": name, "a": tableau["A"], "b": tableau["b"], "c": tableau["c"]})
        })
        .collect();
    let name = text(&record["name"]);
    let mut document =
        json!({"format": hemiola_tableau::FORMAT, "id": id(name), "name": name, "partitions": partitions});
    if record["exactness"] != "rational" {
        document["precision"] = json!({"decimals": places(&document["partitions"])});
    }
    Method::from_json(document.to_string().as_bytes(), name).unwrap_or_else(|error| panic!("{error}"))
}

/// Converts a name to lower-case words joined by hyphens.
fn id(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-")
}

/// Returns the largest number of decimal places of the coefficients: shorter ones are exact or end in zeros.
fn places(value: &Value) -> usize {
    match value {
        Value::String(text) => text.split_once('.').map_or(0, |(_, places)| places.len()),
        Value::Array(values) => values.iter().map(places).max().unwrap_or(0),
        Value::Object(fields) => fields.values().map(places).max().unwrap_or(0),
        _ => 0,
    }
}
