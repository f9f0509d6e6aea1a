//! `hemiola system`, run as by users and programs.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

fn report(arguments: &[&str]) -> Value {
    crate::common::report("system", arguments)
}

fn complaint(arguments: &[&str]) -> String {
    crate::common::complaint("system", arguments)
}

fn folder() -> (TempDir, impl Fn(&str, &str) -> String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().to_owned();
    let file = move |name: &str, text: &str| {
        let path = root.join(name);
        if !text.is_empty() {
            fs::write(&path, text).expect("a file");
        }
        path.to_str().expect("UTF-8").to_owned()
    };
    (folder, file)
}

#[test]
fn an_undamped_oscillator_has_the_limit_of_the_imaginary_axis() {
    let (_folder, file) = folder();
    let jacobian = file("oscillator.txt", "# x, v\n0 1\n-4, 0\n");
    let report = report(&["rk4", "gauss-2", "--jacobian", &jacobian]);
    assert_eq!(report["eigenvalues"], json!([[0.0, -2.0], [0.0, 2.0]]));
    let [rk4, gauss] = [&report["methods"][0], &report["methods"][1]];
    let limit = 2f64.sqrt();
    assert!((rk4["decoupled"].as_f64().unwrap() - limit).abs() < 1e-14);
    assert!((rk4["first_exit"].as_f64().unwrap() - limit).abs() < 1e-8);
    assert_eq!((&gauss["first_exit"], &gauss["decoupled"]), (&Value::Null, &Value::Null));
}

/// Checks the motivation of Shome, Haug & Jay: the fast wheel limits a single-partition method, and the pair takes
/// equally large steps with two slow evaluations.
#[test]
fn dense_jacobians_have_a_largest_size() {
    const LARGE: &str = "dg-euler-quadtree:cells=10";
    let system = complaint(&["rk4", "--model", LARGE]);
    let polynomial = ["--stages", "4", "--order", "2", "--spectrum-of", LARGE];
    for large in [system, crate::common::complaint("polynomial", &polynomial)] {
        assert!(large.contains("a Jacobian of 7168 variables; expected at most 4000"), "{large}");
    }
}

#[test]
fn the_quarter_car_compares_pairs_with_plain_methods() {
    let (_folder, file) = folder();
    let (svg, csv) = (file("f.svg", ""), file("f.csv", ""));
    let arguments =
        ["shome-haug-jay-2-5", "rk4", "--model", "quarter-car:wheel-mass=15", "--output", &svg, "--data", &csv];
    let report = report(&arguments);
    assert_eq!(report["partition"], json!([0, 0, 1, 1]));
    let exit = |k: usize| report["methods"][k]["first_exit"].as_f64().unwrap();
    assert!(exit(0) > 0.01 && exit(1) > 0.01, "{report}");
    // A method with one partition sees a single block and loses nothing by coupling.
    let rk4 = &report["methods"][1];
    assert!((exit(1) / rk4["decoupled"].as_f64().unwrap() - 1.0).abs() < 1e-6);
    assert!(fs::read_to_string(&svg).unwrap().contains("Classical Runge–Kutta 4"));
    let lines: Vec<String> = fs::read_to_string(&csv).unwrap().lines().map(str::to_owned).collect();
    assert_eq!((lines.len(), lines[0].as_str(), lines[1].as_str()), (1002, "h,shome-haug-jay-2-5,rk4", "0,1,1"));
    let text = crate::common::outcome("system", &arguments).1;
    assert!(text.contains("2 slow, 2 fast") && text.contains("Ratio") && text.contains("wrote"), "{text}");
}

