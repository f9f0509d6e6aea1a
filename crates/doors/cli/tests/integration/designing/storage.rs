//! `hemiola design --storage`: methods in low-storage forms.

use crate::common::{Folder, complaint, page, report};

#[test]
fn a_low_storage_method_is_designed_and_checked() {
    let folder = Folder::new();
    let file = folder.path("mine.json");
    let options = ["--storage", "2N", "--stages", "5", "--order", "3", "--spectrum", "imaginary", "--starts", "8"];
    let all = [&options[..], &["--output", &file]].concat();
    let found = report("design", &all);
    // The largest limit of order three with five stages.
    let limit = found["limit"].as_f64().unwrap();
    assert!((limit - 3.913282486).abs() < 1e-6, "{limit}");
    let text = folder.text("mine.json");
    let command = "hemiola design --storage 2N --stages 5 --order 3 --spectrum imaginary --starts 8";
    assert!(text.contains(command) && text.contains("\"low_storage\""), "{text}");
    assert!(page("check", &[&file]).contains("order 3"));
    // The same options give the same bytes; others do not overwrite the file.
    page("design", &all);
    assert_eq!(folder.text("mine.json"), text);
    let other = ["--storage", "2N", "--stages", "6", "--order", "3", "--output", &file];
    assert!(complaint("design", &other).contains("belongs to another design"));
}

#[test]
fn impossible_low_storage_designs_are_refused_by_name() {
    let refused = |options: &[&str]| complaint("design", &[&["--storage"], options].concat());
    assert!(refused(&["2N", "--stages", "4", "--order", "4"]).contains("5 for order 4 in 2N"));
    assert!(refused(&["2R", "--stages", "4", "--order", "3"]).contains("expected 2N, 2S or 3S*"));
    assert!(refused(&["5N", "--stages", "4", "--order", "3"]).contains("no low-storage form"));
    let fraction = refused(&["2N", "--stages", "5", "--order", "4", "--step-fraction", "0.9"]);
    assert!(fraction.contains("--step-fraction requires --spectrum"), "{fraction}");
    let embedded = refused(&["2S", "--stages", "4", "--order", "4", "--embedded", "3"]);
    assert!(embedded.contains("coefficients for"), "{embedded}");
}
