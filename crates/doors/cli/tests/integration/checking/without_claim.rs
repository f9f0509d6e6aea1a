//! Tables without a claim: the order goes on to the first that fails, in every place that states it.

use serde_json::{Value, json};

use crate::common::{Folder, outcome, page, report};

/// A method of order 6 with seven stages: quadrature holds to order 6, C(1) only.
const SIXTH_ORDER: &str = "\
0,0,0,0,0,0,0,0
1/3,1/3,0,0,0,0,0,0
2/3,0,2/3,0,0,0,0,0
1/3,1/12,1/3,-1/12,0,0,0,0
5/6,25/48,-55/24,35/48,15/8,0,0,0
1/6,3/20,-11/24,-1/8,1/2,1/10,0,0
1,-261/260,33/13,43/156,-118/39,32/195,80/39,0
,13/200,0,11/40,11/40,4/25,4/25,13/200
";

#[test]
fn the_order_is_that_of_the_first_failing_order() {
    let folder = Folder::new();
    let file = folder.file("sixth-order.csv", SIXTH_ORDER);
    let (code, text, _) = outcome("check", &[&file]);
    assert_eq!(code, 0);
    for line in [
        " order                      6\n exact order                6\n",
        " linear order               6\n",
        " principal error norm       0.00522423809 (of the conditions of order 7)\n",
        "\nno claim; order 6\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let checked = &report_of(&file)[0];
    assert_eq!(
        ["order", "exact_order", "order_checked_to", "order_capped"].map(|key| &checked[key]),
        [&json!(6), &json!(6), &json!(7), &json!(false)]
    );
    assert_eq!(checked["principal_error"]["order"], 7);
    let (_, summary, _) = outcome("check", &["--summary", &file]);
    assert!(summary.contains("sixth-order       6           6       6   no claim; order 6"), "{summary}");
}

fn report_of(file: &str) -> Value {
    let (_, text, _) = outcome("check", &[file, "--json"]);
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_requested_order_bounds_the_check() {
    let folder = Folder::new();
    let file = folder.file("sixth-order.csv", SIXTH_ORDER);
    let (code, text, _) = outcome("check", &[&file, "--order", "5"]);
    assert_eq!(code, 0);
    assert!(text.contains(" order                    ≥ 5 (the highest checked)\n"), "{text}");
    // No order that was checked fails: the norm is that of a higher order.
    assert!(!text.contains("principal error norm") && text.contains("\norder 5: verified exactly\n"), "{text}");
    let (_, json, _) = outcome("check", &[&file, "--order", "5", "--json"]);
    let checked: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        ["order", "order_capped", "principal_error_norm", "principal_error"].map(|key| &checked[0][key]),
        [&json!(5), &json!(true), &Value::Null, &Value::Null]
    );
}

#[test]
fn lint_and_atlas_state_the_same_order() {
    let folder = Folder::new();
    let csv = folder.file("sixth-order.csv", SIXTH_ORDER);
    let file = folder.path("sixth-order.json");
    assert_eq!(outcome("import", &[&csv, "--output", &file]).0, 0);
    let (_, linted, _) = outcome("lint", &[&file]);
    assert!(linted.contains("warning[no-claim]: claims no order; has order 6\n"), "{linted}");
    let site = folder.path("site");
    page("atlas", &["--folder", &site, "--only", &file]);
    let html = folder.text("site/methods/sixth-order.html");
    assert!(html.contains("<strong>6</strong>") && html.contains("(of the conditions of order 7)"), "{html}");
}

#[test]
fn a_claim_that_is_too_low_shows_the_order() {
    let folder = Folder::new();
    let file = folder.path("sixth-order.json");
    let csv = folder.file("sixth-order.csv", SIXTH_ORDER);
    assert_eq!(outcome("import", &[&csv, "--output", &file]).0, 0);
    let text = folder.text("sixth-order.json");
    let claimed = text.trim_end().trim_end_matches('}').trim_end().to_owned() + ",\n  \"claims\": {\"order\": 3}\n}\n";
    folder.file("sixth-order.json", &claimed);
    assert!(page("check", &[&file]).contains("claim order 3: verified exactly (the order is 6)\n"));
    let (_, linted, _) = outcome("lint", &[&file]);
    assert!(linted.contains("warning[claim-too-low]: claims order 3; has order 6"), "{linted}");
}

#[test]
fn linearized_methods_go_on_too() {
    // Two Newton iterations: the Gauss method of three stages keeps its order 6 (orders up to 10 are possible).
    let text = page("check", &["gauss-3", "--linearized", "2"]);
    assert!(text.contains("linearized with 2 Newton iterations: order 6\n"), "{text}");
}

#[test]
fn methods_with_micro_steps_and_multirate_methods_go_on() {
    assert!(page("check", &["multirate-midpoint"]).contains("order 2 for every M"));
    assert_eq!(report("check", &["merk54"])[0]["order"], 5);
}
