//! Steps in low-storage forms, run in their languages and compared with the step of the tableau.

use std::fs;
use std::path::Path;
use std::process::Command;

use hemiola_export::{Language, WriteError, write_low_storage};
use hemiola_tableau::low_storage::StorageClass;
use hemiola_tableau::{Butcher, Exact, Method, library};

const T: f64 = 0.25;
const H: f64 = 0.1;
const Y: f64 = 0.75;

/// A method of each class, with embedded weights in the registers of the form, accumulated, and without.
const CASES: [(&str, &str); 7] = [
    ("williamson-3", "2N"),
    ("carpenter-kennedy-5-4", "2N"),
    ("ssp-rk-3-3", "2S*"),
    ("ssp-rk-10-4", "2S"),
    ("ranocha-dalcin-parsani-ketcheson-3-2-5", "3S*"),
    ("kennedy-carpenter-lewis-4-3-5-2rc", "2R"),
    ("kennedy-carpenter-lewis-4-3-5-3rm", "3R"),
];

fn derivative(t: f64, y: f64) -> f64 {
    1.0 + t * y - y * y
}

/// Takes a step of the tableau with these weights.
fn step(butcher: &Butcher<f64>, weights: &[f64]) -> f64 {
    let mut k: Vec<f64> = Vec::new();
    for (row, c) in butcher.a.iter().zip(&butcher.c) {
        let sum: f64 = row.iter().zip(&k).map(|(a, k)| a * k).sum();
        k.push(derivative(T + c * H, Y + H * sum));
    }
    Y + H * weights.iter().zip(&k).map(|(b, k)| b * k).sum::<f64>()
}

/// Returns the solution and, with embedded weights, its difference from the embedded solution.
fn expected(method: &Method) -> Vec<f64> {
    let butcher = method.to_f64().partitions.remove(0);
    let solution = step(&butcher, &butcher.b);
    let hat = method.partitions()[0].b_hat.as_ref();
    let hat = hat.map(|hat| hat.iter().map(|weight| weight.value().to_f64()).collect::<Vec<f64>>());
    [Some(solution), hat.map(|hat| solution - step(&butcher, &hat))].into_iter().flatten().collect()
}

fn runs(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn printed(program: &Path, arguments: &[&Path]) -> Vec<f64> {
    let output = Command::new(program).args(arguments).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.split_whitespace().map(|word| word.parse().unwrap_or_else(|_| panic!("{text}"))).collect()
}

/// Writes all cases, makes a program of each in a folder of its own, and compares what it prints.
fn reproduces(language: Language, file: &str, program: impl Fn(&Path, &str, usize) -> Vec<f64>) {
    for (id, form) in CASES {
        let method = library::method(id).expect("a method of the library");
        let class: StorageClass = form.parse().expect("a class");
        let text = write_low_storage(&method, class, language).unwrap_or_else(|error| panic!("{id}: {error}"));
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(file), &text).expect("a file");
        let expected = expected(&method);
        let found = program(folder.path(), &id.replace('-', "_"), expected.len());
        assert_eq!(found.len(), expected.len(), "{id} {form}\n{text}");
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-12, "{id} {form}: {found} for {expected}\n{text}");
        }
    }
}

#[test]
fn steps_in_python_are_those_of_the_tableau() {
    if !runs("python3") {
        return;
    }
    reproduces(Language::Python, "method.py", |folder, _, count| {
        let result = if count == 1 { "(result,)" } else { "result" };
        let driver = format!(
            "from method import step\nresult = step(lambda t, y: 1 + t * y - y * y, {T}, {Y}, {H})\nprint(*{result})\n"
        );
        let file = folder.join("driver.py");
        fs::write(&file, driver).expect("a file");
        printed(Path::new("python3"), &[&file])
    });
}

