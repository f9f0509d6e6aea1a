//! `hemiola import`, and tables in place of method files.

use std::fs;
use std::path::Path;

use assert_cmd::cargo::cargo_bin_cmd;
use hemiola::tableau::Method;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{complaint, outcome};

const HEUN: &str = "0,,\n1,1,\n,1/2,1/2\n,1,0\n";
const TWO: &str = "def midpoint():\n    A = [[0, 0], [1/2, 0]]\n    b = [0, 1]\n    order = 2\ndef heun():\n    A = [[0, 0], [1, 0]]\n    b = [0.5, 0.5]\n";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file in a temporary folder");
    }
    folder
}

fn path(folder: &TempDir, file: &str) -> String {
    folder.path().join(file).display().to_string()
}

/// Runs the binary with a text on its standard input.
fn piped(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut binary = cargo_bin_cmd!("hemiola");
    binary.args(arguments).env_remove("HEMIOLA_METHODS").env("XDG_DATA_HOME", "/nonexistent").write_stdin(input);
    let output = binary.output().expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("no signal"), text(output.stdout), text(output.stderr))
}

#[test]
fn a_table_becomes_a_method_file() {
    let folder = folder(&[("heun.csv", HEUN)]);
    let file = path(&folder, "heun.csv");
    let (code, stdout, stderr) = outcome("import", &[&file]);
    assert_eq!((code, stderr.trim()), (0, format!("{file}: read as CSV, 1 method").as_str()));
    let method = Method::from_json(stdout.as_bytes(), "heun.json").unwrap();
    assert_eq!(method.id(), "heun");
    assert_eq!(method.partitions()[0].b_hat.as_ref().unwrap()[0].text(), "1");
    let output = path(&folder, "mine.json");
    let (code, stdout, _) = outcome("import", &[&file, "--output", &output]);
    assert_eq!((code, stdout), (0, format!("wrote {output}\n")));
    assert_eq!(Method::read(Path::new(&output)).unwrap().id(), "mine");
    assert!(complaint("import", &[&file, "--output", &output]).contains("`--force` overwrites it"));
    assert_eq!(outcome("import", &[&file, "--output", &output, "--force"]).0, 0);
    let (_, stdout, _) = outcome("import", &[&file, "--id", "my-heun"]);
    assert!(stdout.contains("\"id\": \"my-heun\""));
    assert!(complaint("import", &[&file, "--output", &path(&folder, "My Heun.json")]).contains("lower-case words"));
    assert!(complaint("import", &[&file, "--output", &path(&folder, "heun.txt")]).contains("ends in .json"));
}

#[test]
fn several_methods_go_into_a_folder() {
    let folder = folder(&[("rk.py", TWO), ("heun.csv", HEUN)]);
    let (python, csv, target) = (path(&folder, "rk.py"), path(&folder, "heun.csv"), path(&folder, "methods"));
    let (code, stdout, stderr) = outcome("import", &[&python, &csv, "--folder", &target, "--json"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("read as Python, 2 methods"));
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let ids: Vec<&str> = report.as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["midpoint", "heun", "heun-2"]);
    assert_eq!((&report[0]["order"], &report[0]["format"]), (&Value::from(2), &Value::from("Python")));
    for entry in report.as_array().unwrap() {
        let method = Method::read(Path::new(entry["output"].as_str().unwrap())).unwrap();
        assert_eq!((method.id(), method.stages()), (entry["id"].as_str().unwrap(), 2));
    }
    assert!(complaint("import", &[&python]).contains("--folder DIR"));
    assert!(complaint("import", &[&python, "--id", "x"]).contains("--id requires a single method; there are 2"));
}

