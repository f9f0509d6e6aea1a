//! The JSON schema of families accepts written files and rejects what the reader rejects.

#![allow(clippy::unwrap_used, reason = "the inputs are made here")]

use std::fs;
use std::path::{Path, PathBuf};

use hemiola_design::{FamilyFile, FamilySpecification};
use jsonschema::Validator;
use num_complex::Complex64;
use serde_json::{Value, json};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn document() -> Value {
    read(&folder("tableaus").join("family.schema.json"))
}

fn schema() -> Validator {
    jsonschema::validator_for(&document()).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns a family with every field.
fn full() -> FamilyFile {
    let specification = FamilySpecification::new(vec![9, 5, 4], 3, "dgsem:2".parse().unwrap());
    let systems = vec!["dg-advection:cells=2,meshes=3".to_owned()];
    let specification = FamilySpecification { systems, chain: true, seed: 7, starts: 3, ..specification };
    FamilyFile::new(specification, Some("dgsem:2".to_owned()))
}

#[test]
fn what_is_written_follows_the_schema() {
    assert!(jsonschema::meta::is_valid(&document()));
    let schema = schema();
    let eigenvalues =
        hemiola_polynomial::Spectrum::Eigenvalues(vec![Complex64::new(-1.0, 0.5), Complex64::new(-2.0, 0.0)]);
    let listed = FamilyFile::new(FamilySpecification::new(vec![4, 2], 2, eigenvalues), None);
    for file in [full(), listed] {
        let text = file.to_json();
        let written: Value = serde_json::from_str(&text).unwrap();
        let problems: Vec<String> =
            schema.iter_errors(&written).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(problems.is_empty(), "{}\n{text}", problems.join("\n"));
        assert_eq!(FamilyFile::from_json(text.as_bytes(), "a.family.json").unwrap(), file);
    }
}

#[test]
fn the_families_of_the_library_follow_it() {
    let schema = schema();
    let designs = fs::read_dir(folder("designs")).unwrap().map(|entry| entry.unwrap().path());
    let families: Vec<PathBuf> = designs.filter(|path| FamilyFile::is_name_of_one(path)).collect();
    assert!(families.len() >= 6);
    for path in families {
        assert!(schema.is_valid(&read(&path)), "{}", path.display());
        // The stored file equals the rewritten one, so that the library's designs have one form.
        let file = FamilyFile::read(&path).unwrap();
        assert_eq!(file.to_json(), fs::read_to_string(&path).unwrap(), "{}", path.display());
    }
}

/// Checks that documents that differ from a valid one in one place are rejected by the schema and by the reader.
#[test]
fn bad_documents_follow_neither() {
    let schema = schema();
    let good: Value = serde_json::from_str(&full().to_json()).unwrap();
    let is_read = |value: &Value| FamilyFile::from_json(value.to_string().as_bytes(), "a.family.json").is_ok();
    assert!(schema.is_valid(&good) && is_read(&good));
    for (place, value) in [
        ("", json!([])),
        ("/format", json!("hemiola-design/1")),
        ("/id", json!("Upper-Case")),
        ("/name", json!(" ")),
        ("/levels", json!([5])),
        ("/levels", json!([5, 5])),
        ("/levels", json!([33, 5])),
        ("/levels", json!([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2])),
        ("/levels/0", json!("9")),
        ("/order", json!(5)),
        ("/order", json!(1)),
        ("/spectrum", json!("circle")),
        ("/spectrum", json!("dg:")),
        ("/spectrum", json!([[1]])),
        ("/spectrum", json!([])),
        ("/share", json!(0)),
        ("/share", json!(1.1)),
        ("/for", json!("dg-advection")),
        ("/for/0", json!(1)),
        ("/chain", json!("yes")),
        ("/seed", json!(-1)),
        ("/starts", json!(0)),
        ("/surplus", json!(1)),
    ] {
        let mut bad = good.clone();
        if let Some(field) = place.strip_prefix('/').filter(|field| !field.contains('/')) {
            bad[field] = value.clone();
        } else {
            *bad.pointer_mut(place).unwrap() = value.clone();
        }
        assert!(!schema.is_valid(&bad), "the schema takes {value} at {place}");
        assert!(!is_read(&bad), "the reader takes {value} at {place}");
    }
    for field in ["format", "id", "name", "levels", "order", "spectrum"] {
        let mut bad = good.clone();
        bad.as_object_mut().unwrap().remove(field);
        assert!(!schema.is_valid(&bad) && !is_read(&bad), "{field}");
    }
}
