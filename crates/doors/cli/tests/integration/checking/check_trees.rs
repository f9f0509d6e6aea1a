//! `hemiola check` with its files and with many methods: pictures of trees, LaTeX tables, folders.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use tempfile::TempDir;

fn check_with(threads: &str, arguments: &[&str]) -> Output {
    let mut command = cargo_bin_cmd!("hemiola");
    command.arg("check").args(arguments).env_remove("HEMIOLA_METHODS").env("XDG_DATA_HOME", "/nonexistent");
    command.env("RAYON_NUM_THREADS", threads).output().expect("the binary runs")
}

/// Returns the exit code, standard output and standard error.
fn check(arguments: &[&str]) -> (i32, String, String) {
    let output = check_with("2", arguments);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (output.status.code().expect("no signal"), text(&output.stdout), text(&output.stderr))
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

/// Writes a library method with a change to a folder.
fn copy(folder: &Path, id: &str, (old, new): (&str, &str)) -> String {
    let library = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tableaus");
    let text = fs::read_to_string(library.join(format!("{id}.json"))).expect("a method of the library");
    let file = path(folder, &format!("{id}.json"));
    fs::write(&file, text.replace(old, new)).expect("a file is written");
    file
}

#[test]
fn the_first_failing_order_is_drawn() {
    let folder = folder();
    let file = path(folder.path(), "trees.svg");
    let (code, text, _) = check(&["shome-haug-jay-2-5", "--trees", &file]);
    assert_eq!(code, 0);
    assert!(text.ends_with(&format!("wrote {file}\n")), "{text}");
    let svg = fs::read_to_string(&file).expect("a figure");
    assert_eq!(svg.matches("class=\"diagram\"").count(), 14); // all of order 3
    assert!(svg.contains("slow (s)") && svg.contains("fast (f)") && svg.contains("order 3, 1/"));
    // JSON output contains nothing else.
    let (_, text, _) = check(&["shome-haug-jay-2-5", "--json", "--trees", &file]);
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&report[0]["id"], &report[0]["order"]), (&"shome-haug-jay-2-5".into(), &2.into()));
}

#[test]
fn trees_that_refute_a_claim_are_drawn_and_the_others_are_not() {
    let folder = folder();
    let file = path(folder.path(), "trees.svg");
    let bold = copy(folder.path(), "rk4", ("\"order\": 4", "\"order\": 5"));
    let (code, text, _) = check(&[&bold, "--order", "7", "--trees", &file]);
    assert_eq!((code, text.contains("FAILS")), (1, true));
    let svg = fs::read_to_string(&file).expect("a figure");
    assert_eq!(svg.matches("class=\"diagram\"").count(), 9); // of order 5, not of 6 and 7
    assert!(!svg.contains("order 6"));
}

#[test]
fn a_page_holds_no_more_than_it_can() {
    let folder = folder();
    let file = path(folder.path(), "trees.svg");
    let bold = copy(folder.path(), "shome-haug-jay-2-5", ("\"order\": 2", "\"order\": 5"));
    let (code, text, _) = check(&[&bold, "--trees", &file]);
    assert_eq!(code, 1);
    // 14 + 52 + 214 conditions fail, and the text lists 24 of them.
    assert!(text.contains("and 256 more"), "{text}");
    let svg = fs::read_to_string(&file).expect("a figure");
    assert_eq!(svg.matches("class=\"diagram\"").count(), 60);
    assert!(svg.contains("the first 60 of 280 failing conditions"));
}

#[test]
fn there_is_no_figure_of_no_trees() {
    let folder = folder();
    let file = path(folder.path(), "trees.svg");
    let (code, text, _) = check(&["rk4", "--order", "4", "--trees", &file]);
    assert_eq!(code, 0);
    assert!(text.contains("not written: no condition of rk4 up to order 4 fails"), "{text}");
    assert!(!Path::new(&file).exists());
}

#[test]
fn conditions_are_exported_for_papers() {
    let folder = folder();
    let file = path(folder.path(), "conditions.tex");
    let (code, _, _) = check(&["rk4", "--latex", &file]);
    let table = fs::read_to_string(&file).expect("a table");
    assert_eq!(code, 0);
    // The eight conditions of the claim, not the nine above it.
    assert_eq!(table.matches(" & exact ").count(), 8, "{table}");
    assert!(table.contains(r"$\sum b_{i} c_{i} a_{ij} c_{j} = \frac{1}{8}$ & $0$ & exact"));
    assert!(table.contains("%   \\usepackage{forest}") && !table.contains("documentclass"));
    let count = |sign| table.matches(sign).count();
    assert_eq!(count('{'), count('}'));

    check(&["shome-haug-jay-2-5", "--latex", &file, "--standalone", "--order", "3"]);
    let document = fs::read_to_string(&file).expect("a document");
    assert!(document.starts_with("\\documentclass") && document.ends_with("\\end{document}\n"));
    assert_eq!(document.matches("& fails ").count(), 14);
    assert!(document.contains("c^{f}_{i}") && document.contains("to precision") && document.contains("times10^{-1}"));
}

