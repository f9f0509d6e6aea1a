//! Exported texts, compiled or run if the machine has the language: they reproduce a step computed from the tableau.

mod driver;
mod packages;
mod problem;
mod tables;
mod tools;

use std::fs;
use std::path::Path;

use hemiola::tableau::{Coefficient, Method, library};
use tempfile::TempDir;

use driver::Shape;
use tools::{export, has, numbers, run};

const LANGUAGES: [&str; 9] = ["latex", "csv", "python", "julia", "c", "fortran", "matlab", "sundials", "rust"];

/// Three partitions with embedded weights, separate abscissae and names that are invalid in most languages.
const AWKWARD: &str = r#"{
  "format": "hemiola-method/1",
  "id": "2-end-module",
  "name": "Störmer's \\ */ method %{ 日本 #= =# \"\"\" \n end",
  "partitions": [
    { "name": "lambda", "a": [["0", "0", "0"], ["0", "0", "0"], ["sqrt(2)/2", "0", "0"]],
      "b": ["1/3", "0", "2/3"], "b_hat": ["1", "0", "0"] },
    { "name": "été 1", "a": [["0", "0", "0"], ["1/3", "0", "0"], ["-1/7", "1.142857142857142857142857", "0"]],
      "b": ["1/4", "0", "3/4"], "c": ["1/5", "1/3", "1"], "b_hat": ["0", "1/2", "1/2"] },
    { "name": "end", "a": [["0", "0", "0"], ["0", "0", "0"], ["0", "0", "0"]],
      "b": ["0", "1", "0"], "b_hat": ["1/2", "1/2", "0"] }
  ]
}"#;

/// Method and the argument by which the binary finds it.
struct Case {
    argument: String,
    method: Method,
    shape: Shape,
}

impl Case {
    fn library(id: &str) -> Self {
        Self::new(id.to_owned(), library::method(id).expect("a method of the library"), id.replace('-', "_"))
    }

    fn awkward(folder: &Path) -> Self {
        let file = folder.join("2-end-module.json");
        fs::write(&file, AWKWARD).expect("a file in a temporary folder");
        Self::new(
            file.display().to_string(),
            Method::read(&file).expect("a method file"),
            "method_2_end_module".to_owned(),
        )
    }

    fn new(argument: String, method: Method, name: String) -> Self {
        let has_error = method.partitions()[0].b_hat.is_some();
        let shape = Shape { name, count: method.partitions().len(), has_error };
        Self { argument, method, shape }
    }

    /// Runs a step in a language: the text is written to `file`, the driver to another file, and `tool` prints numbers.
    fn reproduces_a_step(&self, language: &str, file: &str, driver: (&str, String), tool: &dyn Fn(&Path) -> String) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join(file), export(&self.argument, language)).expect("a file in a temporary folder");
        fs::write(folder.path().join(driver.0), driver.1).expect("a file in a temporary folder");
        let printed = numbers(&tool(folder.path()));
        problem::explicit_step(&self.method).assert_printed(&printed, &format!("{} in {language}", self.argument));
    }
}

fn explicit_cases(folder: &TempDir) -> Vec<Case> {
    let ids = [
        "rk4",
        "dormand-prince-5",
        "shome-haug-jay-2-5",
        "mprk-p3",
        "mprk-2a23",
        "verner-efficient-6",
        "hemiola-family-2-4-8",
        "hemiola-family-4",
    ];
    ids.map(Case::library).into_iter().chain([Case::awkward(folder.path())]).collect()
}

#[test]
fn steps_in_rust() {
    let folder = tempfile::tempdir().unwrap();
    for case in explicit_cases(&folder) {
        case.reproduces_a_step("rust", "method.rs", ("main.rs", driver::rust(&case.shape)), &|folder| {
            run(folder, "rustc", &["--edition", "2024", "-D", "warnings", "main.rs", "-o", "main"]);
            run(folder, folder.join("main"), &[])
        });
    }
}

