//! The schema of optimal control problems agrees with the reader, and the examples beside it are valid.

use std::fs;
use std::path::{Path, PathBuf};

use hemiola_models::Model;
use hemiola_optimize::ProblemFile;
use jsonschema::Validator;
use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../problems")
}

fn value(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")
}

fn schema() -> Validator {
    jsonschema::validator_for(&value(&folder().join("schema.json"))).expect("a schema")
}

fn reads(problem: &Value) -> Result<ProblemFile, String> {
    let model = |text: &str| -> Result<Model, Box<dyn std::error::Error>> {
        Ok(hemiola_models::model(text.split(':').next().unwrap_or_default(), &[])?)
    };
    ProblemFile::from_json(problem.to_string().as_bytes(), "p.json", &model).map_err(|error| error.to_string())
}

/// Returns a problem with every field.
fn full() -> Value {
    json!({
        "format": "hemiola-control/1", "name": "everything", "model": "van-der-pol", "method": "rk4",
        "grid": { "points": 11, "steps": 3, "shooting": 5, "control": "constant" },
        "controls": [
            { "name": "u", "on": { "x": 0.5, "v": -1 }, "range": [-1, null], "guess": 0.25 },
            { "name": "e", "parameter": "epsilon", "range": [0.1, 1] }
        ],
        "parameters": [], "states": { "v": [null, 3] }, "initial": { "x": 1, "v": [null, null] }, "final": { "x": 0 },
        "path": [{ "sum": [{ "powers": { "x": 2 } }, { "factor": -1, "powers": { "u": 1, "t": 1 } }, { "factor": 2 }], "range": [0, null] }],
        "boundary": [{ "initial": [{ "powers": { "v": 1 } }], "final": [{ "factor": -1, "powers": { "v": 1 } }], "range": 0 }],
        "duration": { "range": [1, 2], "guess": 1.5 },
        "objective": { "duration": 1, "final": [{ "powers": { "v": 2 } }], "integral": [{ "powers": { "u": 2 } }] },
        "guess": { "x": [1, 0] }
    })
}

#[test]
fn examples_are_read() {
    let (schema, mut count) = (schema(), 0);
    for entry in fs::read_dir(folder()).expect("the folder") {
        let path = entry.expect("an entry").path();
        let is_problem = path.extension().is_some_and(|ending| ending == "json") && !path.ends_with("schema.json");
        if is_problem {
            let problem = value(&path);
            assert!(schema.is_valid(&problem), "{}", path.display());
            assert_eq!(reads(&problem).map(|file| file.name).err(), None, "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 3);
}

#[test]
fn schema_and_reader_agree() {
    let schema = schema();
    let agrees = |problem: &Value, expected: bool| {
        assert_eq!(schema.is_valid(problem), expected, "schema: {problem}");
        let found = reads(problem).err();
        assert_eq!(found.is_none(), expected, "reader: {problem}: {found:?}");
    };
    agrees(&full(), true);
    let with = |pointer: &str, new: Value| {
        let mut problem = full();
        *problem.pointer_mut(pointer).expect("a place") = new;
        problem
    };
    for (pointer, new) in [("/grid", json!({})), ("/grid/shooting", json!("single")), ("/duration", json!(2))] {
        agrees(&with(pointer, new), true);
    }
    for (pointer, new) in [
        ("/format", json!("hemiola-control/2")),
        ("/model", json!([[0]])),
        ("/model", json!({ "matrix": [] })),
        ("/grid/points", json!(1)),
        ("/grid/steps", json!(0)),
        ("/grid/shooting", json!("some")),
        ("/grid/shooting", json!(0)),
        ("/grid/control", json!("cubic")),
        ("/controls/0", json!({ "name": "u" })),
        ("/controls/0", json!({ "name": "u", "on": {} })),
        ("/controls/0", json!({ "name": "u", "on": { "x": 1 }, "parameter": "epsilon" })),
        ("/controls/0/on/x", json!("one")),
        ("/controls/0/range", json!([1])),
        ("/controls/0/range", json!([1, 2, 3])),
        ("/states/v", json!("free")),
        ("/path/0/sum/0/powers/x", json!(-1)),
        ("/path/0/sum/0/powers/x", json!(17)),
        ("/path/0", json!({ "sum": [] })),
        ("/boundary/0", json!({ "initial": [] })),
        ("/duration", json!(0)),
        ("/duration", json!({ "range": [1, 2] })),
        ("/objective", json!({ "time": 1 })),
        ("/guess/x", json!([1])),
    ] {
        agrees(&with(pointer, new), false);
    }
    for field in ["format", "name", "model", "controls", "duration", "objective"] {
        let mut problem = full();
        problem.as_object_mut().and_then(|all| all.remove(field)).expect("a field");
        agrees(&problem, false);
    }
}
