//! `hemiola design --part` and `hemiola merge`: shares of a search give the same result as one machine.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{complaint, page, report};

/// Returns the files that a design leaves, except for shares.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let mut files: Vec<_> = entries
        .filter(|path| !name(path).ends_with(".search.json"))
        .map(|path| (name(&path), fs::read(&path).expect("a file")))
        .collect();
    files.sort();
    files
}

fn starts(file: &str) -> Vec<u64> {
    let text = fs::read(file).expect("a share");
    let share: Value = serde_json::from_slice(&text).expect("JSON");
    share["done"].as_array().expect("starts").iter().filter_map(|start| start["number"].as_u64()).collect()
}

#[test]
fn shares_make_what_one_machine_makes() {
    let (whole, parts) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let [alone, merged] = [&whole, &parts].map(|folder| folder.path().join("pair.json").display().to_string());
    let size = ["--slow", "2", "--fast", "4", "--starts", "11"];
    page("design", &[&size[..], &["--output", &alone]].concat());
    let share = |part: &str| {
        let found = report("design", &[&size[..], &["--output", &merged, "--part", part]].concat());
        assert_eq!(found["complete"], true);
        found["file"].as_str().expect("a file").to_owned()
    };
    let first = share("1/3");
    assert!(first.ends_with("pair.part-1-of-3.search.json"), "{first}");
    assert_eq!(starts(&first), [0, 3, 6, 9]);
    assert_eq!(files(parts.path()), [], "a share writes no method");
    let others = [share("2/3"), share("3/3")];
    // Some shares are missing, one is repeated, one belongs to another division.
    let found = complaint("merge", &[&first, &others[1]]);
    assert!(found.contains("4 of 11 starts") && found.contains("--finish"), "{found}");
    page("merge", &[&others[1], &first, &others[0], &share("2/4")]);
    assert_eq!(files(parts.path()), files(whole.path()));
    // Missing starts may be tried here.
    fs::remove_file(&merged).expect("a method");
    page("merge", &[&first, "--finish"]);
    assert_eq!(files(parts.path()), files(whole.path()));
    assert!(!parts.path().join("pair.search.json").exists());
}

#[test]
fn a_share_goes_on_where_it_was_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = folder.path().join("pair.json").display().to_string();
    let arguments = ["--slow", "2", "--fast", "4", "--starts", "12", "--output", &output, "--part", "2/2"];
    page("design", &arguments);
    let file = folder.path().join("pair.part-2-of-2.search.json");
    let complete = fs::read(&file).expect("a share");
    let mut share: Value = serde_json::from_slice(&complete).expect("JSON");
    // One start is done, with a result that a search would not find.
    share["done"].as_array_mut().expect("starts").truncate(1);
    share["done"][0]["solution"] = Value::Null;
    fs::write(&file, share.to_string()).expect("a share");
    page("design", &[&arguments[..], &["--resume"]].concat());
    assert_eq!(starts(&file.display().to_string()), [1, 3, 5, 7, 9, 11]);
    let resumed: Value = serde_json::from_slice(&fs::read(&file).expect("a share")).expect("JSON");
    assert_eq!(resumed["done"][0]["solution"], Value::Null, "a start that is done is not repeated");
    // Contradictory shares and shares of another search are rejected.
    let other = folder.path().join("other.part-2-of-2.search.json");
    fs::write(&other, &complete).expect("a share");
    let [file, other] = [file, other].map(|path| path.display().to_string());
    assert!(complaint("merge", &[&file, &other, "--finish"]).contains("start 1 has a different result"));
    page("design", &["--slow", "2", "--fast", "4", "--starts", "13", "--output", &output, "--part", "1/2"]);
    let foreign = folder.path().join("pair.part-1-of-2.search.json").display().to_string();
    assert!(complaint("merge", &[&file, &foreign]).contains("belong to different searches"));
    for wrong in ["0/2", "3/2", "2", "a/b"] {
        assert!(complaint("design", &["--slow", "2", "--fast", "4", "--part", wrong]).contains("K/N"), "{wrong}");
    }
}
