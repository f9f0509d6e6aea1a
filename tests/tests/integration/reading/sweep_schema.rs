//! The schema of sweep files agrees with the reader.

use std::fs;
use std::path::Path;

use hemiola_design::SweepFile;
use jsonschema::Validator;
use serde_json::Value;

fn schema() -> Validator {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tableaus/sweep.schema.json");
    let schema: Value = serde_json::from_slice(&fs::read(file).expect("the schema")).expect("JSON");
    jsonschema::validator_for(&schema).expect("a schema")
}

#[test]
fn schema_and_reader_agree() {
    let schema = schema();
    let good = [
        r#"{ "format": "hemiola-sweep/1", "design": { "slow": 2, "fast": 5 }, "over": [] }"#,
        r#"{ "format": "hemiola-sweep/1", "over": [{ "name": "size", "values": [{ "slow": 2, "fast": 5 }, { "slow": 3, "fast": 7 }] }] }"#,
    ];
    let bad = [
        r#"{ "design": { "slow": 2, "fast": 5 }, "over": [] }"#,
        r#"{ "format": "hemiola-sweep/2", "design": { "slow": 2, "fast": 5 }, "over": [] }"#,
        r#"{ "format": "hemiola-sweep/1", "design": { "slow": 2, "fast": 5, "id": "x" }, "over": [] }"#,
        r#"{ "format": "hemiola-sweep/1", "design": { "slow": 2, "fast": 5 }, "over": [{ "name": "x", "values": [] }] }"#,
        r#"{ "format": "hemiola-sweep/1", "design": { "slow": 2, "fast": 5 }, "over": [{ "values": [{}] }] }"#,
        r#"{ "format": "hemiola-sweep/1", "design": { "slow": 2, "fast": 5 }, "over": [], "more": 1 }"#,
        r#"{ "format": "hemiola-sweep/1", "design": { "slow": 2, "fast": 5 }, "over": [{ "name": "x", "values": [3] }] }"#,
    ];
    let agrees = |text: &str, expected: bool| {
        let value: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(schema.is_valid(&value), expected, "schema: {text}");
        let found = SweepFile::from_json(text.as_bytes(), "s", "s.sweep.json");
        assert_eq!(found.is_ok(), expected, "reader: {text}: {found:?}");
    };
    good.iter().for_each(|text| agrees(text, true));
    bad.iter().for_each(|text| agrees(text, false));
}
