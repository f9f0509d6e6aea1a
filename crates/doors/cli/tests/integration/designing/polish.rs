//! `hemiola polish`, run as by users and programs.

use std::fs;
use std::path::Path;

use crate::common::{complaint, outcome, page, report};
use serde_json::Value;

const GAUSS: &str = r#"{ "format": "hemiola-method/1", "id": "gauss", "name": "Gauss", "claims": {"order": 4},
    "precision": {"decimals": 8}, "partitions": [{ "name": "all",
    "a": [["0.25", "-0.03867513"], ["0.53867513", "0.25"]], "b": ["1/2", "1/2"] }] }"#;

fn written(folder: &Path, text: &str) -> String {
    let file = folder.join("gauss.json");
    fs::write(&file, text).expect("a file in a temporary folder");
    file.display().to_string()
}

#[test]
fn digits_come_back_with_a_proof() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = written(folder.path(), GAUSS);
    let output = folder.path().join("polished.json").display().to_string();
    let found = report("polish", &[&file, "--output", &output]);
    assert_eq!((&found["family_dimension"], &found["explained"]), (&Value::from(0), &Value::Bool(true)));
    assert!(found["proof"]["radius"].as_f64() < Some(1e-48));
    let text = found["method"]["partitions"][0]["a"][1][0].as_str().expect("a coefficient");
    // Exact value: 1/4 + √3/6.
    assert_eq!(text, "0.53867513459481288225457439025097872782380087563506");
    let checked = report("check", &[&output]);
    assert_eq!((&checked[0]["id"], &checked[0]["order"]), (&Value::from("polished"), &Value::from(4)));
    let text = page("polish", &[&file, "--decimals", "20"]);
    assert!(text.contains("isolated") && text.contains("0.5386751346") && text.contains("hold exactly"), "{text}");
    assert!(text.contains("--output"), "{text}");
}

#[test]
fn a_family_is_refused_and_its_nearest_point_taken_on_request() {
    let (code, stdout, stderr) = outcome("polish", &["shome-haug-jay-2-5"]);
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(
        stderr.contains("a family of dimension 14 in 20 unknown decimals") && stderr.contains("--nearest"),
        "{stderr}"
    );
    let found = report("polish", &["shome-haug-jay-2-5", "--nearest"]);
    assert_eq!((&found["family_dimension"], &found["proof"]["fixed"]), (&Value::from(14), &Value::from(14)));
    assert_eq!(found["certificate"]["status"]["proved"], "enclosed");
}

#[test]
fn a_wrong_digit_ends_with_exit_code_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = written(folder.path(), &GAUSS.replace("0.53867513", "0.53817513"));
    let (code, stdout, _) = outcome("polish", &[&file]);
    assert_eq!(code, 1);
    assert!(stdout.contains("more than the printed digits explain") && stdout.contains("all.a[2][1]"), "{stdout}");
}

#[test]
fn bad_usage_is_told() {
    assert!(complaint("polish", &["rk4"]).contains("expected decimals of three digits or more"));
    assert!(complaint("polish", &["shome-haug-jay-2-5", "--decimals", "60"]).contains("expected 1 to 50"));
    assert!(complaint("polish", &["shome-haug-jay-2-5", "--output", "x.txt"]).contains(".json"));
}