#[test]
fn rigid_bodies_do_not_leave_the_disk() {
    let (_folder, file) = folder();
    // Two free masses and a spring.
    let free = file("free.txt", "0 0 1 0\n0 0 0 1\n-1 1 0 0\n1 -1 0 0\n");
    let report = report(&["rk4", "--jacobian", &free]);
    let exit = report["methods"][0]["first_exit"].as_f64().unwrap();
    assert!((exit - 2.0).abs() < 1e-8, "{report}"); // √8 over the frequency √2
    assert!(crate::common::outcome("system", &["rk4", "--jacobian", &free]).1.contains("2 eigenvalues zero"));
    // All variables are slow.
    let steps = ["mprk-p3", "--jacobian", &free, "--slow-variables", "1..4", "--largest-step", "0.5"];
    assert!(crate::common::outcome("system", &steps).1.contains("4 slow, 0 fast"));
}

/// Checks that an unstable block has no decoupled step, that the search continues to the exit of the coupled system,
/// and that the page explains this.
#[test]
fn a_part_that_grows_is_named_and_hides_no_exit() {
    let (_folder, file) = folder();
    let jacobian = file("held.txt", "0.1 0.5\n-5 -10\n");
    let arguments = ["perk-4-9-5", "heun-2", "--jacobian", &jacobian, "--slow-variables", "1"];
    let methods = &report(&arguments)["methods"];
    let exit = methods[0]["first_exit"].as_f64().unwrap();
    assert!((0.95..1.0).contains(&exit) && methods[0]["farthest"].as_f64().unwrap() > exit, "{methods}");
    assert_eq!(methods[0]["decoupled_by"], json!({"partition": 0, "eigenvalue": [0.1, 0.0]}));
    let page = crate::common::outcome("system", &arguments).1;
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        page.contains(
            "the slow part alone has the eigenvalue 0.1 and is unstable by itself; the coupling stabilizes it"
        ),
        "{page}"
    );
    // Another reason is a method without a stable step along an eigenvalue.
    let undamped = file("undamped.txt", "0 1 0\n-1 0 0\n0 0 -3\n");
    let page = crate::common::outcome("system", &["mprk-p2", "--jacobian", &undamped, "--slow-variables", "1,2"]).1;
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        page.contains("for mprk-p2: the slow part alone has the eigenvalue 0±1i, for which no step is stable"),
        "{page}"
    );
    // The system itself is unstable.
    let grows = file("grows.txt", "0.5 0\n0 -3\n");
    let page = crate::common::outcome("system", &["rk4", "--jacobian", &grows]).1;
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains("the system has the eigenvalue 0.5 and is unstable by itself"), "{page}");
}

/// Compares the exact fast part with many fast steps, and with one rate.
#[test]
fn fast_parts_of_multirate_methods_are_exact() {
    let found = report(&["mri-gark-erk33a", "mri-gark-erk33a:inner=rk4,substeps=12", "rk4", "--model", "quarter-car"]);
    let exit = |k: usize| found["methods"][k]["first_exit"].as_f64().unwrap();
    // Many fast steps approach the flow; the fast part bounds single rates.
    assert!((exit(0) / exit(1) - 1.0).abs() < 1e-3 && exit(0) > 8.0 * exit(2), "{found}");
    let text = crate::common::outcome("system", &["merk43", "--model", "quarter-car"]).1;
    assert!(text.contains("2 slow, 2 fast"), "{text}");
    assert!(complaint(&["merk43", "--model", "quarter-car", "--simulate"]).contains("merk43:inner=METHOD,substeps=M"));
    assert!(complaint(&["imex-mri-gark3a", "--model", "quarter-car"]).contains("found 3 partitions; expected 2"));
}

/// Checks that the help lists all models and that all can be linearized.
#[test]
fn every_model_is_a_system() {
    let help = crate::common::outcome("system", &["--help"]).1;
    for name in hemiola::models::names() {
        assert!(help.contains(name), "{name}");
        // Default meshes of more than a thousand variables have eigenvalues that take minutes.
        let small = match name {
            "dg-waves-plane" => ":cells=2,rows=2",
            "dg-waves-quadtree" | "dg-euler-quadtree" => ":cells=2,patch=1",
            _ => "",
        };
        let report = report(&["rk4", "--model", &format!("{name}{small}")]);
        let variables = report["variables"].as_array().unwrap().len();
        assert!(variables == report["partition"].as_array().unwrap().len() && variables > 1, "{name}");
        assert!(report["methods"][0]["decoupled"].as_f64().is_none_or(|limit| limit >= 0.0), "{name}");
    }
    // Slow and fast variables are contiguous, 14 of each.
    let vehicle = report(&["shome-haug-jay-2-5", "--model", "planar-vehicle"]);
    assert_eq!(vehicle["variables"][14], json!("front ring x from hub"));
    assert_eq!(vehicle["partition"].as_array().unwrap().iter().filter(|part| **part == json!(1)).count(), 14);
    assert!(vehicle["methods"][0]["first_exit"].as_f64().unwrap() > 1e-3, "{vehicle}");
}

