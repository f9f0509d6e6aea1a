//! The JSON schema of design files accepts written files and rejects what the reader rejects.

#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::fs;
use std::path::{Path, PathBuf};

use hemiola_design::{Bound, Coupling, DesignFile, Objective, Specification, Stability, Structure};
use hemiola_polynomial::Axis;
use jsonschema::Validator;
use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tableaus")
}

fn document() -> Value {
    serde_json::from_slice(&fs::read(folder().join("design.schema.json")).unwrap()).unwrap()
}

fn schema() -> Validator {
    jsonschema::validator_for(&document()).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns a design with every field.
fn full() -> DesignFile {
    let mut specification = Specification::new(3, 6, None).unwrap();
    specification.slow_stages = Some(vec![0, 2, 5]);
    let [one, half] = ["1", "1/2"].map(|text| text.parse().unwrap());
    let sixth = "1/6".parse().unwrap();
    specification.stability[0] = Stability::Given(vec![one, "1".parse().unwrap(), half, sixth]);
    let bounds = [("fast.a[3][2]", Bound::Between(-0.5, 1.0)), ("slow.b[1]", Bound::Fixed("1/3".parse().unwrap()))];
    specification.structure = Structure {
        shared_abscissae: true,
        shared_weights: true,
        first_same_as_last: true,
        non_negative_weights: true,
        abscissae_in_step: true,
        increasing_abscissae: true,
        fast_chain: true,
        sparsity: 0.1,
        bounds: bounds.into_iter().map(|(name, bound)| (name.parse().unwrap(), bound)).collect(),
        ..Structure::default()
    };
    specification.embedded = Some(2);
    specification.dense = Some(2);
    let coupling = Coupling { damping: 0.05, gammas: vec![0.1], profile: vec![0.9], weight: 2.0 };
    specification.objective = Objective {
        error: [1.0, 2.0, 3.0],
        step: Some([0.8, 4.0]),
        coefficients: 0.1,
        internal: Some(0.2),
        coupling: Some(coupling),
    };
    DesignFile::new(specification)
}

#[test]
fn what_is_written_follows_the_schema() {
    assert!(jsonschema::meta::is_valid(&document()));
    let schema = schema();
    let plain = DesignFile::new(Specification::new(2, 5, None).unwrap());
    let mut limited = Specification::new(5, 9, None).unwrap();
    limited.stability = [
        Stability::AtLeast { axis: Axis::Real, fraction: 0.8 },
        Stability::Optimal { axis: Axis::Imaginary, damping: 0.05, band: 0.75 },
    ];
    let mut decided = Specification::new(2, 5, None).unwrap();
    decided.stability[0] = Stability::Auto;
    for file in [plain, full(), DesignFile::new(limited), DesignFile::new(decided)] {
        let written: Value = serde_json::from_str(&file.to_json()).unwrap();
        let problems: Vec<String> =
            schema.iter_errors(&written).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(problems.is_empty(), "{}\n{}", problems.join("\n"), file.to_json());
    }
}

/// Checks that documents that differ from a valid one in one place are rejected by the schema and by the reader.
#[test]
fn bad_documents_follow_neither() {
    let schema = schema();
    let good: Value = serde_json::from_str(&full().to_json()).unwrap();
    let is_read = |value: &Value| DesignFile::from_json(value.to_string().as_bytes(), "a.design.json").is_ok();
    assert!(schema.is_valid(&good) && is_read(&good));
    for (place, value) in [
        ("", json!([])),
        ("/format", json!("hemiola-method/1")),
        ("/id", json!("Upper-Case")),
        ("/name", json!("")),
        ("/slow", json!(0)),
        ("/slow", json!("3")),
        ("/fast", json!(25)),
        ("/order", json!(9)),
        ("/slow_stages", json!([0, 2, 5])),
        ("/stability/fast", json!("best")),
        ("/stability/fast", json!({})),
        ("/stability/fast", json!({ "axis": "imaginary", "coefficients": ["1"] })),
        ("/stability/fast/axis", json!("diagonal")),
        ("/stability/fast", json!({ "axis": "imaginary", "damping": 0.05, "band": 0 })),
        ("/stability/fast", json!({ "axis": "imaginary", "damping": 0.05, "fraction": 0.8 })),
        ("/stability/slow", json!({ "axis": "real", "fraction": 1 })),
        ("/stability/slow", json!({ "fraction": 0.8 })),
        ("/stability/slow/coefficients/1", json!("pi")),
        ("/structure", json!([])),
        ("/structure/largest_coefficient", json!(0)),
        ("/structure/fast_chain", json!(1)),
        ("/structure/sparsity", json!(-0.1)),
        ("/structure/bounds", json!({ "fast.a[0][1]": 0 })),
        ("/structure/bounds", json!({ "fast.c[1]": 0 })),
        ("/structure/bounds", json!({ "fast.a[3][2]": [0] })),
        ("/structure/bounds", json!({ "fast.a[3][2]": true })),
        ("/objective/error", json!(-1)),
        ("/objective/error/slow", json!("1")),
        ("/objective/step", json!([1])),
        ("/objective/step/0", json!(0)),
        ("/objective/internal", json!(-1)),
        ("/objective/coupling/damping", json!(1)),
        ("/objective/coupling/gammas/0", json!(1)),
        ("/objective/coupling/profile/0", json!(3)),
        ("/seed", json!(-1)),
        ("/starts", json!(0)),
        ("/surplus", json!(1)),
        ("/structure/surplus", json!(true)),
        ("/objective/coupling/surplus", json!(1)),
    ] {
        let mut bad = good.clone();
        match place.rsplit_once("/surplus") {
            Some((object, _)) => bad.pointer_mut(object).unwrap()["surplus"] = value.clone(),
            None => *bad.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = value.clone(),
        }
        assert!(!schema.is_valid(&bad), "the schema accepts {place}: {value}");
        assert!(!is_read(&bad), "the reader accepts {place}: {value}");
    }
}

#[test]
fn designs_beside_methods_follow_the_schema() {
    let schema = schema();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.to_string_lossy().ends_with(".design.json") {
            let file = DesignFile::read(&path).unwrap_or_else(|error| panic!("{error}"));
            let text = fs::read_to_string(&path).unwrap();
            assert!(schema.is_valid(&serde_json::from_str(&text).unwrap()), "{}", path.display());
            assert_eq!(file.to_json(), text, "{} is not as it would be written", path.display());
        }
    }
}
