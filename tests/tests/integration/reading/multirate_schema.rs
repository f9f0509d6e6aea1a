//! The JSON schema of multirate methods accepts the library's methods and written files, and rejects what the reader does.

#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::fs;
use std::path::{Path, PathBuf};

use hemiola_multirate::{InfinitesimalMethod, library};
use jsonschema::Validator;
use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tableaus")
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn schema() -> Validator {
    jsonschema::validator_for(&read(&folder().join("multirate.schema.json"))).unwrap()
}

#[test]
fn every_multirate_method_follows_the_schema() {
    assert!(jsonschema::meta::is_valid(&read(&folder().join("multirate.schema.json"))));
    let schema = schema();
    for id in library::ids() {
        assert!(schema.is_valid(&read(&folder().join(format!("multirate/{id}.json")))), "{id}");
        let written = library::method(id).unwrap().to_json();
        assert!(schema.is_valid(&serde_json::from_str(&written).unwrap()), "{id}");
    }
    // An id of the one library is none of the other, so that a name has one meaning.
    let both: Vec<&str> = library::ids().filter(|id| hemiola_tableau::library::method(id).is_ok()).collect();
    assert!(both.is_empty(), "{both:?}");
}

#[test]
fn schema_and_reader_reject_the_same_documents() {
    let schema = schema();
    let good = read(&folder().join("multirate/mri-gark-erk33a.json"));
    assert!(schema.is_valid(&good));
    let replaced = [
        ("/format", json!("hemiola-method/1")),
        ("/id", json!("Upper-Case")),
        ("/name", json!("")),
        ("/partitions", json!(["fast"])),
        ("/partitions/1", json!("fast")),
        ("/stages", json!([])),
        ("/stages/0", json!([])),
        ("/stages/0/from", json!(0)),
        ("/stages/0/interval", json!("half")),
        ("/stages/0/interval", Value::Null),
        ("/stages/0/forcing", json!([])),
        ("/stages/0/forcing/slow", json!("1")),
        ("/stages/0/forcing/slow/0", json!("1")),
        ("/stages/0/forcing/slow/0/0", json!(true)),
        ("/embedded", json!({"from": 1})),
        ("/claims", json!({"dense_order": 2})),
        ("/precision", json!({})),
    ];
    for (place, value) in replaced {
        let mut bad = good.clone();
        bad["precision"] = json!({"decimals": 9});
        *bad.pointer_mut(place).unwrap() = value.clone();
        assert!(!schema.is_valid(&bad), "{place}: {value}");
        assert!(InfinitesimalMethod::from_json(bad.to_string().as_bytes(), "bad").is_err(), "{place}: {value}");
    }
}

#[test]
fn starts_and_drifts_are_rows() {
    let schema = schema();
    let good = read(&folder().join("multirate/mis4a.json"));
    assert!(schema.is_valid(&good));
    for (place, value) in [
        ("/stages/1/start", json!("0")),
        ("/stages/1/start", json!([["0"]])),
        ("/stages/1/drift/1", Value::Null),
        ("/stages/2/drift", json!({"slow": ["0"]})),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap() = value.clone();
        assert!(!schema.is_valid(&bad), "{place}: {value}");
        assert!(InfinitesimalMethod::from_json(bad.to_string().as_bytes(), "bad").is_err(), "{place}: {value}");
    }
}

#[test]
fn methods_with_micro_steps_follow_their_schema() {
    use hemiola_multirate::microsteps::{MicroStepMethod, library};
    let file = read(&folder().join("microsteps.schema.json"));
    assert!(jsonschema::meta::is_valid(&file));
    let schema = jsonschema::validator_for(&file).unwrap();
    for id in library::ids() {
        assert!(schema.is_valid(&read(&folder().join(format!("microsteps/{id}.json")))), "{id}");
    }
    let good = read(&folder().join("microsteps/multirate-midpoint.json"));
    for (place, value) in [
        ("/format", json!("hemiola-multirate/1")),
        ("/slow/b", json!([])),
        ("/fast/a", json!("0")),
        ("/coupling/fast_slow/0/0", json!(1)),
        ("/coupling/slow_fast_first", json!([])),
        ("/coupling", json!({"fast_slow": []})),
        ("/claims", json!({"embedded_order": 2})),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap() = value.clone();
        assert!(!schema.is_valid(&bad), "{place}: {value}");
        assert!(MicroStepMethod::from_json(bad.to_string().as_bytes(), "bad").is_err(), "{place}: {value}");
    }
}
