//! `hemiola models`, `simulate` and `converge`, run as by users and programs.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{complaint, outcome, page, report};

fn folder() -> (TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().to_owned();
    (folder, move |name: &str| root.join(name).to_str().expect("UTF-8").to_owned())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn every_model_is_listed_and_described() {
    let all = report("models", &[]);
    let names: Vec<&str> = all.as_array().unwrap().iter().map(|model| model["name"].as_str().unwrap()).collect();
    for name in ["quarter-car", "planar-vehicle", "pendulum-particle", "flexible-beam", "kpr", "kepler", "brusselator"]
    {
        assert!(names.contains(&name), "{name}");
    }
    for name in names {
        let text = page("models", &[name]);
        assert!(text.contains("Initially") && text.contains(name), "{text}");
    }
    let vehicle = report("models", &["planar-vehicle:speed=30"]);
    assert_eq!(vehicle[0]["variables"].as_array().unwrap().len(), 28);
    assert_eq!(vehicle[0]["sizes"], serde_json::json!([14, 14]));
    assert_eq!(number(&vehicle[0]["variables"][7]["initial"]), 30.0);
    assert!(complaint("models", &["half-car"]).contains("planar-vehicle"));
}

#[test]
fn runs_are_counted_and_compared_with_the_solution() {
    let report = report("simulate", &["kpr", "shome-haug-jay-2-5", "rk4", "--steps", "2000"]);
    let [pair, plain] = [&report["methods"][0], &report["methods"][1]];
    assert_eq!(pair["evaluations"], serde_json::json!([4000, 10000]));
    assert_eq!(plain["evaluations"], serde_json::json!([8000, 8000]));
    assert!(number(&plain["error"]) < 1e-8 && number(&pair["error"]) > 10.0 * number(&plain["error"]), "{report}");
    assert!(number(&report["reference_uncertainty"]) < 1e-12);
    assert!(pair.get("seconds").is_none());
}

/// Each step multiplies the stiff part by 500⁴/24: finite numbers that are no solution.
#[test]
fn results_that_are_no_solutions_fail_in_words() {
    let model = ["kpr:slow-decay=10000", "--end", "0.15"];
    let run = |command: &str, arguments: &[&str]| {
        let (code, stdout, _) = outcome(command, &[&model[..], arguments].concat());
        (code, stdout)
    };
    let (code, stdout) = run("simulate", &["rk4", "radau-iia-2", "--steps", "3"]);
    assert!(code == 1 && stdout.contains("unstable: 7.7e18 times the solution"), "{stdout}");
    assert!(stdout.contains("finished"), "{stdout}");
    assert_eq!(run("simulate", &["radau-iia-2", "--steps", "3"]).0, 0);
    let (code, stdout) = run("converge", &["rk4", "--max-steps", "4"]);
    assert!(code == 1 && stdout.contains("The last run, with 4 steps: unstable: "), "{stdout}");
    // With enough steps the method is stable, whatever the first runs gave.
    assert_eq!(run("converge", &["rk4", "--max-steps", "4096"]).0, 0);
}

#[test]
fn adaptive_steps_keep_their_tolerance_by_either_control() {
    let error = |arguments: &[&str]| {
        let report = report("simulate", &[&["kepler", "--end", "6"][..], arguments].concat());
        let method = &report["methods"][0];
        assert_eq!(method["outcome"], "finished");
        (number(&method["error"]), number(&method["steps"]), number(&method["energy_change"]))
    };
    for method in ["dormand-prince-5", "rk4", "gauss-2"] {
        let (rough, few, _) = error(&[method, "--tolerance", "1e-5"]);
        let (fine, many, energy) = error(&[method, "--tolerance", "1e-9"]);
        assert!(rough < 1e-3 && fine < 1e-7 && fine < 1e-2 * rough && many > few, "{method}: {rough} {fine}");
        assert!(energy.abs() < 1e-7);
    }
    let (_, embedded, _) = error(&["dormand-prince-5", "--tolerance", "1e-7"]);
    let (_, doubled, _) = error(&["dormand-prince-5", "--tolerance", "1e-7", "--doubling"]);
    assert!(embedded != doubled);
}

/// Checks a statement of the paper by Gil et al.: with h = .005 its scheme follows the pendulum, and RK4 does not.
#[test]
fn an_unstable_run_is_no_solution() {
    let arguments = ["pendulum-particle", "rk4", "--step", "0.005", "--end", "2"];
    let (code, stdout, stderr) = outcome("simulate", &arguments);
    assert_eq!((code, stderr.as_str()), (1, ""), "{stdout}");
    assert!(stdout.contains("not finite"), "{stdout}");
    let text = page("simulate", &["pendulum-particle", "singular-perturbation", "--step", "0.005", "--end", "2"]);
    assert!(text.contains("finished"), "{text}");
}

#[test]
fn figures_and_data_hold_the_solution() {
    let (_folder, file) = folder();
    let (svg, csv) = (file("f.svg"), file("f.csv"));
    let arguments = ["quarter-car", "rk4", "--step", "0.01", "--end", "1", "--variables", "body position,3"];
    let text = page("simulate", &[&arguments[..], &["--output", &svg, "--data", &csv]].concat());
    assert!(text.contains("wrote"), "{text}");
    let figure = fs::read_to_string(&svg).unwrap();
    assert!(
        figure.contains("body position in m")
            && figure.contains("wheel position in m")
            && figure.contains("Classical Runge–Kutta 4")
    );
    let data = fs::read_to_string(&csv).unwrap();
    assert_eq!(data.lines().count(), 102);
    assert!(data.starts_with("t,body position,body speed,wheel position,wheel speed,total energy,power\n0,"));
    // Equal commands give equal bytes.
    page("simulate", &[&arguments[..], &["--output", &svg, "--data", &csv]].concat());
    assert_eq!((fs::read_to_string(&svg).unwrap(), fs::read_to_string(&csv).unwrap()), (figure, data));
}

/// Checks that errors of impossible machines name the body or joint and the description of the format.
#[test]
fn machines_in_files_that_cannot_be_are_told() {
    let (_folder, file) = folder();
    let machine =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../machines/quarter-car.json")).unwrap();
    let fault = |from: &str, to: &str| {
        assert!(machine.contains(from), "{from}");
        let path = file("machine.json");
        fs::write(&path, machine.replace(from, to)).unwrap();
        let text = complaint("simulate", &[&path, "rk4", "--step", "0.001"]);
        assert!(text.contains("machines/schema.json"), "{text}");
        text
    };
    let massless = fault(
        r#""mass": 35, "center": [0, 0.7, 0.3], "inertia": [0.6, 1.0, 0.6]"#,
        r#""mass": 0, "center": [0, 0.7, 0.3], "inertia": [0, 0, 0]"#,
    );
    assert!(massless.contains("body `wheel` can move in joint `spin` without moving any mass"), "{massless}");
    let loose = fault(r#"["arm", "wheel"]"#, r#"["arm", "whel"]"#);
    assert!(loose.contains("no body `whel`"), "{loose}");
    assert!(fault(r#""mass": 290"#, r#""mass": NaN"#).contains("bodies[1].mass: found \"NaN\""));
    assert!(fault(r#""mass": 290"#, r#""mass": -290"#).contains("bodies[1] (body).mass: found -290.0"));
    // A pair does not fit a machine, which has one partition.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../machines/quarter-car.json");
    let pair = complaint("simulate", &[path, "hemiola-4-8", "--step", "0.001"]);
    assert!(pair.contains("but the system has 1; expected a method with one partition"), "{pair}");
}

/// Checks wheel forces and energies of models and of machines in files: as curves, in the data and in JSON.
#[test]
fn forces_and_energies_are_drawn_and_written() {
    let (_folder, file) = folder();
    let (svg, csv) = (file("f.svg"), file("f.csv"));
    let machine = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../machines/quarter-car.json");
    let arguments = [machine, "rk4", "--step", "0.002", "--end", "1", "--no-reference"];
    page("simulate", &[&arguments[..], &["--show", "forces", "--output", &svg, "--data", &csv]].concat());
    let figure = fs::read_to_string(&svg).unwrap();
    assert!(["load in ", "force along in ", "force aside in ", ">tire<"].iter().all(|text| figure.contains(text)));
    let data = fs::read_to_string(&csv).unwrap();
    let header: Vec<&str> = data.lines().next().unwrap().split(',').collect();
    assert_eq!(
        header[9..],
        [
            "tire load",
            "tire force along",
            "tire force aside",
            "kinetic energy",
            "gravity energy",
            "elastic energy",
            "total energy",
            "power"
        ]
    );
    // The bump passes below the wheel and compresses it, and the parts of the energy add up.
    let rows: Vec<Vec<f64>> =
        data.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    let loads = || rows.iter().map(|row| row[9]);
    assert!(loads().fold(0.0, f64::max) > 1.5 * loads().next_back().unwrap());
    assert!(rows.iter().all(|row| (row[12] + row[13] + row[14] - row[15]).abs() < 1e-9 * row[15]));
    let report = report("simulate", &arguments);
    let load = &report["methods"][0]["outputs"][0];
    assert_eq!((load["name"].as_str(), load["unit"].as_str()), (Some("tire load"), Some("N")));
    assert!((number(&load["most"]) - loads().fold(0.0, f64::max)).abs() < 1e-9 * number(&load["most"]));

    page("simulate", &[&arguments[..], &["--show", "energy", "--output", &svg]].concat());
    let figure = fs::read_to_string(&svg).unwrap();
    assert!(["change of energy in", "power in", ">kinetic<", ">elastic<"].iter().all(|text| figure.contains(text)));
    // Quantities that a model does not have are not drawn.
    let fault = complaint("simulate", &["van-der-pol", "rk4", "--show", "forces", "--output", &svg]);
    assert!(fault.contains("van-der-pol has no such output"), "{fault}");
    assert!(complaint("simulate", &["kepler", "rk4", "--show", "energy"]).contains("--output"));
}

#[test]
fn every_kind_of_scheme_runs() {
    let schemes = ["gauss-2", "hairer-wanner-sdirk-4", "linearized:radau-iia-2,q=1", "kennedy-carpenter-ark-3-2-4"];
    let report =
        report("simulate", &[&["van-der-pol:epsilon=0.1", "--steps", "400", "--end", "1"], &schemes[..]].concat());
    for (scheme, method) in schemes.iter().zip(report["methods"].as_array().unwrap()) {
        assert_eq!(method["outcome"], "finished", "{scheme}");
        assert!(number(&method["error"]) < 1e-3 && number(&method["jacobians"]) > 0.0, "{scheme}: {method}");
    }
}

#[test]
fn multirate_methods_run_with_their_inner_method() {
    let names = ["merk43:inner=rk4,substeps=4", "hemiola-mri-5-4", "mri-gark-esdirk34a:inner=kutta-3,substeps=2"];
    let equal = report("simulate", &[&["kpr", "--steps", "200"], &names[..]].concat());
    let methods = equal["methods"].as_array().unwrap();
    let counts = |k: usize| methods[k]["evaluations"].as_array().unwrap().iter().map(number).collect::<Vec<_>>();
    assert_eq!(methods[0]["id"], "merk43:inner=rk4,substeps=4");
    // Six slow stages and six intervals; by default four steps of dormand-prince-5, with six stages, in five intervals.
    assert_eq!((counts(0), counts(1)[0]), (vec![1200.0, 200.0 * 6.0 * 16.0], 1000.0));
    assert_eq!(methods[1]["id"], "hemiola-mri-5-4:inner=dormand-prince-5");
    assert!(methods.iter().all(|method| number(&method["error"]) < 1e-4), "{equal}");
    let adaptive = report("simulate", &["kpr", "merk43", "hemiola-mri-5-4", "--tolerance", "1e-7"]);
    for method in adaptive["methods"].as_array().unwrap() {
        assert!(number(&method["error"]) < 1e-5 && method["outcome"] == "finished", "{method}");
    }
    let orders = report("converge", &["kpr", "mri-gark-erk33a", "merk43:inner=rk4,substeps=2", "--max-runs", "6"]);
    for (method, order) in orders["methods"].as_array().unwrap().iter().zip([3.0, 4.0]) {
        assert!((number(&method["observed_order"]) - order).abs() < 0.3, "{method}");
    }
    // Chosen partitions of a realization are those of its pair.
    let names = ["merk43:inner=rk4,substeps=2", "merk43:inner=rk4,substeps=2@1,2"];
    let same = report("simulate", &["kpr", names[0], names[1], "--steps", "10"]);
    let errors = [0, 1].map(|k: usize| number(&same["methods"][k]["error"]));
    assert!((errors[0] / errors[1] - 1.0).abs() < 1e-6, "{errors:?}");
    for (name, part) in [
        ("merk43:inner=rk4,substeps=0", "found 0 micro-steps"),
        ("rk4:inner=rk4,substeps=1", "no method `rk4` in the library of multirate methods"),
        ("rk4:substeps=4", "no method `rk4` in the library of multirate methods"),
        ("merk44:inner=rk4", "no method `merk44` in the library of multirate methods"),
        ("imex-mri-sr43", "has 3 partitions, but the system has 2"),
        ("merk43:inner=hemiola-4-8,substeps=1", "the inner method hemiola-4-8 has 2 partitions"),
    ] {
        assert!(complaint("simulate", &["kpr", name, "--steps", "10"]).contains(part), "{name}");
    }
}

#[test]
fn orders_are_observed() {
    let methods = ["shome-haug-jay-2-5", "hemiola-3-7", "hemiola-4-8", "hemiola-6-8", "gauss-2"];
    let report = report("converge", &[&["kpr"], &methods[..]].concat());
    for (method, expected) in report["methods"].as_array().unwrap().iter().zip([2.0, 3.0, 4.0, 5.0, 4.0]) {
        assert_eq!(number(&method["claimed_order"]), expected);
        assert!((number(&method["observed_order"]) - expected).abs() < 0.3, "{method}");
    }
}

#[test]
fn a_claim_that_is_not_kept_is_found() {
    let (_folder, file) = folder();
    let path = file("euler-as-four.json");
    let text = r#"{ "format": "hemiola-method/1", "id": "euler-as-four", "name": "Euler", "claims": { "order": 4 },
        "partitions": [{ "name": "all", "a": [["0"]], "b": ["1"] }] }"#;
    fs::write(&path, text).unwrap();
    let (code, stdout, _) = outcome("converge", &["kpr", &path]);
    assert_eq!(code, 1);
    assert!(stdout.contains("claimed 4"), "{stdout}");
}

#[test]
fn the_fewest_steps_for_an_error_are_found() {
    let (_folder, file) = folder();
    let (svg, csv) = (file("f.svg"), file("f.csv"));
    let options = ["--error", "1e-6", "--x-axis", "work", "--cost", "20", "--output", &svg, "--data", &csv];
    let report = report("converge", &[&["kpr", "rk4", "hemiola-4-8"], &options[..]].concat());
    for method in report["methods"].as_array().unwrap() {
        let error = number(&method["wanted"]["error"]);
        assert!(error <= 1e-6 && error > 0.9e-6, "{method}");
    }
    assert!(fs::read_to_string(&svg).unwrap().contains("work in fast evaluations"));
    assert!(
        fs::read_to_string(&csv).unwrap().starts_with("method,steps,h,error,evaluations 1,evaluations 2,jacobians\n")
    );
}

#[test]
fn faults_are_named() {
    assert!(complaint("simulate", &["kepler", "no-such-method"]).contains("no-such-method"));
    assert!(complaint("simulate", &["kepler:mass=1", "rk4"]).contains("mass"));
    assert!(complaint("simulate", &["kepler", "rk4", "--variables", "z"]).contains("one of: "));
    assert!(complaint("simulate", &["kepler", "rk4", "gauss-2", "--data", "f.csv"]).contains("--data"));
    assert!(complaint("simulate", &["kepler", "rk4", "--step", "0"]).contains("--step"));
    assert!(
        complaint("simulate", &["flexible-beam", "shome-haug-jay-2-5"]).contains("2 partitions, but the system has 1")
    );
    assert!(complaint("simulate", &["kepler", "linearized:gauss-2,decoupled"]).contains("full Jacobian"));
    assert!(complaint("converge", &["van-der-pol:epsilon=1e-9", "rk4"]).contains("no reference solution"));
}

#[test]
fn eigenvalues_over_a_run_are_drawn() {
    let (_folder, file) = folder();
    let svg = file("e.svg");
    page("simulate", &["quarter-car-ring", "rk4", "--end", "0.2", "--tolerance", "1e-6", "--eigenvalues", &svg]);
    let figure = fs::read_to_string(&svg).unwrap();
    assert!(figure.contains("slow") && figure.contains("fast"));
}

/// Checks that the step matrix and simulation agree in steady motion.
#[test]
fn the_largest_stable_step_is_found_by_simulation_too() {
    let model = "quarter-car-ring:torque-pulse=0,road-amplitude=0";
    let report = report("system", &["heun-2", "rk4", "hemiola-4-8", "--model", model, "--simulate"]);
    for method in report["methods"].as_array().unwrap() {
        let [exit, simulated] = ["first_exit", "simulated"].map(|key| number(&method[key]));
        // A growth of less than 1.0004 per step is not detected.
        assert!(simulated > 0.999 * exit && simulated < 1.05 * exit, "{method}");
    }
    assert!(page("system", &["rk4", "--model", model, "--simulate"]).contains("By simulation"));
}

/// Checks that results obtained before Ctrl-C are printed.
#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_far_it_came() {
    use std::process::{Command, Stdio};
    let mut binary = Command::new(env!("CARGO_BIN_EXE_hemiola"));
    binary.args(["simulate", "planar-vehicle", "rk4", "--steps", "80000000", "--no-reference"]);
    let run = binary.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    // Long enough for the handler to be installed, short compared with the minutes that all steps would take.
    std::thread::sleep(std::time::Duration::from_secs(2));
    let signal = Command::new("kill").args(["-s", "INT", &run.id().to_string()]).status();
    assert!(signal.expect("kill").success());
    let end = run.wait_with_output().expect("an end");
    let said = String::from_utf8(end.stdout).expect("UTF-8");
    assert_eq!(end.status.code(), Some(130), "{said}");
    assert!(said.contains("interrupted at t = "), "{said}");
}

#[test]
fn machines_of_ones_own_move() {
    let machine = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../machines/four-bar-linkage.json");
    let run = report("simulate", &[machine, "rk4", "dormand-prince-5", "--end", "0.5", "--tolerance", "1e-8"]);
    for method in run["methods"].as_array().unwrap() {
        assert_eq!(method["outcome"], "finished");
        assert!(number(&method["error"]) < 1e-5, "{run}");
    }
    assert!(page("models", &[machine]).contains("coupler second angle"));
    let (_kept, path) = folder();
    let file = path("loose.json");
    let text = fs::read_to_string(machine).unwrap().replacen("\"ground\", \"crank\"", "\"ground\", \"rocker\"", 1);
    fs::write(&file, text).unwrap();
    let told = complaint("simulate", &[&file, "rk4"]);
    assert!(told.contains("loose.json") && told.contains("body `rocker` is carried by joint `crank`"), "{told}");
}

#[test]
fn machines_are_solved_as_asked_and_counted() {
    let run = |solver: &str| {
        let model = format!("sedan:{solver}");
        report("simulate", &[&model, "rk4", "--step", "0.001", "--end", "0.05", "--no-reference"])["methods"][0].clone()
    };
    let (full, refined) = (run("solver=cholesky"), run("solver=refined,refinement-tolerance=1e-3"));
    assert_eq!((full["factorizations"].as_u64(), full["refinements"].as_u64()), (Some(200), Some(0)));
    // The older setting `full` selects the fastest solver, which has a factorization if there are loops.
    assert_eq!(run("solver=full")["factorizations"].as_u64(), Some(200));
    // 2N + 1 of 4N factorizations, and one iteration in each of the others.
    assert_eq!((refined["factorizations"].as_u64(), refined["refinements"].as_u64()), (Some(101), Some(99)));
    let wrong = complaint("simulate", &["sedan:solver=magic", "rk4"]);
    assert!(wrong.contains("solver is magic; expected one of: direct, cholesky, refined, matrix-free"), "{wrong}");
    // A tree needs no factorization unless one is requested; the same truck with loops does.
    let truck = |changes: &str| {
        let model = format!("truck:{changes}");
        let run = report("simulate", &[&model, "rk4", "--step", "0.001", "--end", "0.01", "--no-reference"]);
        run["methods"][0]["factorizations"].as_u64()
    };
    let of =
        ["solver=full", "solver=direct", "solver=cholesky", "axles=rods", "axles=rods,solver=matrix-free"].map(truck);
    assert_eq!(of, [Some(0), Some(0), Some(40), Some(40), Some(21)]);
}

#[test]
fn machines_are_animated() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // The folder and its parents are created.
    let path = folder.path().join("figures").join("frames").display().to_string();
    let _ = page(
        "simulate",
        &["truck", "rk4", "--step", "0.005", "--end", "0.1", "--no-reference", "--animate", &path, "--frames", "3"],
    );
    let mut files: Vec<_> = fs::read_dir(&path).expect("frames").flatten().map(|file| file.file_name()).collect();
    files.sort();
    assert_eq!(files, ["0001.png", "0002.png", "0003.png"]);
    for vehicle in ["quarter-car-body", "quarter-car", "quarter-car-ring", "planar-vehicle"] {
        let plane = folder.path().join(vehicle).display().to_string();
        let run = [
            vehicle,
            "rk4",
            "--step",
            "0.001",
            "--end",
            "0.01",
            "--no-reference",
            "--animate",
            &plane,
            "--frames",
            "2",
        ];
        let _ = page("simulate", &run);
        assert_eq!(fs::read_dir(&plane).expect("frames").count(), 2, "{vehicle}");
    }
}

#[test]
fn runs_are_animations_in_gif_files() {
    let (_folder, file) = folder();
    let pictures = |bytes: &[u8]| (0..bytes.len() - 3).filter(|&k| bytes[k..].starts_with(&[0x21, 0xf9, 4])).count();
    // A vehicle, and a model without bodies whose solution grows.
    for (run, name) in [
        (["quarter-car", "rk4", "--step", "0.001", "--end", "0.2", "--no-reference"], "car.gif"),
        (["van-der-pol", "rk4", "--step", "0.01", "--end", "0.2", "--no-reference"], "oscillator.gif"),
    ] {
        let gif = file(name);
        let told = page("simulate", &[&run[..], &["--animate", &gif, "--width", "60", "--dpi", "60"]].concat());
        assert!(told.contains(&format!("wrote {gif}")), "{told}");
        let bytes = fs::read(&gif).expect("an animation");
        assert!(bytes.starts_with(b"GIF89a") && pictures(&bytes) == 5, "{name}: {} pictures", pictures(&bytes));
        assert!(!std::path::Path::new(&format!("{gif}.part")).exists());
    }
    let short = ["quarter-car", "rk4", "--step", "0.001", "--end", "0.2", "--animate", "x.gif", "--interval", "1e-6"];
    assert!(complaint("simulate", &short).contains("expected 2 to 2000"));
}

#[test]
fn figures_are_shown_as_text() {
    let shown = page("simulate", &["quarter-car", "rk4", "--step", "0.005", "--no-reference", "--preview"]);
    let dots = shown.chars().filter(|letter| ('\u{2801}'..='\u{28ff}').contains(letter)).count();
    assert!(dots > 200 && shown.contains("time t in s") && !shown.contains('\u{1b}'), "{shown}");
    assert!(complaint("simulate", &["quarter-car", "rk4", "--preview", "--json"]).contains("--json"));
}
