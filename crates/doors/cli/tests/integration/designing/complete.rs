//! `hemiola complete`, run as by users and programs.

use crate::common::{complaint, outcome, page, report};
use serde_json::Value;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

#[test]
fn what_is_completed_passes_the_check() {
    let folder = folder();
    for (id, arguments) in [
        ("ars-4-4-3", vec!["--embedded", "2", "--dense", "3"]),
        ("imex-ssp3-433", vec!["--embedded", "2"]),
        ("rk4", vec!["--embedded", "3", "--dense", "3", "--extra-stage"]),
        ("gauss-3", vec!["--dense", "3"]),
        ("mprk-2a23", vec!["--embedded", "1"]),
    ] {
        let file = folder.path().join(format!("{id}-completed.json")).display().to_string();
        let arguments = [&[id][..], &arguments, &["--output", &file]].concat();
        let found = report("complete", &arguments);
        assert_eq!(found["method"]["id"], format!("{id}-completed"));
        let checked = report("check", &[&file]);
        let claimed = &found["method"]["claims"];
        assert_eq!(checked[0]["order"], claimed["order"], "{id}");
        if let Some(order) = claimed["embedded_order"].as_u64() {
            assert_eq!(checked[0]["embedded_order"], order, "{id}");
        }
        if let Some(order) = claimed["dense_order"].as_u64() {
            assert!(checked[0]["dense_output"]["order"].as_u64() >= Some(order), "{id}: {checked}");
        }
        let note = found["method"]["source"]["note"].as_str().expect("a note");
        assert!(note.contains("Added by Hemiola"), "{note}");
    }
}

#[test]
fn what_is_impossible_comes_with_its_proof() {
    let (code, stdout, stderr) = outcome("complete", &["rk4", "--embedded", "3"]);
    assert_eq!((code, stderr.as_str()), (1, ""));
    assert!(
        stdout.contains("none of order 3") && stdout.contains("determinant") && stdout.contains("--extra-stage"),
        "{stdout}"
    );
    let (code, json, _) = outcome("complete", &["rk4", "--dense", "4", "--json"]);
    let json: Value = serde_json::from_str(&json).expect("valid JSON");
    assert_eq!((code, &json["dense"]["found"], &json["method"]), (1, &Value::Bool(false), &Value::Null));
    assert_eq!(json["dense"]["proof"]["kind"], "contradiction");
    let (code, _, stderr) =
        outcome("complete", &["ars-2-3-3", "--embedded", "2", "--json", "--output", "nowhere.json"]);
    assert_eq!((code, stderr.as_str()), (1, ""));
    assert!(!std::path::Path::new("nowhere.json").exists());
}

#[test]
fn people_read_the_weights() {
    let text = page("complete", &["ars-4-4-3-shared-weights", "--embedded", "2"]);
    assert!(text.contains("order 2, the same in all partitions") && text.contains("implicit b̂:"), "{text}");
}

#[test]
fn uniqueness_is_that_of_the_set_that_was_searched() {
    let text = page("complete", &["hemiola-4-8", "--dense", "2"]);
    assert!(text.contains("order 3, the only one of degree 3 with a continuous derivative"), "{text}");
    let found = report("complete", &["hemiola-4-8", "--dense", "2"]);
    assert_eq!((&found["dense"]["order"], &found["dense"]["order_of_conditions"]), (&3.into(), &2.into()));
    assert_eq!(found["method"]["claims"]["dense_order"], 3);
    let text = page("complete", &["gauss-3", "--dense", "3"]);
    assert!(text.contains("order 3, unique"), "{text}");
}

#[test]
fn bad_usage_is_told() {
    assert!(complaint("complete", &["rk4"]).contains("--embedded"));
    assert!(complaint("complete", &["rk4", "--embedded", "0"]).contains("an order from 1 to 12"));
    assert!(
        complaint("complete", &["gauss-2", "--embedded", "1", "--extra-stage"]).contains("first stage is explicit")
    );
    assert!(complaint("complete", &["rk4", "--embedded", "2", "--output", "Bad name.json"]).contains("lower-case"));
}

#[test]
fn multirate_methods_get_an_embedded_row() {
    let folder = folder();
    let file = folder.path().join("kw3-embedded.json").display().to_string();
    let text = page("complete", &["mis-kw3", "--embedded", "2", "--output", &file]);
    assert!(text.contains("order 2, the best of 1 parameter") && text.contains("slow γ(τ)"), "{text}");
    let checked = report("check", &[&file]);
    assert_eq!((&checked[0]["order"], &checked[0]["embedded"]["order"]), (&3.into(), &2.into()));
    let found = report("complete", &["imex-mri-gark3a", "--embedded", "2"]);
    assert_eq!((&found["embedded"]["found"], &found["exact"]), (&true.into(), &false.into()));
}