#[test]
fn files_are_refused_where_they_make_no_sense() {
    let folder = folder();
    let [svg, tex, gif] = ["trees.svg", "conditions.tex", "trees.gif"].map(|name| path(folder.path(), name));
    for (arguments, complaint) in [
        (vec!["rk4", "heun-2", "--trees", svg.as_str()], "--trees requires a single method; there are 2"),
        (vec!["rk4", "--trees", gif.as_str()], "expected a file name that ends in .svg"),
        (vec!["rk4", "--latex", svg.as_str()], "expected a file name that ends in .tex"),
        (vec!["gauss-2", "--linearized", "1", "--latex", tex.as_str()], "cannot be used with"),
        (vec!["stormer-verlet", "--order", "9", "--latex", tex.as_str()], "114208 trees"),
        (vec!["rk4", "--standalone"], ".tex file"),
        (vec!["rk4", "--trees", svg.as_str(), "--standalone"], ".tex file"),
    ] {
        let (code, _, stderr) = check(&arguments);
        assert_eq!(code, 2, "{arguments:?}");
        assert!(stderr.contains(complaint), "{arguments:?}: {stderr}");
    }
    assert!(!Path::new(&svg).exists() && !Path::new(&tex).exists());
}

#[test]
fn a_folder_is_all_its_methods_and_errors_stop_none() {
    let folder = folder();
    for id in ["rk4", "heun-2", "stormer-verlet", "schema"] {
        copy(folder.path(), id, ("", ""));
    }
    fs::write(folder.path().join("broken.json"), "{").expect("a file is written");
    let (code, text, stderr) = check(&["gauss-2", &folder.path().display().to_string(), "--summary"]);
    assert_eq!(code, 2);
    let ids: Vec<&str> = text.lines().skip(2).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(ids, ["gauss-2", "heun-2", "rk4", "stormer-verlet"]);
    assert!(stderr.contains("broken.json") && !stderr.contains("schema"), "{stderr}");
    let empty = tempfile::tempdir().expect("a temporary folder");
    let (code, _, stderr) = check(&[&empty.path().display().to_string()]);
    assert!(code == 2 && stderr.contains("no method file"), "{stderr}");
}

#[test]
fn summaries_alone_are_those_behind_pages() {
    // Separable, embedded and dense claims, none at all, a failing one if exactness counts, roots and decimals.
    let methods =
        ["stormer-verlet", "dormand-prince-5", "hemiola-4-8", "shome-haug-jay-2-5", "gauss-3", "hemiola-family-2-4-8"];
    for options in [&[][..], &["--exact"], &["--order", "3"], &["--tolerance", "1e-3"], &["--linearized", "1"]] {
        let (code, alone, _) = check(&[&methods[..], options, &["--summary"]].concat());
        let (code_of_pages, pages, _) = check(&[&methods[..], options].concat());
        assert_eq!(code, code_of_pages, "{options:?}");
        assert!(alone.lines().count() == methods.len() + 2 && pages.ends_with(&alone), "{options:?}\n{alone}");
    }
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let arguments = ["rk4", "gauss-2", "stormer-verlet", "lobatto-iiia-iiib-3", "no-such-method", "bogacki-shampine-3"];
    let (one, four) = (check_with("1", &arguments), check_with("4", &arguments));
    assert_eq!((one.stdout, one.stderr), (four.stdout, four.stderr));
}

#[test]
fn a_thousand_failures_are_listed_at_most() {
    let (_, text, _) = check(&["stormer-verlet", "--order", "7", "--json"]);
    let reports: Value = serde_json::from_str(&text).expect("valid JSON");
    let orders: Vec<u64> = reports[0]["failures"]
        .as_array()
        .expect("an array")
        .iter()
        .map(|failure| failure["order"].as_u64().expect("an order"))
        .collect();
    assert_eq!(orders.len(), 1000);
    assert!(orders.is_sorted());
}
