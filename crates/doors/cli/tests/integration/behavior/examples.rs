//! `hemiola example`: every input is accepted by the command that is named with it.

use std::fs;
use std::path::Path;

use assert_cmd::cargo::cargo_bin_cmd;
use tempfile::TempDir;

use crate::common::{complaint, outcome, page, report};

/// Runs a command line in a folder and returns its exit code and both outputs.
fn run(line: &str, folder: &Path) -> (i32, String) {
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(words[0], "hemiola");
    let mut binary = cargo_bin_cmd!("hemiola");
    binary.args(&words[1..]).current_dir(folder).env_remove("HEMIOLA_METHODS").env("XDG_DATA_HOME", "/nonexistent");
    let output = binary.output().expect("the binary runs");
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    (output.status.code().expect("no signal"), text)
}

#[test]
fn every_input_is_read_by_its_command() {
    let all = report("example", &[]);
    let all = all.as_array().expect("a list");
    let names: Vec<&str> = all.iter().map(|one| one["kind"].as_str().expect("a kind")).collect();
    for wanted in ["jacobian", "drive", "sweep", "problem", "machine", "table", "design"] {
        assert!(names.contains(&wanted), "{wanted}");
    }
    for one in all {
        let [kind, file, command] = ["kind", "file", "command"].map(|key| one[key].as_str().expect(key));
        // An empty folder for each: the command needs no other file.
        let folder = TempDir::new().expect("a folder");
        let (code, said) = run(&format!("hemiola example {kind}"), folder.path());
        assert_eq!((code, said), (0, format!("wrote {file}\ntry: {command}\n")), "{kind}");
        let (code, said) = run(command, folder.path());
        assert_eq!(code, 0, "{command}: {said}");
    }
    let listed = page("example", &[]);
    assert!(names.iter().all(|name| listed.contains(&format!("\n {name} "))), "{listed}");
}

/// Checks that the measurements are those of the model, with the errors that the first line states.
#[test]
fn parameters_come_back_from_the_measurements() {
    let folder = TempDir::new().expect("a folder");
    assert_eq!(run("hemiola example drive.csv", folder.path()).0, 0);
    let file = folder.path().join("drive.csv");
    let free = "yaw-inertia,front-peak,rear-peak";
    let data = file.to_str().expect("UTF-8");
    let fit = report("identify", &["single-track", "--data", data, "--free", free, "--deviations", "1e-3"]);
    for (parameter, truth) in fit["parameters"].as_array().expect("parameters").iter().zip([1752.0, 4560.4, 3947.81]) {
        let [value, deviation] = ["value", "deviation"].map(|key| parameter[key].as_f64().expect(key));
        assert!((value - truth).abs() < 3.0 * deviation && deviation < 0.01 * truth, "{parameter}");
    }
}

#[test]
fn files_are_overwritten_by_force_alone() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("mine.csv");
    let name = file.to_str().expect("UTF-8");
    page("example", &["table", "--output", name]);
    let written = fs::read_to_string(&file).expect("a file");
    fs::write(&file, "mine").expect("a file");
    assert!(complaint("example", &["table", "--output", name]).contains("already exists"));
    assert_eq!(fs::read_to_string(&file).expect("a file"), "mine");
    page("example", &["table", "--output", name, "--force"]);
    assert_eq!(fs::read_to_string(&file).expect("a file"), written);
    // Standard output carries the file alone.
    assert_eq!(outcome("example", &["table", "--output", "-"]), (0, written, String::new()));
    assert!(complaint("example", &["car"]).contains("possible values"));
}
