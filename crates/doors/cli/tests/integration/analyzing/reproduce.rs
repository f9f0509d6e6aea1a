//! `hemiola reproduce`: reports with all their figures, equal to those of the repository. Their contents are tested where
//! they are computed.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use crate::common::{complaint, page};

/// Returns the files that a command writes to an empty folder.
fn written(papers: &[&str]) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let arguments = [papers, &["--folder", path]].concat();
    page("reproduce", &arguments);
    let name = |path: &Path| path.file_name().and_then(OsStr::to_str).expect("UTF-8").to_owned();
    let entries = std::fs::read_dir(folder.path()).expect("the folder");
    let files = entries.map(|entry| entry.expect("an entry").path());
    files.map(|path| (name(&path), std::fs::read_to_string(&path).expect("text"))).collect()
}

#[test]
fn a_report_refers_to_each_of_its_figures_and_comes_out_as_published() {
    let files = written(&["gerdts-2003"]);
    let text = &files["gerdts-2003.md"];
    assert!(text.starts_with("# ") && files.len() == 7, "{:?}", files.keys());
    for name in files.keys().filter(|name| name.ends_with(".svg")) {
        assert!(text.contains(&format!("]({name})")), "{name}");
    }
    // All placeholders were filled in.
    assert!(!text.contains(['{', '}']));
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../reports/gerdts-2003.md");
    assert_eq!(*text, std::fs::read_to_string(published).expect("the published report"));
}

/// Checks that a report refers only to files that its command writes: the reports of the repository have the same text.
#[test]
fn reports_link_only_to_what_they_write() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../reports");
    for name in ["gerdts-2003", "jack-adaptive-rk4", "gil-sanfelice-nikravesh-2013", "shome-haug-jay-2004", "pan-he"] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.md"))).expect("a report");
        let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
        for link in links.filter(|link| !link.starts_with('#') && !link.starts_with("http")) {
            assert!(link.starts_with(name) && folder.join(link).is_file(), "{name}: {link}");
        }
    }
}

#[test]
fn unknown_papers_are_named_with_those_that_there_are() {
    // The error comes before any report is computed.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let complaint = complaint("reproduce", &["gerdts-2003", "gerdts-2004", "--folder", path]);
    assert_eq!(std::fs::read_dir(path).expect("the folder").count(), 0);
    let known = ["gerdts-2003", "jack-adaptive-rk4", "gil-sanfelice-nikravesh-2013", "shome-haug-jay-2004", "pan-he"];
    for name in known.iter().chain(&["gerdts-2004"]) {
        assert!(complaint.contains(name), "{complaint}");
    }
}
