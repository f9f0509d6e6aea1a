//! `hemiola diagnose`, run as by users and programs.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use tempfile::TempDir;

fn run(arguments: &[&str]) -> Output {
    let mut command = cargo_bin_cmd!("hemiola");
    command.args(arguments).env_remove("HEMIOLA_METHODS").env("XDG_DATA_HOME", "/nonexistent");
    command.output().expect("the binary runs")
}

/// Returns the exit code, standard output and standard error.
fn outcome(arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = run(arguments);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("no signal"), text(stdout), text(stderr))
}

/// Writes a library method with changes to its JSON text, under a new id.
fn variant(folder: &Path, id: &str, new_id: &str, changes: &[(&str, &str)]) -> String {
    let (_, mut method, _) = outcome(&["show", id, "--json"]);
    method = method.replace(&format!("\"{id}\""), &format!("\"{new_id}\""));
    for (from, to) in changes {
        assert!(method.contains(from), "{from}");
        method = method.replace(from, to);
    }
    let file = folder.join(format!("{new_id}.json"));
    fs::write(&file, method).expect("a file in a temporary folder");
    file.display().to_string()
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

#[test]
fn the_scanned_table_is_read_as_it_was_printed() {
    let folder = folder();
    let changes = [
        (r#""0.11732777", "0.50337891""#, r#""0.11732777", "0.18207389""#),
        (r#""0.24343069", "0.00023845""#, r#""0.24343069", "0.50337891""#),
    ];
    let scanned = variant(folder.path(), "shome-haug-jay-2-5", "as-scanned", &changes);
    let known = ["--given", "slow", "--polynomial", "fast=3/16,1/32,1/128"];
    let (code, json, _) = outcome(&[&["diagnose", &scanned, "--json"][..], &known].concat());
    assert_eq!(code, 0);
    let report: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&report["claimed_order"], &report["order"], &report["failed"]), (&2.into(), &1.into(), &5.into()));
    let [suggestion] = &report["suggestions"].as_array().expect("suggestions")[..] else { panic!("{json}") };
    assert_eq!((&suggestion["order"], &suggestion["plausible"]), (&2.into(), &true.into()));
    let [moved, lost] = &suggestion["changes"].as_array().expect("changes")[..] else { panic!("{json}") };
    assert_eq!((&moved["partition"], &moved["entry"]), (&"fast".into(), &"a32".into()));
    assert_eq!((&moved["old"], &moved["new"]), (&"0.18207389".into(), &"0.50337891".into()));
    assert_eq!((&lost["entry"], &lost["solved"]), (&"a42".into(), &true.into()));
    let value: f64 = lost["new"].as_str().expect("a text").parse().expect("a decimal");
    assert!((value - 0.00023845).abs() < 1.5e-8);
    let (code, page, _) = outcome(&[&["diagnose", &scanned][..], &known].concat());
    assert_eq!(code, 0);
    assert!(page.contains("moved entry") && page.contains("fast a32") && page.contains("0.50337891"), "{page}");
    // The file is unchanged.
    assert!(fs::read_to_string(&scanned).expect("the file").contains("0.18207389"));
}

#[test]
fn exit_codes_tell_what_was_found() {
    let (code, page, _) = outcome(&["diagnose", "rk4"]);
    assert_eq!((code, page.as_str()), (0, "rk4: order 4 holds; nothing to diagnose\n"));
    let (code, page, _) = outcome(&["diagnose", "rk4", "--order", "5"]);
    assert_eq!(code, 1);
    assert!(page.contains("none is better than chance"), "{page}");
    let folder = folder();
    let lost_sign = variant(folder.path(), "cash-karp-5", "lost-sign", &[("\"-70/27\"", "\"70/27\"")]);
    let (code, page, _) = outcome(&["diagnose", &lost_sign]);
    assert_eq!(code, 0);
    assert!(page.contains("lost or added sign") && page.contains("-70/27"), "{page}");
}

#[test]
fn bad_input_is_named() {
    let complaint = |arguments: &[&str]| {
        let (code, _, error) = outcome(arguments);
        assert_eq!(code, 2, "{arguments:?}: {error}");
        error
    };
    assert!(complaint(&["diagnose", "rk4", "--given", "quick"]).contains("no partition \"quick\""));
    assert!(complaint(&["diagnose", "mprk-p3", "--polynomial", "1/3"]).contains("expected one of"));
    assert!(complaint(&["diagnose", "rk4", "--polynomial", "1/3,x"]).contains("--polynomial"));
    assert!(complaint(&["diagnose", "rk4", "--polynomial", "1/3"]).contains("z^5"));
    assert!(complaint(&["diagnose", "rk4", "--separable"]).contains("one partition"));
    let folder = folder();
    let unclaimed = variant(folder.path(), "rk4", "unclaimed", &[("\"order\": 4", "")]);
    assert!(complaint(&["diagnose", &unclaimed]).contains("claims no order"));
    assert!(complaint(&["diagnose", "rk4", "--order", "99"]).contains("99"));
}

/// Checks that the claim on which `check` fails is diagnosed, here the separable order. Order 1 holds.
#[test]
fn a_separable_order_that_fails_is_diagnosed() {
    let folder = folder();
    let wrong = variant(folder.path(), "ruth-3", "wrong-ruth", &[(r#""7/24", "3/4", "0""#, r#""7/24", "4/3", "0""#)]);
    let (code, text, _) = outcome(&["check", &wrong, "--summary"]);
    assert!(code == 1 && text.contains("claim separable order 3: FAILS"), "{text}");
    let (code, text, _) = outcome(&["diagnose", &wrong]);
    assert_eq!(code, 0, "{text}");
    assert!(text.starts_with("wrong-ruth: separable order 3 fails (order "), "{text}");
    let (_, json, _) = outcome(&["diagnose", &wrong, "--json"]);
    let report: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&report["claim"], &report["sound"]), (&"separable order".into(), &false.into()));
    assert_eq!(report["suggestions"][0]["changes"][0]["new"], "3/4");
    // The table is correct as far as the order alone is concerned.
    let (_, text, _) = outcome(&["diagnose", &wrong, "--order", "1"]);
    assert_eq!(text, "wrong-ruth: order 1 holds; nothing to diagnose\n");
}

/// The embedded weights have the higher order, as in Fehlberg's pairs: b and its order hold, and the sign of a32 is lost.
#[test]
fn embedded_weights_of_the_higher_order_are_diagnosed() {
    let folder = folder();
    let table = |rows: &str| {
        let file = folder.path().join("pair.json");
        let text = format!(
            r#"{{"format":"hemiola-method/1","id":"pair","name":"pair","partitions":[{{"name":"all",
                "a":[["0","0","0"],["1","0","0"],["1/4","{rows}}}],"claims":{{"order":2,"embedded_order":3}}}}"#
        );
        fs::write(&file, text).expect("a file");
        file.display().to_string()
    };
    let sign = table(r#"-1/4","0"]],"b":["1/2","1/2","0"],"c":["0","1","1/2"],"b_hat":["1/6","1/6","2/3"]"#);
    let (code, text, _) = outcome(&["diagnose", &sign]);
    assert!(code == 0 && text.contains("lost or added sign   a32     -1/4      1/4"), "{text}");
    let rows = table(r#"1/4","0"]],"b":["1/6","1/6","2/3"],"b_hat":["1/2","1/2","0"]"#);
    let (code, text, _) = outcome(&["diagnose", &rows]);
    assert!(code == 0 && text.contains("exchanged rows"), "{text}");
}

#[test]
fn coefficients_of_multirate_methods_are_diagnosed() {
    let folder = folder();
    let file = folder.path().join("coupling.json");
    let table = r#"{"name":"one sign lost","dc":["1/2","1/2"],"W0":[["1/2","0"],["1/2","1"]]}"#;
    fs::write(&file, table).expect("a file");
    let file = file.display().to_string();
    let (code, _, said) = outcome(&["diagnose", &file]);
    assert!(code == 2 && said.contains("claims no order"), "{said}");
    let (code, text, _) = outcome(&["diagnose", &file, "--order", "2"]);
    assert!(code == 0 && text.contains("slow γ^0 of stage 3 for Y1   1/2       -1/2"), "{text}");
    let (_, json, _) = outcome(&["diagnose", &file, "--order", "2", "--json"]);
    let report: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&report["sound"], &report["suggestions"][0]["changes"][0]["new"]), (&false.into(), &"-1/2".into()));
    let (code, text, _) = outcome(&["diagnose", "merk32"]);
    assert!(code == 0 && text.contains("nothing to diagnose"), "{text}");
}
