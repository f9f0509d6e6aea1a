//! `hemiola sweep`: a grid of designs gives equal results in one run, in shares, or after a crash.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{complaint, page, report};

const GRID: &str = r#"{ "format": "hemiola-sweep/1", "design": { "slow": 2, "fast": 4, "starts": 6 }, "over": [
  { "name": "size", "values": [{}, { "slow": 2, "fast": 5 }] },
  { "name": "damping", "values": [{}, { "stability": { "fast": { "axis": "imaginary", "damping": 0.05 } } }] } ] }"#;

fn sweep(folder: &Path, text: &str) -> String {
    let file = folder.join("grid.sweep.json");
    fs::write(&file, text).expect("a sweep");
    file.display().to_string()
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let mut files: Vec<_> = entries.map(|path| (name(&path), fs::read(&path).expect("a file"))).collect();
    files.sort();
    files
}

#[test]
fn a_grid_is_made_once_and_shares_make_the_same() {
    let (whole, parts) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let file = sweep(whole.path(), GRID);
    let found = report("sweep", &[&file]);
    assert_eq!((found["open"].as_u64(), found["designs"].as_array().map(Vec::len)), (Some(0), Some(4)));
    assert_eq!(found["designs"][3]["values"], serde_json::json!(["2–5", "axis imaginary, damping 0.05"]));
    assert!(found["designs"].as_array().expect("designs").iter().any(|design| design["front"] == true));
    let complete = files(whole.path());
    assert!(complete.iter().any(|(name, _)| name == "grid.md") && complete.iter().any(|(name, _)| name == "grid.svg"));
    // A design of the grid equals the result of its design file.
    let alone = tempfile::tempdir().expect("a folder");
    let design = whole.path().join("grid-3.design.json").display().to_string();
    page("design", &[&design, "--output", &alone.path().display().to_string()]);
    for (name, bytes) in files(alone.path()) {
        assert!(complete.contains(&(name.clone(), bytes)), "{name}");
    }
    // In shares, in another folder; the first share leaves no table.
    let file = sweep(parts.path(), GRID);
    let first = report("sweep", &[&file, "--part", "2/2"]);
    assert_eq!((first["open"].as_u64(), parts.path().join("grid.md").exists()), (Some(2), false));
    report("sweep", &[&file, "--part", "1/2"]);
    assert!(files(parts.path()) == complete);
    // Completed designs are not repeated; lost ones are. Those of another grid are overwritten on request only.
    let untouched = parts.path().join("grid-1.json");
    let time = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).expect("a time");
    let before = time(&untouched);
    fs::remove_file(parts.path().join("grid-2.certificate.json")).expect("a certificate");
    fs::copy(parts.path().join("grid-4.design.json"), parts.path().join("grid-3.design.json")).expect("a copy");
    let kept = files(parts.path());
    let refused = complaint("sweep", &[&file]);
    assert!(refused.contains("grid-3.json already exists") && refused.contains("--force"), "{refused}");
    assert!(files(parts.path()) == kept);
    assert!(page("sweep", &[&file, "--force"]).contains("grid-1 (as it is; as it is): error norm"));
    assert!(files(parts.path()) == complete && time(&untouched) == before);
}

#[test]
fn designs_that_do_not_exist_are_part_of_the_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let over = r#""over": [{ "name": "bound", "values": [{}, { "structure": { "largest_coefficient": 0.5 } }] }]"#;
    let design = r#""format": "hemiola-sweep/1", "design": { "slow": 2, "fast": 4, "starts": 3 }"#;
    let file = sweep(folder.path(), &format!("{{ {design}, {over} }}"));
    let text = page("sweep", &[&file]);
    assert!(text.contains("grid-2 (0.5): none: ") && text.contains("grid.svg"), "{text}");
    let report = fs::read_to_string(folder.path().join("grid.md")).expect("a report");
    assert!(report.contains("Without a result:\n\n- `grid-2`: "), "{report}");
    // It is not searched for again.
    assert_eq!(page("sweep", &[&file]), text);
}

#[test]
fn a_machine_that_ends_loses_little() {
    let (folder, undisturbed) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let grid = GRID.replace("\"starts\": 6", "\"starts\": 300");
    let file = sweep(folder.path(), &grid);
    // Killed in the middle of the first search that leaves a state, which is at most half a second old.
    let mut process = Command::new(env!("CARGO_BIN_EXE_hemiola"))
        .args(["sweep", &file])
        .stdout(Stdio::null())
        .spawn()
        .expect("a process");
    let begin = Instant::now();
    // Names alone: files come and go while the process runs.
    let names = || {
        fs::read_dir(folder.path()).expect("a folder").filter_map(|entry| entry.ok()?.file_name().into_string().ok())
    };
    let has_state = || names().any(|name| name.ends_with(".search.json"));
    while process.try_wait().expect("a process").is_none() && !has_state() && begin.elapsed() < Duration::from_secs(60)
    {
        std::thread::sleep(Duration::from_millis(20));
    }
    process.kill().expect("a process to kill");
    process.wait().expect("an end");
    page("sweep", &[&file]);
    page("sweep", &[&sweep(undisturbed.path(), &grid)]);
    let strip = |files: Vec<(String, Vec<u8>)>| -> Vec<(String, Vec<u8>)> {
        // Files that a killed process was about to write have temporary names.
        files.into_iter().filter(|(name, _)| name.starts_with("grid")).collect()
    };
    assert!(strip(files(folder.path())) == strip(files(undisturbed.path())));
}

#[test]
fn files_that_are_no_results_of_the_sweep_are_kept() {
    for name in ["grid.md", "grid.svg", "grid-2.json", "grid-4.md", "grid-1.none.txt"] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = sweep(folder.path(), GRID);
        fs::write(folder.path().join(name), "mine").expect("a file");
        let refused = complaint("sweep", &[&file]);
        assert!(refused.contains(name) && refused.contains("--force"), "{refused}");
        assert_eq!(fs::read(folder.path().join(name)).expect("a file"), b"mine");
        assert_eq!(files(folder.path()).len(), 2, "{name}");
    }
}

#[test]
fn folders_that_cannot_be_written_end_a_sweep_that_goes_on_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = sweep(folder.path(), GRID);
    let occupied = folder.path().join("grid-2.json");
    fs::create_dir(&occupied).expect("a folder in the way");
    let found = complaint("sweep", &[&file]);
    assert!(found.contains("grid-2.json"), "{found}");
    assert!(folder.path().join("grid-1.certificate.json").exists());
    fs::remove_dir(&occupied).expect("a free place");
    assert_eq!(report("sweep", &[&file])["open"], 0);
    let nowhere = complaint("sweep", &[&file, "--folder", "nowhere/at/all"]);
    assert!(nowhere.contains("nowhere/at/all"), "{nowhere}");
    let wrong = sweep(folder.path(), &GRID.replace("\"fast\": 5", "\"fast\": 1"));
    assert!(complaint("sweep", &[&wrong]).contains("design 3 (2–1; as it is)"));
}
