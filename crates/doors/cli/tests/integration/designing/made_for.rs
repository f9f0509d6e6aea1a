//! `hemiola design --for`, run as by users and programs.

use crate::common::{complaint, report};

#[test]
fn pairs_are_made_for_a_model() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let size = ["--slow", "2", "--fast", "4", "--slow-stages", "1,4", "--starts", "6"];
    let own = ["--for", "quarter-car", "--validation", "quarter-car:wheel-mass=30", "--end", "1", "--error", "1e-3"];
    let effort = ["--candidates", "1", "--rounds", "6", "--output"];
    let made = report("design", &[&size[..], &own, &effort, &[&file("made.json")]].concat());
    assert_eq!((made["order"].as_u64(), made["certificate"]["status"].is_object()), (Some(2), true));
    let runs = made["made_for"]["runs"].as_array().expect("runs");
    let flags: Vec<bool> = runs.iter().filter_map(|run| run["held_out"].as_bool()).collect();
    assert_eq!(flags, [false, true]);
    assert!(runs.iter().all(|run| run["best_single_rate"]["id"].is_string()));
    // The design file gives equal bytes, on one thread or more.
    let bytes = std::fs::read(file("made.json")).expect("the method");
    let again = report("design", &[&file("made.design.json"), "--output", &file("made.json"), "--force"]);
    assert_eq!(again["made_for"], made["made_for"]);
    assert_eq!(std::fs::read(file("made.json")).expect("the method"), bytes);
    for (fault, said) in [
        (vec!["--for", "half-car", "--error", "1e-3"], "half-car"),
        (vec!["--for", "quarter-car-body", "--error", "1e-3"], "two"),
        (vec!["--for", "quarter-car", "--error", "1e-3", "--variables", "wheel"], "wheel"),
        (vec!["--for", "quarter-car"], "--error"),
    ] {
        let found = complaint("design", &[&size[..], &fault, &["--output", &file("none.json")]].concat());
        assert!(found.contains(said), "{found}");
    }
}

#[test]
fn pairs_are_made_for_jacobians() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    // A body on a wheel; the wheel's position and speed are listed first and are fast.
    let rows =
        |stiffness: f64| format!("0 1 0 0\n{} -20 600 15  # the wheel\n0 0 0 1\n50 1.5 -50 -1.5\n", -600.0 - stiffness);
    for (name, stiffness) in [("soft.txt", 4000.0), ("stiff.txt", 5000.0)] {
        std::fs::write(file(name), rows(stiffness)).expect("a Jacobian");
    }
    let [soft, stiff] = ["soft.txt", "stiff.txt"].map(|name| format!("{}@3,4", file(name)));
    let size = ["--slow", "2", "--fast", "4", "--slow-stages", "1,4", "--starts", "6"];
    let own = ["--for-jacobians", &soft, "--validation", &stiff, "--end", "2", "--error", "1e-3"];
    let effort = ["--candidates", "1", "--rounds", "6", "--output"];
    let made = report("design", &[&size[..], &own, &effort, &[&file("made.json")]].concat());
    let runs = made["made_for"]["runs"].as_array().expect("runs");
    let output = ["--rounds", "1", "--output", &file("plain.json")];
    let plain =
        report("design", &[&size[..], &["--for-jacobians", &soft, "--end", "2", "--error", "1e-3"], &output].concat());
    let need = |made: &serde_json::Value| made["made_for"]["runs"][0]["need"]["steps"].as_u64().expect("steps");
    assert!(runs.len() == 2 && need(&made) <= need(&plain), "{} {}", need(&made), need(&plain));
    // Other commands accept the same system.
    let run = report("simulate", &[&soft, "shome-haug-jay-2-5", "--step", "0.01"]);
    assert!(run["methods"][0]["error"].as_f64().is_some_and(|error| error < 1e-3), "{run}");
    for (fault, said) in [("@5", "no slow variable 5"), ("@0", "@1..4"), ("@1,2,3,4", "two")] {
        let text = format!("{}{fault}", file("soft.txt"));
        let found = complaint("design", &[&size[..], &["--for-jacobians", &text, "--error", "1e-3"]].concat());
        assert!(found.contains(said), "{fault}: {found}");
    }
}

/// Checks that a Jacobian that cannot be read is named before any file of the design is.
#[test]
fn a_missing_jacobian_is_the_first_thing_said() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let output = file("pair.json");
    let size = ["--slow", "2", "--fast", "4", "--starts", "6", "--output", &output];
    let complaint = |more: &[&str]| complaint("design", &[&size[..], more, &["--error", "1e-3"]].concat());
    // Another design occupies the file, so that a warning about the new file's name would come first.
    report("design", &["--slow", "2", "--fast", "4", "--starts", "6", "--output", &output]);
    let before = std::fs::read_dir(folder.path()).expect("a folder").count();
    let missing = file("missing.txt");
    for option in ["--for-jacobians", "--for"] {
        let error = complaint(&[option, &format!("{missing}@1..2")]);
        assert!(error.contains(&format!("{missing}: no such file or folder")), "{error}");
        assert!(error.contains("hemiola example jacobian") && !error.contains("another design"), "{error}");
    }
    let error = complaint(&["--for-jacobians", &missing]);
    assert!(error.contains("expected the file and its slow variables, such as jacobian.csv@1,2,7"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), before);
}

/// The search would shorten its steps for hours to reach an error that the reference solution cannot show.
#[test]
fn errors_below_the_reference_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("pair.design.json");
    let text = r#"{ "format": "hemiola-design/1", "id": "pair", "name": "Pair", "slow": 2, "fast": 4, "order": 2, "starts": 2,
        "for": { "training": ["quarter-car"], "end": 1.0, "error": 1e-16, "candidates": 1, "rounds": 1 } }"#;
    std::fs::write(&file, text).expect("a design file");
    let refused = complaint("design", &[&file.display().to_string()]);
    assert!(refused.contains("quarter-car") && refused.contains("uncertainty of the reference"), "{refused}");
}