#[test]
fn arrays_in_files_of_their_own_are_one_method() {
    let folder =
        folder(&[("A.csv", "0,0\n1,0\n"), ("b.csv", "1/2\n1/2\n"), ("c.csv", "0,1\n"), ("b_hat.csv", "1,0\n")]);
    let files = ["A.csv", "b.csv", "c.csv", "b_hat.csv"].map(|file| path(&folder, file));
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let (code, stdout, stderr) = outcome("import", &[&files[..], &["--id", "heun"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let method = Method::from_json(stdout.as_bytes(), "heun").unwrap();
    assert_eq!(method.exact(), hemiola::tableau::library::method("heun-euler-2-1").unwrap().exact());
    assert_eq!(method.partitions()[0].b_hat.as_ref().unwrap()[0].text(), "1");
    fs::write(folder.path().join("b.csv"), "1/2,1/4,1/4\n").unwrap();
    assert!(complaint("import", &files).contains("3 weights b; expected 2"));
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_written() {
    let folder = folder(&[("rk.py", &TWO.replace("1/2", "x/2")), ("bad.m", "A = [0 0; 1/2 0;\n"), ("no.csv", "")]);
    let target = path(&folder, "methods");
    let (code, stdout, stderr) = outcome("import", &[&path(&folder, "rk.py"), "--folder", &target]);
    assert_eq!((code, stdout), (2, format!("wrote {target}/heun.json\n")));
    assert!(stderr.contains("rk.py:2:19: midpoint: found `x`; expected a number"), "{stderr}");
    assert!(
        complaint("import", &[&path(&folder, "bad.m")])
            .contains("bad.m:2:1: found the end of the text; expected `,` or `]`")
    );
    assert!(complaint("import", &[&path(&folder, "no.csv")]).contains("found no method (read as CSV)"));
    assert!(complaint("import", &[&path(&folder, "none.csv")]).contains("none.csv: no such file or folder"));
    let forced = complaint("import", &[&path(&folder, "rk.py"), "--format", "csv"]);
    assert!(forced.contains("rk.py:1:1: "), "{forced}");
}

#[test]
fn commands_take_tables() {
    let folder = folder(&[("heun.csv", HEUN), ("rk.py", TWO)]);
    let (csv, python) = (path(&folder, "heun.csv"), path(&folder, "rk.py"));
    let (code, stdout, stderr) = outcome("check", &[&csv, &python, "--json"]);
    assert_eq!((code, stderr.lines().count()), (0, 2), "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let orders: Vec<&Value> = report.as_array().unwrap().iter().map(|entry| &entry["order"]).collect();
    assert_eq!(orders, [2, 2, 2]);
    let (code, stdout, _) = outcome("stability", &[&format!("{python}#midpoint"), "--json"]);
    assert_eq!((code, &serde_json::from_str::<Value>(&stdout).unwrap()["id"]), (0, &Value::from("midpoint")));
    let several = complaint("stability", &[&python]);
    assert!(several.contains("contains 2 methods: midpoint, heun") && several.contains("#ID"), "{several}");
    assert!(complaint("stability", &[&format!("{python}#euler")]).contains("expected one of: midpoint, heun"));
    let figure = path(&folder, "map.svg");
    let (code, stdout, _) = outcome("map", &[&csv, &python, "--output", &figure, "--json", "--points", "20"]);
    assert_eq!(code, 0);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(report["methods"].as_array().unwrap().len(), 3);
    let (code, stdout, _) = outcome("show", &[&csv]);
    assert!(code == 0 && stdout.contains(" 1  │ 1"), "{stdout}");
    // A partly readable file is checked as far as it can be read.
    fs::write(folder.path().join("half.py"), TWO.replace("1/2", "x/2")).unwrap();
    let (code, stdout, stderr) = outcome("check", &[&path(&folder, "half.py"), "--summary"]);
    assert!(code == 2 && stdout.contains("heun") && stderr.contains("found `x`"), "{stdout}{stderr}");
}

#[test]
fn the_standard_input_is_a_method_too() {
    let (code, stdout, stderr) = piped(&["check", "-", "--summary"], HEUN);
    assert!(code == 0 && stdout.contains("no claim"), "{stdout}");
    assert_eq!(stderr, "standard input: read as CSV, 1 method\n");
    // A printed method file is read from standard input.
    let (_, file, _) = outcome("show", &["rk4", "--json"]);
    let (code, stdout, stderr) = piped(&["check", "-", "--summary"], &file);
    assert!(code == 0 && stdout.contains("claim order 4: verified exactly"), "{stdout}");
    assert_eq!(stderr, "");
    let (code, stdout, _) = piped(&["import", "-", "--id", "heun"], HEUN);
    assert!(
        code == 0 && stdout.contains("\"id\": \"heun\"") && stdout.contains("the standard input (CSV)"),
        "{stdout}"
    );
    let (code, _, stderr) = piped(&["check", "-"], "");
    assert!(code == 2 && stderr.contains("found no method"), "{stderr}");
}

#[test]
fn exports_come_back() {
    let folder = tempfile::tempdir().unwrap();
    for (id, language, ending) in
        [("shome-haug-jay-2-5", "csv", "csv"), ("gauss-3", "latex", "tex"), ("dormand-prince-5", "csv", "csv")]
    {
        let file = folder.path().join(format!("any.{ending}")).display().to_string();
        assert_eq!(outcome("export", &[id, "--language", language, "--output", &file]).0, 0);
        let (code, stdout, _) = outcome("import", &[&file]);
        let method = Method::from_json(stdout.as_bytes(), id).unwrap();
        let expected = hemiola::tableau::library::method(id).unwrap();
        assert_eq!((code, method.id(), method.exact()), (0, id, expected.exact()));
        assert_eq!((method.claims().order, method.precision()), (expected.claims().order, expected.precision()));
    }
}

#[test]
fn decimals_for_a_page() {
    let (code, stdout, stderr) = outcome("show", &["verner-efficient-9", "--format", "latex", "--digits", "10"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(stdout.matches("\\begin{array}").count(), stdout.matches("\\end{array}").count());
    assert!(stdout.matches("\\begin{array}").count() > 2 && !stdout.contains("frac"), "{stdout}");
    let (_, stdout, _) = outcome("show", &["gauss-2", "--format", "latex", "--digits", "5"]);
    assert!(stdout.contains(r"0.21132 & 0.25 & -0.038675 \\"), "{stdout}");
    assert!(complaint("show", &["rk4", "--digits", "5"]).contains("--digits requires --format latex"));
    assert!(complaint("show", &["rk4", "--format", "latex", "--digits", "0"]).contains("1..=1000"));
}

#[test]
fn only_code_that_runs_is_read() {
    let c = "double A[2][2] = {{0, 0}, {1, 0}};\ndouble b[2] = {1/2, 0.5};\n";
    let branches = "int f(int mid) {\ndouble A[2][2], b[2];\nif (mid) { A[1][0] = 0.5; b[1] = 1; }\nelse { A[1][0] = 1; b[0] = 0.5; b[1] = 0.5; }\n}\n";
    let old = c.replace("1/2", "0.5") + "#ifdef OLD\nb[0] = 0; b[1] = 1;\n#endif\n";
    let folder = folder(&[("m.c", c), ("branches.c", branches), ("old.c", &old)]);
    let (integers, branches, target) = (path(&folder, "m.c"), path(&folder, "branches.c"), path(&folder, "methods"));
    assert!(
        complaint("import", &[&path(&folder, "old.c")])
            .contains("old.c:4:1: found `b` set only under the condition `#ifdef OLD`")
    );
    let refused = complaint("import", &[&integers]);
    assert!(
        refused.contains("m.c:2:16: found `1/2`, a division of integers") && refused.contains("--assume-real-division")
    );
    assert!(complaint("check", &[&integers]).contains("--assume-real-division"));
    let (code, stdout, _) = outcome("import", &[&integers, "--assume-real-division"]);
    assert!(code == 0 && stdout.contains("\"1/2\""), "{stdout}");
    let (code, _, stderr) = outcome("import", &[&branches, "--folder", &target]);
    assert_eq!(code, 0, "{stderr}");
    for (file, id, condition) in [("branches.c:3:1", "f", "if (mid)"), ("branches.c:4:1", "f-2", "else of if (mid)")] {
        assert!(stderr.contains(&format!("{file}: `{id}` applies only under the condition `{condition}`")), "{stderr}");
    }
    let (code, _, stderr) = outcome("check", &[&format!("{branches}#f-2")]);
    assert!(code == 0 && stderr.contains("warning: "), "{stderr}");
}

/// Checks that a table with a row of headings or with ragged rows names the accepted layouts.
#[test]
fn tables_of_another_layout_name_those_that_are_read() {
    let folder = folder(&[
        ("head.csv", "c,a1,a2\n0,0,0\n1,1,0\n,0.5,0.5\n"),
        ("ragged.csv", "0,0,0,0\n1/2,1/2,0\n1,0,1,0,0\n,0,1,0\n"),
        ("ragged.txt", "0 0\n1/2 1/2 0\n0 1\n"),
    ]);
    for (name, found) in [("head.csv", "head.csv:1:3: found `a1`"), ("ragged.csv", ":3:1: "), ("ragged.txt", ":2:1: ")]
    {
        let error = complaint("check", &[&path(&folder, name)]);
        let layouts = "tables are a Butcher tableau (c, A and a row b below), or A, then b, then c, or have rows below the \
                       labels A, b and c, without a row of headings";
        assert!(error.contains(found) && error.contains(layouts), "{error}");
    }
}

#[test]
fn an_export_to_a_file_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "rk4.c");
    assert_eq!(
        outcome("export", &["rk4", "--to", "c", "--output", &file]),
        (0, format!("wrote {file}\n"), String::new())
    );
    let (code, text, said) = outcome("export", &["rk4", "--to", "c", "--output", "-"]);
    assert_eq!((code, text, said.as_str()), (0, fs::read_to_string(&file).unwrap(), ""));
}
