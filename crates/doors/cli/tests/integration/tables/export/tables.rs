//! Exported coefficients: every language reads the doubles nearest to the exact values.

use std::fs;

use hemiola::tableau::{Exact, Method, library};

use crate::tables::export::tools::{export, has, numbers, run};

/// Header with the real name and signature (SUNDIALS 6 and 7), whose function prints its arguments. Like that of
/// version 6 it requires `stdio.h` to be included before.
const ARKODE: &str = r#"
typedef double sunrealtype;
#define SUN_RCONST(x) x
typedef int ARKodeButcherTable;
static ARKodeButcherTable ARKodeButcherTable_Create(int s, int q, int p, sunrealtype *c, sunrealtype *A, sunrealtype *b,
                                                    sunrealtype *d)
{
    for (int i = 0; i < s * s; i++) printf("%.17g ", A[i]);
    for (int i = 0; i < s; i++) printf("%.17g ", b[i]);
    for (int i = 0; i < s; i++) printf("%.17g ", c[i]);
    for (int i = 0; d && i < s; i++) printf("%.17g ", d[i]);
    printf("%d %d\n", q, p);
    return 0;
}
"#;

/// Returns a, b, c and b̂ of every partition.
fn coefficients(method: &Method, after_each: &[f64]) -> Vec<f64> {
    let mut numbers = Vec::new();
    for (butcher, partition) in method.exact().partitions.iter().zip(method.partitions()) {
        numbers.extend(butcher.a.iter().flatten().chain(&butcher.b).chain(&butcher.c).map(Exact::to_f64));
        numbers.extend(partition.b_hat.iter().flatten().map(|b| b.value().to_f64()));
        numbers.extend(after_each);
    }
    numbers
}

/// Returns the names of the arrays in the order of [`coefficients`], with matrices first in each partition.
fn names(method: &Method) -> Vec<String> {
    let mut names = Vec::new();
    for partition in method.partitions() {
        let end = if method.partitions().len() > 1 { format!("_{}", partition.name) } else { String::new() };
        let hat = partition.b_hat.as_ref().map(|_| "bhat");
        names.extend(["a", "b", "c"].into_iter().chain(hat).map(|name| format!("{name}{end}")));
    }
    names
}

fn is_matrix(name: &str) -> bool {
    name == "a" || name.starts_with("a_")
}

fn each(names: &[String], text: impl Fn(&str) -> String) -> String {
    names.iter().map(|name| text(name)).collect()
}

/// Compares the output of a language; `tool` gets the folder with the exported file and the driver.
fn agree(id: &str, language: &str, files: [(&str, String); 2], tool: &dyn Fn(&std::path::Path) -> String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (file, text) in files {
        fs::write(folder.path().join(file), text).expect("a file in a temporary folder");
    }
    let expected = coefficients(&library::method(id).expect("a method of the library"), &[]);
    assert_eq!(numbers(&tool(folder.path())), expected, "{id} in {language}");
}

/// Methods without a step in Python, which has steps for diagonally implicit ones.
const IMPLICIT: [&str; 3] = ["gauss-2", "gauss-4", "lobatto-iiia-iiib-3"];
const ALL: [&str; 5] = ["gauss-2", "gauss-4", "implicit-euler", "lobatto-iiia-iiib-3", "kennedy-carpenter-ark-3-2-4"];

#[test]
fn tables_in_rust() {
    for id in ALL {
        let names = names(&library::method(id).expect("a method of the library"));
        let show = |name: &str| {
            let (array, flat) = (name.to_uppercase(), if is_matrix(name) { ".iter().flatten()" } else { ".iter()" });
            format!("    method::{array}{flat}.for_each(|x: &f64| println!(\"{{x:?}}\"));\n")
        };
        let driver = format!("mod method;\nfn main() {{\n{}}}\n", each(&names, show));
        agree(id, "rust", [("method.rs", export(id, "rust")), ("main.rs", driver)], &|folder| {
            run(folder, "rustc", &["--edition", "2024", "-D", "warnings", "main.rs", "-o", "main"]);
            run(folder, folder.join("main"), &[])
        });
    }
}

