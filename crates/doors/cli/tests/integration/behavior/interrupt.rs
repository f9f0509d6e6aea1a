//! Ctrl-C ends every command with exit code 130, with or without results to save.
#![cfg(unix)]

use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Returns the output of a command that is interrupted after a second. Undisturbed, it would take minutes.
fn interrupted(arguments: &[&str]) -> Output {
    let mut binary = Command::new(env!("CARGO_BIN_EXE_hemiola"));
    let run = binary.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    std::thread::sleep(Duration::from_secs(1));
    let before = Instant::now();
    let signal = Command::new("kill").args(["-s", "INT", &run.id().to_string()]).status();
    assert!(signal.expect("kill").success(), "{arguments:?} had ended");
    let output = run.wait_with_output().expect("an end");
    assert!(before.elapsed() < Duration::from_secs(30), "{arguments:?} went on");
    output
}

#[track_caller]
fn ends_with_130(arguments: &[&str]) -> Output {
    let output = interrupted(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{arguments:?}: {said}");
    assert!(!said.contains("panicked"), "{said}");
    output
}

/// Returns the twelfth-order method of the library with a claim that takes hours to check.
fn endless() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let method = hemiola::tableau::library::method("ono-12").expect("a method").to_json();
    let file = folder.path().join("ono-12.json");
    fs::write(&file, method.replace("\"order\": 12", "\"order\": 16")).expect("a file");
    let name = file.to_str().expect("UTF-8").to_owned();
    (folder, name)
}

#[test]
fn a_check_of_one_method_ends_at_once() {
    let (_folder, file) = endless();
    let output = ends_with_130(&["check", &file]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "interrupted\n");
}

#[test]
fn lint_ends_at_once() {
    // The first order that fails ends the check of a file after a second, so there are many files.
    let (folder, file) = endless();
    let text = fs::read_to_string(&file).expect("a file");
    for number in 1..=60 {
        let id = format!("ono-12-{number}");
        let copy = text.replace("\"ono-12\"", &format!("\"{id}\""));
        fs::write(folder.path().join(format!("{id}.json")), copy).expect("a file");
    }
    assert!(ends_with_130(&["lint", folder.path().to_str().expect("UTF-8")]).stdout.is_empty());
}

#[test]
fn a_search_for_one_polynomial_ends_at_once() {
    let request = ["--stages", "95", "--order", "5", "--spectrum", "wedge:80", "--digits", "600"];
    ends_with_130(&[&["polynomial"], &request[..]].concat());
}

#[test]
fn a_family_is_finished_or_not_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("family.json");
    let levels = ["--levels", "32,24,16,11,8,6,5", "--order", "4", "--starts", "1000", "--output"];
    let output = ends_with_130(&[&["design"], &levels[..], &[file.to_str().expect("UTF-8")]].concat());
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted before the family was finished"));
    assert!(fs::read_dir(folder.path()).expect("a folder").next().is_none());
}

#[test]
fn a_report_ends_at_once_and_leaves_no_part_of_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    ends_with_130(&["reproduce", "jack-adaptive-rk4", "--folder", folder.path().to_str().expect("UTF-8")]);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn a_convergence_study_prints_what_it_has() {
    let caps = ["--max-runs", "40", "--max-steps", "1000000000000", "--time-limit", "100000", "--end", "1000"];
    let output = ends_with_130(&[&["converge", "kepler", "explicit-euler", "heun-2"], &caps[..]].concat());
    let (said, page) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    assert!(
        page.contains("steps and more (interrupted)") || said.contains("before the reference solution"),
        "{page}{said}"
    );
}

#[test]
fn an_optimization_prints_its_best_iterate_from_which_it_goes_on() {
    let slow = ["optimize", "lane-change", "--points", "26", "--steps-per-interval", "1000", "--single-grid", "--json"];
    let output = ends_with_130(&slow);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found["status"], "interrupted");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("result.json");
    fs::write(&file, &output.stdout).expect("a file");
    let start = ["optimize", "lane-change", "--points", "26", "--json", "--start", file.to_str().expect("UTF-8")];
    let run = Command::new(env!("CARGO_BIN_EXE_hemiola")).args(start).output().expect("the binary runs");
    let found: serde_json::Value = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!(found["status"], "optimal");
    assert!(found["duration"].as_f64().is_some_and(|duration| (duration - 7.702_603).abs() < 1e-4));
}