#[test]
fn steps_in_c_are_those_of_the_tableau() {
    if !runs("gcc") {
        return;
    }
    reproduces(Language::C, "method.c", |folder, name, count| {
        let (error, show) = if count == 1 { ("", "") } else { ("&err, ", "printf(\"%.17g\\n\", err);") };
        let driver = format!(
            "#include \"method.c\"\n#include <stdio.h>\nstatic void f(double t, const double *y, double *d, void *data)\n\
             {{ (void)data; d[0] = 1 + t * y[0] - y[0] * y[0]; }}\nint main(void) {{\n double y = {Y}, ynew, err = 0, \
             work[{}_WORK(1)];\n {name}_step(f, NULL, 1, {T}, &y, {H}, &ynew, {error}work);\n printf(\"%.17g\\n\", ynew); \
             {show} (void)err; return 0;\n}}\n",
            name.to_uppercase()
        );
        compiled(folder, "gcc", "driver.c", &driver, &["-std=c99", "-Wall", "-Werror", "-O1"])
    });
}

#[test]
fn steps_in_fortran_are_those_of_the_tableau() {
    if !runs("gfortran") {
        return;
    }
    reproduces(Language::Fortran, "method.f90", |folder, name, count| {
        let (error, show) = if count == 1 { ("", "") } else { (", err", "print *, err(1)") };
        let driver = format!(
            "include 'method.f90'\nprogram driver\n  use {name}_method\n  real(8) :: y(1), ynew(1), err(1)\n  y = \
             {Y}_8\n  err = 0\n  call {name}_step(f, {T}_8, y, {H}_8, ynew{error})\n  print *, ynew(1)\n  {show}\n\
             contains\n  subroutine f(t, y, dydt)\n    real(8), intent(in) :: t, y(:)\n    real(8), intent(out) :: \
             dydt(:)\n    dydt = 1 + t * y - y * y\n  end subroutine\nend program\n"
        );
        compiled(folder, "gfortran", "driver.f90", &driver, &["-O1"])
    });
}

fn compiled(folder: &Path, compiler: &str, file: &str, text: &str, options: &[&str]) -> Vec<f64> {
    fs::write(folder.join(file), text).expect("a file");
    let arguments = [file, "-o", "driver"];
    let output =
        Command::new(compiler).args(options).args(arguments).current_dir(folder).output().expect("it compiles");
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
    printed(&folder.join("driver"), &[])
}

#[test]
fn other_methods_languages_and_forms_are_refused() {
    let method = |id: &str| library::method(id).expect("a method of the library");
    let refused = |id: &str, class: StorageClass, language: Language| write_low_storage(&method(id), class, language);
    assert!(matches!(refused("rk4", StorageClass::TwoN, Language::C), Err(WriteError::NoForm { .. })));
    assert!(matches!(refused("williamson-3", StorageClass::TwoN, Language::Csv), Err(WriteError::FormLanguage { .. })));
    assert!(matches!(refused("ars-2-3-3", StorageClass::TwoN, Language::C), Err(WriteError::Partitions { .. })));
}

#[test]
fn the_error_is_exactly_the_difference_of_the_weights() {
    // In exact arithmetic Σe = 0 for consistent weights: it is a difference, not a sum of rounded ones.
    let method = method_with_error();
    let text = write_low_storage(&method, StorageClass::TwoN, Language::Python).expect("a step");
    assert!(text.contains("e = [1/6, -1/2, 1/3]"), "{text}");
}

/// Williamson's method with the embedded weights b − (1/6, −1/2, 1/3).
fn method_with_error() -> Method {
    let williamson = library::method("williamson-3").expect("a method of the library");
    let exact = williamson.exact().partitions.remove(0);
    let differences = [Exact::from_ratio(1, 6), Exact::from_ratio(-1, 2), Exact::from_ratio(1, 3)];
    let hat: Vec<String> = exact.b.iter().zip(differences).map(|(b, e)| format!("\"{}\"", b.clone() - e)).collect();
    let row = |row: &Vec<Exact>| row.iter().map(|x| format!("\"{x}\"")).collect::<Vec<_>>().join(", ");
    let a: Vec<String> = exact.a.iter().map(|entries| format!("[{}]", row(entries))).collect();
    let text = format!(
        r#"{{"format": "hemiola-method/1", "id": "with-error", "name": "With error", "partitions": [{{"name": "all",
            "a": [{}], "b": [{}], "b_hat": [{}]}}]}}"#,
        a.join(", "),
        row(&exact.b),
        hat.join(", ")
    );
    Method::from_json(text.as_bytes(), "with-error").expect("a method")
}
