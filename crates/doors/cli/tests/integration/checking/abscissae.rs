//! Wrong abscissae: the claim of an order is one for y' = f(t, y).

use serde_json::{Value, json};

use crate::common::{Folder, outcome};

const WRONG_ABSCISSA: &str = r#"{"format": "hemiola-method/1", "id": "explicit-time", "name": "Wrong abscissa", "partitions": [
    {"name": "all", "a": [["0","0","0"],["1/2","0","0"],["-1","2","0"]], "b": ["1/6","2/3","1/6"], "c": ["0","1/3","1"]}],
    "claims": {"order": 3}}"#;

/// These numbers one by one, without a claim.
const SCALARS: &str = "a21 = 1/2; a31 = -1; a32 = 2\nc2 = 1/3; c3 = 1\nb1 = 1/6; b2 = 2/3; b3 = 1/6\n";

#[test]
fn a_wrong_abscissa_refutes_the_claim() {
    let folder = Folder::new();
    let file = folder.file("explicit-time.json", WRONG_ABSCISSA);
    let verdict =
        "claim order 3: FAILS: order 1 for y' = f(t, y), 3 for y' = f(y): c2 = 1/3 is not the row sum 1/2 of A";
    for arguments in [vec!["--summary", &file], vec![&file]] {
        let (code, text, _) = outcome("check", &arguments);
        assert!(code == 1 && text.contains(verdict), "{text}");
    }
    let (code, json, _) = outcome("check", &[&file, "--json"]);
    let checked: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((code, &checked[0]["order"], &checked[0]["non_autonomous_order"]), (1, &json!(3), &json!(1)));
    let (code, text, _) = outcome("lint", &[&file]);
    let finding = "error[order]: claims order 3; has order 1 for y' = f(t, y): c2 = 1/3 is not the row sum 1/2 of A";
    assert!(code == 1 && text.contains(finding) && !text.contains("row-sums"), "{text}");
}

#[test]
fn diagnose_names_the_abscissa() {
    let folder = Folder::new();
    let file = folder.file("explicit-time.json", WRONG_ABSCISSA);
    let (code, text, _) = outcome("diagnose", &[&file]);
    let found = "order 3 holds for y' = f(y), but y' = f(t, y) has order 1: c2 = 1/3 is not the row sum 1/2 of A";
    assert!(code == 0 && text.contains(found), "{text}");
    let (_, json, _) = outcome("diagnose", &[&file, "--json"]);
    let found: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(found["abscissae"]["non_autonomous_order"], 1);
}

#[test]
fn scalar_abscissae_are_read() {
    let folder = Folder::new();
    let file = folder.file("scalar-c.jl", SCALARS);
    let (code, text, _) = outcome("check", &[&file]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("no claim; order 3 for y' = f(y), order 1 for y' = f(t, y)\n"), "{text}");
    assert!(text.contains("non-autonomous order       1 (c2 = 1/3 is not the row sum 1/2 of A)\n"), "{text}");
    // Two stages have a single abscissa.
    let file = folder.file("midpoint.jl", "a21 = 1/2\nc2 = 1/3\nb1 = 0; b2 = 1\n");
    assert!(outcome("check", &[&file]).1.contains("no claim; order 2 for y' = f(y), order 1 for y' = f(t, y)\n"));
    // Numbers that contradict the row sums throughout are not abscissae.
    let file = folder.file("other.jl", "a21 = 1/2; a31 = -1; a32 = 2\nc2 = 5; c3 = 7\nb1 = 1/6; b2 = 2/3; b3 = 1/6\n");
    assert!(outcome("check", &[&file]).1.contains("no claim; order 3\n"));
}

#[test]
fn abscissae_that_differ_by_design_refute_nothing() {
    let (code, text, _) = outcome("check", &["lobatto-iiib-3", "--summary"]);
    assert!(code == 0 && text.contains("verified"), "{text}");
}

#[test]
fn a_stated_precision_that_is_too_high_is_named() {
    // Heun's method of order 3 with digits of quadruple precision, stated with 47 decimals.
    let third = "0.33333333333333333333333333300000000000000000000";
    let text = format!(
        r#"{{"format": "hemiola-method/1", "id": "heun", "name": "Heun", "precision": {{"decimals": 47}},
        "partitions": [{{"name": "all", "a": [["0","0","0"],["{third}","0","0"],
        ["0","0.66666666666666666666666666700000000000000000000","0"]], "b": ["0.25","0","0.75"]}}],
        "claims": {{"order": 3}}}}"#
    );
    let folder = Folder::new();
    let file = folder.file("heun.json", &text);
    let (code, text, _) = outcome("check", &[&file]);
    assert_eq!(code, 0, "{text}");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "order 3 as stated order 1; the stated precision of 47 decimals is too high exact order 1",
        "claim order 3: verified numerically, not to the stated precision of 47 decimals, which is too high",
    ] {
        assert!(text.contains(words), "{text}");
    }
    let (_, json, _) = outcome("check", &[&file, "--json"]);
    let checked: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&checked[0]["order"], &checked[0]["overstated_decimals"]), (&json!(3), &json!(47)));
}