#[test]
fn tables_in_c() {
    if !has("cc", &["--version"]) {
        return;
    }
    for id in ALL {
        let names = names(&library::method(id).unwrap());
        let prefix = id.replace('-', "_");
        let show = |name: &str| {
            let first = if is_matrix(name) { "[0][0]" } else { "[0]" };
            format!(
                "    for (size_t i = 0; i < sizeof {prefix}_{name} / sizeof(double); i++)\n        printf(\"%.17g\\n\", (&{prefix}_{name}{first})[i]);\n"
            )
        };
        let head = "#include \"method.c\"\n#include <stddef.h>\n#include <stdio.h>\nint main(void)\n{\n";
        let driver = format!("{head}{}}}\n", each(&names, show));
        agree(id, "c", [("method.c", export(id, "c")), ("main.c", driver)], &|folder| {
            run(folder, "cc", &["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "main.c", "-o", "main"]);
            run(folder, folder.join("main"), &[])
        });
    }
}

#[test]
fn tables_in_python() {
    if !has("python3", &["-c", "import numpy"]) {
        return;
    }
    for id in IMPLICIT {
        let names = names(&library::method(id).unwrap());
        let show = |name: &str| format!("print(*map(repr, method.{name}.ravel().tolist()))\n");
        let driver = format!("import method\n{}", each(&names, show));
        agree(id, "python", [("method.py", export(id, "python")), ("main.py", driver)], &|folder| {
            run(folder, "python3", &["main.py"])
        });
    }
}

#[test]
fn tables_in_fortran() {
    if !has("gfortran", &["--version"]) {
        return;
    }
    for id in ALL {
        let names = names(&library::method(id).unwrap());
        let show = |name: &str| {
            let rows = if is_matrix(name) { format!("transpose({name})") } else { name.to_owned() };
            format!("  print '(es25.16e3)', {rows}\n")
        };
        let head = format!("program driver\n  use {}_method\n  implicit none\n", id.replace('-', "_"));
        let driver = format!("{head}{}end program\n", each(&names, show));
        agree(id, "fortran", [("method.f90", export(id, "fortran")), ("main.f90", driver)], &|folder| {
            run(folder, "gfortran", &["-std=f2008", "-Wall", "-Werror", "method.f90", "main.f90", "-o", "main"]);
            run(folder, folder.join("main"), &[])
        });
    }
}

#[test]
fn tables_in_octave() {
    if !has("octave-cli", &["--version"]) {
        return;
    }
    for id in ALL {
        let names = names(&library::method(id).unwrap());
        let function = format!("{}_tableau", id.replace('-', "_"));
        let show = |name: &str| format!("printf(\"%.17g\\n\", m.{name}.');\n");
        let driver = format!("m = {function}();\n{}", each(&names, show));
        let file = format!("{function}.m");
        agree(id, "matlab", [(&file, export(id, "matlab")), ("driver.m", driver)], &|folder| {
            run(folder, "octave-cli", &["--no-init-file", "--quiet", "driver.m"])
        });
    }
}

#[test]
fn tables_in_julia() {
    if !has("julia", &["--version"]) {
        return;
    }
    for id in ALL {
        let names = names(&library::method(id).unwrap());
        let show = |name: &str| {
            let array = format!("{}_{name}", id.replace('-', "_"));
            let rows = if is_matrix(name) { format!("permutedims({array})") } else { array };
            format!("foreach(println, {rows})\n")
        };
        let driver = format!("include(\"method.jl\")\n{}", each(&names, show));
        agree(id, "julia", [("method.jl", export(id, "julia")), ("main.jl", driver)], &|folder| {
            run(folder, "julia", &["--startup-file=no", "main.jl"])
        });
    }
}

#[test]
fn tables_for_arkode() {
    if !has("cc", &["--version"]) {
        return;
    }
    for id in ["rk4", "dormand-prince-5", "tr-bdf2", "kennedy-carpenter-ark-3-2-4", "shome-haug-jay-2-5"] {
        let method = library::method(id).unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("arkode")).unwrap();
        fs::write(folder.path().join("arkode/arkode_butcher.h"), ARKODE).unwrap();
        fs::write(folder.path().join("method.c"), export(id, "sundials")).unwrap();
        let prefix = id.replace('-', "_");
        let tables = method.partitions().iter().map(|partition| match method.partitions() {
            [_] => format!("    {prefix}_table();\n"),
            _ => format!("    {prefix}_{}_table();\n", partition.name),
        });
        let driver = format!("#include \"method.c\"\nint main(void)\n{{\n{}}}\n", tables.collect::<String>());
        fs::write(folder.path().join("main.c"), driver).unwrap();
        run(folder.path(), "cc", &["-std=c99", "-Wall", "-Wextra", "-Werror", "-I.", "main.c", "-o", "main"]);
        let claims = method.claims();
        let orders = [claims.order, claims.embedded_order].map(|order| order.unwrap_or(0) as f64);
        let printed = numbers(&run(folder.path(), folder.path().join("main"), &[]));
        assert_eq!(printed, coefficients(&method, &orders), "{id}");
    }
}
