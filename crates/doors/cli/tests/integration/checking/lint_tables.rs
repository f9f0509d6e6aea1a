//! `hemiola lint` on programs: tables as they are in other projects, baselines, and the script of the action.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use tempfile::TempDir;

/// Heun's method of order three in the format of ARKODE, with 2/3 misprinted as 2/5.
const SUNDIALS: &str = "\
ARK_BUTCHER_TABLE(ARKODE_HEUN_3_3, {
    ARKodeButcherTable B = ARKodeButcherTable_Alloc(3, SUNTRUE);
    B->q = 3;
    B->p = 2;
    B->A[1][0] = SUN_RCONST(1.0)/SUN_RCONST(3.0);
    B->A[2][1] = SUN_RCONST(2.0)/SUN_RCONST(5.0);
    B->b[0] = SUN_RCONST(0.25);
    B->b[2] = SUN_RCONST(0.75);
    B->d[1] = SUN_RCONST(1.5);
    B->d[0] = SUN_RCONST(-0.5);
    B->c[1] = SUN_RCONST(1.0)/SUN_RCONST(3.0);
    B->c[2] = SUN_RCONST(2.0)/SUN_RCONST(3.0);
    return B;
    })
";
/// Tsitouras's caches in OrdinaryDiffEq.jl have such differences; here their sum is not 0.
const JULIA: &str = "\
function BS3ConstantCache(T)
    a21 = convert(T, 1 // 2)
    a32 = convert(T, 3 // 4)
    a41 = convert(T, 2 // 9)
    a42 = convert(T, 1 // 3)
    a43 = convert(T, 4 // 9)
    btilde1 = convert(T, 5 // 72)
    btilde2 = convert(T, -1 // 12)
    btilde3 = convert(T, -1 // 9)
    btilde4 = convert(T, 1 // 6)
end
";
const PYTHON: &str = "\
A = [[0, 0, 0, 0], [1/2, 0, 0, 0], [0, 1/2, 0, 0], [0, 0, 1, 0]]
b = [1/6, 1/3, 1/3, 1/6]
order = 5
";

/// A repository of another project: three broken tables, a sound one, and a program without tables.
fn repository() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let inner = folder.path().join("src/tables");
    fs::create_dir_all(&inner).expect("a folder");
    fs::create_dir(folder.path().join(".git")).expect("a folder");
    for (name, text) in [
        ("heun.def", SUNDIALS),
        ("bs3.jl", JULIA),
        ("rk.py", PYTHON),
        ("sound.py", "A = [[0, 0], [1/2, 0]]\nb = [0, 1]\nc = [0, 1/2]\norder = 2\n"),
        ("main.c", "int main(void) { double A[2] = {1, 2}; return A[0]; }\n"),
        ("package.json", "{\"name\": \"x\"}"),
    ] {
        fs::write(inner.join(name), text).expect("a file");
    }
    fs::write(folder.path().join("package.json"), "{\"name\": \"x\"}").expect("a file");
    fs::write(folder.path().join(".git/rk.py"), PYTHON).expect("a file");
    folder
}

/// Runs a program in a folder; returns its exit code and its output.
fn run_in(folder: &Path, command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.current_dir(folder).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

fn lint(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    run_in(folder, Command::new(cargo_bin("hemiola")).arg("lint").args(arguments))
}

#[test]
fn broken_tables_are_found_where_they_are_broken() {
    let folder = repository();
    let (code, report, said) = lint(folder.path(), &["src", "--json"]);
    assert_eq!((code, said.as_str()), (Some(1), ""));
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let mut found = Vec::new();
    for file in report["files"].as_array().expect("files") {
        for finding in file["findings"].as_array().expect("findings") {
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            let number = |key: &str| finding[key].as_u64().expect("a number");
            let place = (text(&file["file"]).replace('\\', "/"), number("line"), number("column"));
            found.push((place, text(&finding["rule"]), text(&finding["message"])));
        }
    }
    let expected = [
        (
            "bs3.jl",
            7,
            5,
            "embedded-order",
            "BS3: the embedded weights are not consistent: 1 of 1 conditions of order 1",
        ),
        ("heun.def", 6, 5, "order", "HEUN_3_3: claims order 3; has order 1: "),
        ("heun.def", 6, 10, "row-sums", "HEUN_3_3: c differs from the row sums of A in stage 3, by up to 2.7e-1"),
        ("rk.py", 3, 1, "order", "rk: claims order 5; has order 4: 9 of 9 conditions of order 5 fail"),
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for ((place, rule, message), (file, line, column, of_rule, beginning)) in found.iter().zip(expected) {
        assert_eq!((place, rule.as_str()), (&(format!("src/tables/{file}"), line, column), of_rule), "{message}");
        assert!(message.starts_with(beginning), "{message}");
    }
    assert!(found[1].2.contains("a32 = 2/5 is probably wrong"), "{}", found[1].2);
    let twin = "the conditions require 2/3; this is `heun-3` but for a32 = 2/5 where `heun-3` has 2/3";
    assert!(found[1].2.ends_with(twin), "{}", found[1].2);
    // The sum of the differences is 5/72 - 1/12 - 1/9 + 1/6 = 1/24.
    assert!(found[0].2.contains("by up to 4.2e-2"), "{}", found[0].2);
}

#[test]
fn coupling_tables_are_checked_as_well() {
    let folder = TempDir::new().unwrap();
    let table = crate::common::page("export", &["mis-kw3", "--language", "sundials"]);
    let line = 1 + table.lines().position(|line| line.starts_with("MRIStepCoupling ")).unwrap();
    fs::write(folder.path().join("right.c"), &table).unwrap();
    fs::write(folder.path().join("wrong.c"), table.replace("C->q = 3;", "C->q = 4;")).unwrap();
    let arguments = [folder.path().to_str().unwrap(), "--from", "sundials", "--json"];
    let (code, report, _) = crate::common::outcome("lint", &arguments);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!((code, &report["errors"], report["files"].as_array().map(Vec::len)), (1, &1.into(), Some(2)));
    let finding = &report["files"][1]["findings"][0];
    assert!(finding["message"].as_str().unwrap().ends_with("claims order 4; has order 3"), "{finding}");
    assert_eq!(finding["line"], line as u64, "{finding}");
}

#[cfg(unix)]
#[test]
fn the_script_of_the_action_annotates_and_fails() {
    let folder = repository();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scripts/lint-action");
    let run = |paths: &str, more: &[(&str, &str)]| {
        let mut command = Command::new(&script);
        command.env("HEMIOLA", cargo_bin("hemiola")).env("LINT_FORMAT", "github").env("LINT_PATHS", paths);
        run_in(folder.path(), command.envs(more.iter().copied()))
    };
    let (code, page, said) = run(".", &[]);
    assert_eq!((code, said.as_str()), (Some(1), ""), "{page}");
    let annotations: Vec<&str> = page.lines().filter(|line| line.starts_with("::error ")).collect();
    let begin = |file: &str, place: &str| format!("::error file=src/tables/{file},{place},title=");
    for (annotation, beginning) in annotations.iter().zip([
        begin("bs3.jl", "line=7,col=5"),
        begin("heun.def", "line=6,col=5"),
        begin("rk.py", "line=3,col=1"),
    ]) {
        assert!(annotation.starts_with(&beginning), "{annotation}\n{beginning}");
    }
    assert_eq!(annotations.len(), 3, "{page}");
    assert!(page.ends_with("4 tables in 4 programs: 3 errors, 1 warning\n"), "{page}");
    assert_eq!(run("src/tables/sound.py\n", &[]).0, Some(0));
    // A baseline accepts what is known.
    let known = lint(folder.path(), &[".", "--baseline", "lint.json", "--write-baseline"]);
    assert_eq!(known, (Some(0), "wrote lint.json: 4 known findings\n".to_owned(), String::new()));
    let (code, page, _) = run(".", &[("LINT_BASELINE", "lint.json"), ("LINT_DENY_WARNINGS", "true")]);
    assert_eq!((code, page.as_str()), (Some(0), "4 tables in 4 programs: 0 errors, 0 warnings, 4 known\n"));
}

#[test]
fn a_baseline_hides_what_it_lists_wherever_it_moved() {
    let folder = repository();
    let baseline = ["src", "--baseline", "lint.json"];
    assert_eq!(lint(folder.path(), &[&baseline[..], &["--write-baseline"]].concat()).0, Some(0));
    let table = folder.path().join("src/tables/rk.py");
    fs::write(&table, format!("# moved\n\n{PYTHON}")).expect("a file");
    assert_eq!(lint(folder.path(), &baseline).0, Some(0));
    // A second copy of the same error is new.
    fs::write(folder.path().join("src/tables/new.py"), PYTHON).expect("a file");
    let (code, page, _) = lint(folder.path(), &baseline);
    assert!(code == Some(1) && page.starts_with("src/tables/new.py:3:1: error[order]: "), "{page}");
    fs::remove_file(folder.path().join("src/tables/new.py")).expect("a file");
    fs::write(&table, PYTHON.replace("order = 5", "order = 4")).expect("a file");
    let (code, page, _) = lint(folder.path(), &baseline);
    let expected = "4 tables in 4 programs: 0 errors, 0 warnings, 3 known, 1 of the baseline no longer found\n";
    assert_eq!((code, page.as_str()), (Some(0), expected));
    for (text, problem) in [("{}", "missing field"), ("{\"format\": \"x\", \"findings\": []}", "found format \"x\"")] {
        fs::write(folder.path().join("lint.json"), text).expect("a file");
        let (code, _, said) = lint(folder.path(), &baseline);
        assert!(code == Some(2) && said.contains("lint.json") && said.contains(problem), "{said}");
    }
}

#[test]
fn a_format_is_imposed_and_a_named_file_must_hold_a_table() {
    let folder = repository();
    let file = "src/tables/main.c";
    let (code, page, _) = lint(folder.path(), &[file]);
    assert!(
        code == Some(1) && page.starts_with("src/tables/main.c:1:") && page.contains("error[unreadable]: "),
        "{page}"
    );
    let (code, page, _) = lint(folder.path(), &["src", "--from", "sundials"]);
    assert!(code == Some(1) && page.ends_with("1 table in 1 program: 1 error, 1 warning\n"), "{page}");
    let (code, _, said) = lint(folder.path(), &["src", "--from", "latex"]);
    assert!(code == Some(2) && said.contains("no program with tables"), "{said}");
}
