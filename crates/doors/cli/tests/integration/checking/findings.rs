//! Findings on error estimates, exchanged weights, and tables that repeat a method of the library.

use serde_json::{Value, json};

use crate::common::{Folder, outcome, page, report};

#[test]
fn an_estimate_that_vanishes_is_a_finding() {
    let text = page("check", &["fehlberg-8-7"]);
    assert!(text.contains("error estimate") && text.contains("vanishes on quadrature y' = f(t)"), "{text}");
    assert!(page("check", &["sayfy-aburub-4-3"]).contains("vanishes on"));
    assert!(!page("check", &["dormand-prince-5"]).contains("error estimate "));
    let gaps = &report("check", &["fehlberg-8-7"])[0]["estimate_vanishes"];
    assert_eq!(gaps, &json!([{"partition": "all", "problems": "quadrature"}]));
    // The weights differ at stages with the same abscissa.
    let folder = Folder::new();
    let file = folder.file(
        "linear.json",
        r#"{"format": "hemiola-method/1", "id": "linear", "name": "Linear", "claims": {"order": 2, "embedded_order": 2},
            "partitions": [{"name": "all", "a": [["0","0","0"],["1/2","0","0"],["1/4","1/4","0"]],
            "b": ["0","1","0"], "b_hat": ["0","1/2","1/2"]}]}"#,
    );
    let (_, text, _) = outcome("lint", &[&file]);
    assert!(text.contains("vanishes on quadrature") && !text.contains("vanishes on linear problems"), "{text}");
    // Both have the stability function 1 + z + z²/2.
    let file = folder.file(
        "linear.json",
        r#"{"format": "hemiola-method/1", "id": "linear", "name": "Linear", "claims": {"order": 2, "embedded_order": 1},
            "partitions": [{"name": "all", "a": [["0","0","0"],["1/2","0","0"],["1","0","0"]],
            "b": ["0","1","0"], "b_hat": ["1/2","0","1/2"]}]}"#,
    );
    let (_, text, _) = outcome("lint", &[&file]);
    let finding = "warning[estimate-vanishes]: the error estimate vanishes on linear problems y' = λy";
    assert!(text.contains(finding) && !text.contains("quadrature"), "{text}");
}

#[test]
fn exchanged_weights_are_named() {
    let folder = Folder::new();
    let text = r#"{"format": "hemiola-method/1", "id": "heun", "name": "Heun–Euler", "claims": {"order": 2, "embedded_order": 1},
        "partitions": [{"name": "all", "a": [["0","0"],["1","0"]], "b": ["1","0"], "b_hat": ["1/2","1/2"]}]}"#;
    let file = folder.file("heun.json", text);
    let (code, page, _) = outcome("check", &[&file]);
    assert_eq!(code, 1);
    assert!(page.contains("\nb and b̂ are exchanged: each has the order claimed for the other\n"), "{page}");
    let (_, json, _) = outcome("check", &[&file, "--json"]);
    let checked: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(checked[0]["weights_exchanged"], true);
    let (code, page, _) = outcome("lint", &[&file]);
    assert!(code == 1 && page.contains("b and b̂ are exchanged") && page.matches("error[").count() == 1, "{page}");
    // The embedded weights have the higher order, as in Fehlberg's pairs.
    let higher = text.replace(r#""order": 2, "embedded_order": 1"#, r#""order": 1, "embedded_order": 2"#);
    let file = folder.file("heun.json", &higher);
    let (code, page, _) = outcome("check", &[&file]);
    assert!(code == 0 && !page.contains("exchanged"), "{page}");
}

#[test]
fn a_table_is_compared_with_the_library() {
    let folder = Folder::new();
    let own = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tableaus/dormand-prince-5.json"));
    let own = own.expect("a method of the library").replace("\"id\": \"dormand-prince-5\"", "\"id\": \"mine\"");
    let file = folder.file("mine.json", &own);
    assert!(page("check", &[&file]).contains("this is `dormand-prince-5`\n"));
    assert!(!outcome("lint", &[&file]).1.contains("near-library"));
    // One digit is wrong.
    let file = folder.file("mine.json", &own.replacen("19372/6561", "19372/6651", 1));
    let twin = "this is `dormand-prince-5` but for a51 = 19372/6651 where `dormand-prince-5` has 19372/6561";
    let on_one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(on_one_line(outcome("check", &[&file]).1).contains(twin));
    assert!(on_one_line(outcome("lint", &[&file]).1).contains(twin));
    assert!(on_one_line(outcome("diagnose", &[&file]).1).contains(twin));
    let (_, json, _) = outcome("check", &[&file, "--json"]);
    let checked: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&checked[0]["library"]["id"], &checked[0]["library"]["entry"]),
        (&json!("dormand-prince-5"), &json!("a51"))
    );
    // A method of the library has no twin.
    assert!(!page("check", &["heun-2"]).contains("this is"));
}