#[test]
fn models_show_their_parameters() {
    let (code, stdout, _) = crate::common::outcome("system", &["rk4", "--model", "quarter-car:?"]);
    assert!(code == 0 && stdout.contains("tyre-stiffness") && stdout.contains("191000") && stdout.contains("N/m"));
}

#[test]
fn faults_are_named() {
    let (_folder, file) = folder();
    let square = file("square.txt", "0 1\n-1 0\n");
    let ragged = file("ragged.txt", "0 1 2\n-1 0\n");
    assert!(complaint(&["rk4"]).contains("--jacobian"));
    assert!(complaint(&["rk4", "--jacobian", &ragged]).contains("line 1: the row has 3 numbers; expected 2"));
    let empty = file("empty.txt", "# nothing yet\n");
    assert!(complaint(&["rk4", "--jacobian", &empty]).contains("the file contains no numbers"));
    assert!(
        complaint(&["mprk-p2", "--jacobian", &square]).contains("mprk-p2 has 2 partitions; expected --slow-variables")
    );
    let range = complaint(&["mprk-p2", "--jacobian", &square, "--slow-variables", "1..3"]);
    assert!(range.contains("no variable 3; the Jacobian has 2 variables"), "{range}");
    assert!(complaint(&["rk4", "--jacobian", &square, "--slow-variables", "0"]).contains("positive integer"));
    assert!(complaint(&["rk4", "--jacobian", &square, "--largest-step", "0"]).contains("a number > 0"));
    assert!(complaint(&["rk4", "--model", "half-car"]).contains("quarter-car, quarter-car-ring"));
    assert!(complaint(&["rk4", "--model", "quarter-car:mass=1"]).contains("no parameter `mass`"));
    assert!(
        complaint(&["rk4", "--model", "quarter-car:wheel-mass"]).contains("expected KEY=VALUE, found `wheel-mass`")
    );
    assert!(complaint(&["rk4", "--model", "quarter-car:wheel-mass=x"]).contains("`x` is not a number"));
    assert!(complaint(&["rk4", "--model", "quarter-car", "--slow-variables", "1"]).contains("--slow-variables"));
    assert!(complaint(&["rk4", "--jacobian", &square, "--data", "f.npy"]).contains(".csv"));
}

/// Checks that a file of another layout names the one that is read.
#[test]
fn headers_and_ragged_rows_name_the_layout() {
    let (_folder, file) = folder();
    let head = file("head.csv", "x,y\n0,1\n1,0\n");
    let ragged = file("ragged.csv", "0,1,2\n1,0\n");
    let layout = "one row of numbers per line, separated by blanks or commas, without a header";
    for (file, found) in
        [(&head, "line 1: `x` is not a number"), (&ragged, "line 1: the row has 3 numbers; expected 2")]
    {
        let error = complaint(&["rk4", "--jacobian", file]);
        assert!(error.contains(found) && error.contains(layout), "{error}");
    }
    let error = crate::common::complaint("polynomial", &["--stages", "4", "--order", "1", "--spectrum", &head]);
    assert!(error.contains("line 1: `x`") && error.contains("or two columns with real and imaginary parts"), "{error}");
    let none = file("none.csv", "");
    assert!(complaint(&["rk4", "--jacobian", &none]).contains("none.csv: no such file or folder"));
}