#[test]
fn steps_in_c() {
    if !has("cc", &["--version"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for case in explicit_cases(&folder) {
        case.reproduces_a_step("c", "method.c", ("main.c", driver::c(&case.shape)), &|folder| {
            let strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror"];
            run(folder, "cc", &[&strict[..], &["main.c", "-o", "main"]].concat());
            run(folder, folder.join("main"), &[])
        });
    }
}

#[test]
fn steps_in_python() {
    if !has("python3", &["-c", "import numpy"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for case in explicit_cases(&folder) {
        case.reproduces_a_step("python", "method.py", ("main.py", driver::python(&case.shape)), &|folder| {
            run(folder, "python3", &["main.py"])
        });
    }
}

#[test]
fn diagonally_implicit_steps_in_python() {
    if !has("python3", &["-c", "import numpy"]) {
        return;
    }
    for (id, implicit) in [("sdirk-2-1", 0), ("kennedy-carpenter-ark-3-2-4", 1), ("imex-ssp2-222", 1), ("tr-bdf2", 0)] {
        let case = Case::library(id);
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("method.py"), export(id, "python")).unwrap();
        fs::write(folder.path().join("main.py"), driver::python_additive(&case.shape, implicit)).unwrap();
        let printed = numbers(&run(folder.path(), "python3", &["main.py"]));
        problem::additive_step(&case.method).assert_printed(&printed, id);
    }
}

#[test]
fn steps_in_fortran() {
    if !has("gfortran", &["--version"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for case in explicit_cases(&folder) {
        case.reproduces_a_step("fortran", "method.f90", ("main.f90", driver::fortran(&case.shape)), &|folder| {
            run(folder, "gfortran", &["-std=f2008", "-Wall", "-Werror", "-c", "method.f90"]);
            run(folder, "gfortran", &["-std=f2008", "method.f90", "main.f90", "-o", "main"]);
            run(folder, folder.join("main"), &[])
        });
    }
}

#[test]
fn steps_in_octave() {
    if !has("octave-cli", &["--version"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for case in explicit_cases(&folder) {
        let file = format!("{}_step.m", case.shape.name);
        case.reproduces_a_step("matlab", &file, ("driver.m", driver::octave(&case.shape)), &|folder| {
            run(folder, "octave-cli", &["--no-init-file", "--quiet", "driver.m"])
        });
    }
}

#[test]
fn steps_in_julia() {
    if !has("julia", &["--version"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for case in explicit_cases(&folder) {
        case.reproduces_a_step("julia", "method.jl", ("main.jl", driver::julia(&case.shape)), &|folder| {
            run(folder, "julia", &["--startup-file=no", "main.jl"])
        });
    }
}

#[test]
fn latex_compiles() {
    if !has("pdflatex", &["--version"]) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let awkward = Case::awkward(folder.path()).argument;
    let mut document = "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n".to_owned();
    for (i, method) in ["rk4", "gauss-4", "shome-haug-jay-2-5", "dormand-prince-8", &awkward].iter().enumerate() {
        fs::write(folder.path().join(format!("tableau{i}.tex")), export(method, "latex")).unwrap();
        document += &format!("\\input{{tableau{i}}}\n");
    }
    fs::write(folder.path().join("main.tex"), document + "\\end{document}\n").unwrap();
    run(folder.path(), "pdflatex", &["-interaction=nonstopmode", "-halt-on-error", "main.tex"]);
    assert!(folder.path().join("main.pdf").exists());
}

#[test]
fn every_text_says_what_it_is_and_stays_within_ascii_and_its_columns() {
    let folder = tempfile::tempdir().unwrap();
    let awkward = Case::awkward(folder.path()).argument;
    let methods =
        ["implicit-euler", "mprk-p3", "lobatto-iiia-iiib-3", "stormer-verlet", "verner-efficient-9", &awkward];
    for method in methods {
        for language in LANGUAGES {
            let text = export(method, language);
            assert_eq!(text, export(method, language), "the same bytes");
            let id = Path::new(method).file_stem().unwrap().to_str().unwrap();
            let first = text.lines().next().unwrap();
            assert!(first.contains(&format!("({id})")), "{first}");
            assert!(text.contains(&format!("Generated by hemiola {}\n", env!("CARGO_PKG_VERSION"))));
            assert!(text.contains("Claims: ") && !text.contains('\t') && text.ends_with('\n'));
            let header = text.lines().take_while(|line| line.starts_with(['#', '%', '!', '/']));
            assert!(header.clone().count() > 4 && header.clone().all(|line| line.is_ascii() && line.len() <= 100));
            if !["latex", "csv"].contains(&language) {
                assert!(text.is_ascii(), "{method} {language}");
            }
            if language == "fortran" {
                assert!(text.lines().all(|line| line.len() <= 132), "{method}");
            }
        }
    }
}

#[test]
fn what_is_exported_follows_from_the_structure() {
    for (method, language, exported) in [
        ("rk4", "c", "void rk4_step("),
        ("gauss-2", "c", "const double gauss_2_a[2][2]"),
        ("gauss-2", "rust", "pub const A: [[f64; 2]; 2]"),
        ("gauss-2", "python", "solving the stages is left to you"),
        ("tr-bdf2", "python", "def step(f, solve, t, y, h):"),
        ("kennedy-carpenter-ark-3-2-4", "python", "def step(f_explicit, f_implicit, solve, t, y, h):"),
        ("shome-haug-jay-2-5", "julia", "_step(f_slow, f_fast, t, y_slow, y_fast, h)"),
        ("dormand-prince-5", "matlab", "function [ynew, err] = dormand_prince_5_step(f, t, y, h)"),
        ("dormand-prince-5", "matlab", "First same as last"),
        ("dormand-prince-5", "c", "Evaluations with the error estimate: 7"),
        ("implicit-euler", "julia", "const implicit_euler_a = fill(Float64(1), 1, 1)"),
        ("kennedy-carpenter-ark-3-2-4", "sundials", "Bi = kennedy_carpenter_ark_3_2_4_implicit_table()"),
        ("shome-haug-jay-2-5", "sundials", "ARKODE has no stepper"),
        ("mprk-2a23", "latex", "from left to right: slow, medium, fast"),
    ] {
        let text = export(method, language);
        assert!(text.contains(exported), "{exported:?} in\n{text}");
    }
    // Zero columns: the slow partition is evaluated at two of five stages.
    let pair = export("shome-haug-jay-2-5", "julia");
    let evaluations =
        ["    k_slow_", "    k_fast_"].map(|start| pair.lines().filter(|line| line.starts_with(start)).count());
    assert_eq!(evaluations, [2, 5]);
}

#[test]
fn tables_for_spreadsheets_are_exact_and_decimal() {
    for id in ["gauss-3", "shome-haug-jay-2-5", "dormand-prince-5"] {
        let method = library::method(id).unwrap();
        let text = export(id, "csv");
        let mut rows = text.lines().skip_while(|line| line.starts_with('#'));
        assert_eq!(rows.next(), Some("partition,quantity,i,j,exact,decimal"));
        let rows: Vec<Vec<&str>> = rows.map(|row| row.split(',').collect()).collect();
        let stages = method.stages();
        let vectors = if method.partitions()[0].b_hat.is_some() { 3 } else { 2 };
        let powers = method.partitions()[0].dense.as_ref().map_or(0, |dense| dense[0].len());
        assert_eq!(rows.len(), method.partitions().len() * stages * (stages + vectors + powers));
        for row in rows {
            let partition = method.partitions().iter().position(|partition| partition.name == row[0]).unwrap();
            let i = row[2].parse::<usize>().unwrap() - 1;
            let (exact, published) = (&method.exact().partitions[partition], &method.partitions()[partition]);
            let value = match row[1] {
                "a" => exact.a[i][row[3].parse::<usize>().unwrap() - 1].clone(),
                "b" => exact.b[i].clone(),
                "c" => exact.c[i].clone(),
                "b_hat" => published.b_hat.as_ref().unwrap()[i].value().clone(),
                "dense" => published.dense.as_ref().unwrap()[i][row[3].parse::<usize>().unwrap() - 1].value().clone(),
                other => panic!("{other}"),
            };
            assert_eq!(*Coefficient::parse(row[4]).unwrap().value(), value);
            assert_eq!(row[5].parse::<f64>().unwrap(), value.to_f64());
        }
    }
}

#[test]
fn files_are_written_and_unknown_languages_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (file, elsewhere) = (folder.path().join("rk4.c"), folder.path().join("none/rk4.c"));
    let (file, elsewhere) = (file.to_str().unwrap(), elsewhere.to_str().unwrap());
    let said = crate::common::page("export", &["rk4", "--language", "c", "--output", file]);
    assert_eq!(said, format!("wrote {file}\n"));
    assert_eq!(fs::read_to_string(file).unwrap(), export("rk4", "c"));
    assert!(crate::common::complaint("export", &["rk4", "--language", "c", "--output", elsewhere]).contains(elsewhere));
    let unknown = crate::common::complaint("export", &["rk4", "--language", "cobol"]);
    assert!(LANGUAGES.iter().all(|language| unknown.contains(language)), "{unknown}");
    assert!(crate::common::complaint("export", &["rk4"]).contains("--language"));
    assert!(crate::common::complaint("export", &["rk4x", "--language", "c"]).contains("did you mean `rk4`"));
}
