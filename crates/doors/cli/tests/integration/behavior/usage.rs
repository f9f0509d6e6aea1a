//! Main workflow, help, bad usage, and user folders.

use std::process::{Output, Stdio};
use std::{fs, io};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

use super::run::{assert_near, code, complaint, folder, hemiola, json, path, run, stdout, text, variant};

#[test]
fn the_main_job() {
    let folder = folder();
    let file = path(&folder, "two-five.json");
    let design = ["design", "--slow", "2", "--fast", "5", "--output", &file];
    let page = text(&design);
    for part in ["[τ_f]_s", "coupling", "β5 of the fast polynomial", "0.1897", "shome-haug-jay-2-5", "0.4037", "seed"]
    {
        assert!(page.contains(part), "{part} in\n{page}");
    }
    let report = json(&["design", "--slow", "2", "--fast", "5", "--output", &file, "--json"]);
    let conditions = report["conditions"].as_array().expect("conditions");
    assert_eq!(conditions.len(), 9);
    for condition in conditions {
        assert_near(&condition["residual"], 0.0, 1e-15);
    }
    assert_near(&report["imaginary_limits"][1], 4.0, 1e-12);
    assert!(report["principal_error_norm"].as_f64().expect("a norm") <= 0.1898);
    assert!(report["largest_coefficient"].as_f64().expect("a number") <= 1.0);
    // Other commands agree, given only the file.
    let checked = json(&["check", &file, "--json"]);
    assert_eq!((checked[0]["order"].as_u64(), checked[0]["claimed_order"].as_u64()), (Some(2), Some(2)));
    assert_near(&checked[0]["principal_error_norm"], 0.1897, 1e-4);
    assert_near(&json(&["stability", &file, "--json"])["partitions"][1]["imaginary_limit"], 4.0, 1e-12);
    let figure = fs::read_to_string(path(&folder, "two-five.svg")).expect("a figure");
    assert!(figure.contains(">slow</tspan>") && figure.contains(">fast</tspan>"));
    assert!(fs::read_to_string(path(&folder, "two-five.md")).expect("a report").contains("two-five.svg"));
}

#[test]
fn certificates_are_verified() {
    let folder = folder();
    let (file, proof) = (path(&folder, "pair.json"), path(&folder, "pair.certificate.json"));
    text(&["design", "--slow", "2", "--fast", "4", "--order", "2", "--starts", "8", "--output", &file]);
    let page = text(&["check", &file, "--certificate", &proof]);
    assert!(page.contains("an exact solution of all order conditions"), "{page}");
    let written = fs::read_to_string(&proof).expect("a certificate");
    // Without this condition the others do not imply all.
    let spoiled = written.replace("\"[τ_s]_s\",", "");
    assert_ne!(spoiled, written);
    fs::write(&proof, spoiled).expect("a file");
    let check = hemiola(&["check", &file, "--certificate", &proof, "--json"]).assert().code(1);
    let report: Value = serde_json::from_slice(&check.get_output().stdout).expect("JSON");
    assert_eq!(report[0]["certificate_holds"], false);
    fs::write(&proof, "{}").expect("a file");
    assert!(complaint(&["check", &file, "--certificate", &proof]).contains("found no format"));
    // Certificates of order five with every kind of assumption.
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../methods/design/tests/data");
    for id in ["dual-rate-6-8", "dual-rate-6-9"] {
        let [file, proof] = ["json", "certificate.json"].map(|ending| format!("{data}/{id}.{ending}"));
        let page = text(&["check", &file, "--certificate", &proof]);
        assert!(page.contains("an exact solution of all order conditions"), "{page}");
    }
    // The method files of the folder are read; certificates are not.
    let one = json(&["check", folder.path().to_str().expect("a path"), "--json"]);
    assert_eq!(one.as_array().map(Vec::len), Some(1));
}

#[test]
fn odd_numbers_of_fast_stages_and_damping() {
    let folder = folder();
    let file = path(&folder, "pair.json");
    let design = |options: &[&str]| json(&[&["design", "--output", &file, "--json"], options].concat());
    let odd = design(&["--slow", "3", "--fast", "5", "--starts", "4"]);
    assert_eq!(odd["order"], 3);
    assert_near(&odd["imaginary_limits"][1], 3.913282486378153, 1e-9);
    let damped = design(&["--slow", "2", "--fast", "5", "--damping", "0.05", "--starts", "4"]);
    assert_near(&damped["damping"], 0.05, 0.0);
    // The last point where |R| reaches 0.95 is followed closely by the point where it reaches one.
    let limit =
        json(&["polynomial", "--stages", "5", "--order", "2", "--axis", "imaginary", "--damping", "0.05", "--json"]);
    let limit: f64 = limit["limit"].as_str().and_then(|text| text.parse().ok()).expect("a number");
    let exit = damped["imaginary_limits"][1].as_f64().expect("a number");
    assert!(limit < exit && exit < 4.0, "{limit} {exit}");
    assert!(
        fs::read_to_string(path(&folder, "pair.md")).expect("a report").contains("hemiola design pair.design.json")
    );
}

#[test]
fn designs_are_the_same_bytes_on_any_number_of_threads() {
    let files = |threads: &str| {
        let folder = folder();
        let file = path(&folder, "pair.json");
        let mut command =
            hemiola(&["design", "--slow", "2", "--fast", "4", "--order", "2", "--seed", "5", "--output", &file]);
        command.env("RAYON_NUM_THREADS", threads).assert().success();
        ["pair.json", "pair.design.json", "pair.certificate.json", "pair.svg", "pair.md"]
            .map(|name| fs::read(path(&folder, name)).expect("a file"))
    };
    assert_eq!(files("1"), files("3"));
}

#[test]
fn impossible_designs_are_refused() {
    assert!(complaint(&["design", "--slow", "2", "--fast", "5", "--order", "3"]).contains("expected at least 3"));
    assert!(complaint(&["design", "--slow", "5", "--fast", "2"]).contains("at least the number of slow evaluations"));
    assert!(complaint(&["design", "--slow", "2", "--fast", "5", "--damping", "1"]).contains("the damping is 1"));
    assert!(complaint(&["design", "--slow", "2", "--fast", "5", "--output", "pair.txt"]).contains(".json"));
    assert!(complaint(&["design", "--slow", "2", "--fast", "5", "--slow-stages", "0,2"]).contains("from 1 to 5"));
    let nowhere = ["design", "--slow", "2", "--fast", "5", "--output", "/nonexistent/pair.json"];
    assert!(complaint(&nowhere).contains("no such folder"));
    let folder = folder();
    let upper = path(&folder, "Pair.json");
    assert!(complaint(&["design", "--slow", "1", "--fast", "3", "--output", &upper]).contains("lower-case"));
    let tight = ["design", "--slow", "2", "--fast", "5", "--largest", "0.5", "--starts", "4"];
    assert!(complaint(&tight).contains("but none met all other requirements"));
    assert!(complaint(&["design", "--slow", "2", "--fast", "5", "--largest", "0.1"]).contains("sum to one"));
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(text(&["completions", shell]).contains("stability"), "{shell}");
    }
}

#[test]
fn help_and_version_are_no_errors() {
    for command in [
        "list",
        "show",
        "export",
        "import",
        "check",
        "stability",
        "matrix",
        "map",
        "polynomial",
        "design",
        "diagnose",
        "complete",
        "polish",
        "completions",
    ] {
        assert!(text(&[command, "--help"]).contains("Examples:"), "{command}");
    }
    assert!(text(&["--help"]).contains("Exit codes"));
    assert!(text(&["--version"]).starts_with("hemiola "));
}

#[test]
fn bad_usage_and_bad_input_exit_2() {
    complaint(&[]);
    complaint(&["no-such-command"]);
    complaint(&["check"]);
    for (option, value) in
        [("--order", "0"), ("--order", "-1"), ("--linearized", "0"), ("--tolerance", "-1"), ("--tolerance", "nan")]
    {
        assert!(complaint(&["check", "rk4", option, value]).contains(option));
    }
    assert!(complaint(&["check", "rk4", "--order", "99"]).contains("99"));
    assert!(complaint(&["stability", "mprk-p3", "--damping-ratio", "1"]).contains("0 ≤ ζ < 1"));
    let unknown = complaint(&["show", "rk4x"]);
    assert!(unknown.contains("did you mean `rk4`") && unknown.contains("hemiola list"), "{unknown}");

    let folder = folder();
    let broken = variant(folder.path(), "rk4", "broken", &[("\"1/2\"", "\"1/x\"")]).display().to_string();
    let error = complaint(&["check", &broken]);
    assert!(error.contains(&broken) && error.contains("partitions[0].a[1][0]"), "{error}");
    let missing = path(&folder, "missing.json");
    assert!(complaint(&["stability", &missing]).contains(&missing));
    fs::write(&missing, "{").unwrap();
    assert!(complaint(&["show", &missing]).contains(&missing));
}

#[test]
fn methods_are_found_in_folders_of_the_user() {
    let folder = folder();
    let library = folder.path().join("hemiola/tableaus");
    fs::create_dir_all(&library).unwrap();
    variant(&library, "rk4", "my-rk4", &[]);
    let place = library.display().to_string();
    assert!(text(&["show", "my-rk4", "--methods", &place]).contains("my-rk4"));
    // A folder given in all three ways is read once.
    for command in [
        hemiola(&["check", "my-rk4"]).env("HEMIOLA_METHODS", &library),
        hemiola(&["check", "my-rk4"]).env("XDG_DATA_HOME", folder.path()),
        hemiola(&["check", "my-rk4", "--methods", &place])
            .env("XDG_DATA_HOME", folder.path())
            .env("HEMIOLA_METHODS", &library),
    ] {
        command.assert().success();
    }
    assert!(complaint(&["show", "my-rk4"]).contains("no method `my-rk4`"));
    assert!(complaint(&["list", "--methods", "/no/such/folder"]).contains("/no/such/folder"));
    // A file that cannot be read is reported; the others are listed.
    fs::write(library.join("broken.json"), "[]").unwrap();
    let output = run(&["list", "my-rk4", "--methods", &place]);
    assert_eq!(code(&output), 2);
    assert!(stdout(&output).contains("my-rk4") && String::from_utf8_lossy(&output.stderr).contains("broken.json"));
}

/// Runs the binary with its own standard output.
fn write_to(stdout: impl Into<Stdio>, arguments: &[&str]) -> Output {
    let mut command = std::process::Command::new(cargo_bin!("hemiola"));
    command.args(arguments).stdout(stdout).stderr(Stdio::piped()).output().expect("the binary runs")
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    for arguments in [&["list"][..], &["check", "rk4", "--json"], &["completions", "bash"]] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let output = write_to(writer, arguments);
        assert_eq!((code(&output), output.stderr), (0, Vec::new()), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let output = write_to(fs::File::options().write(true).open("/dev/full").unwrap(), &["list"]);
    assert_eq!(code(&output), 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard output"));
}

/// Commands with the present and the former spelling of an option.
const RENAMED: [(&str, &str, &str); 23] = [
    ("converge", "end", "to"),
    ("converge", "error", "wanted"),
    ("converge", "max-runs", "levels"),
    ("converge", "max-steps", "most-steps"),
    ("converge", "x-axis", "over"),
    ("design", "end", "to"),
    ("design", "max-error-ratio", "price"),
    ("design", "profile-damping-ratio", "profile-damping"),
    ("design", "scaled-step", "step"),
    ("design", "step-fraction", "share"),
    ("design", "validation", "hold-out"),
    ("export", "language", "to"),
    ("identify", "measurements", "data"),
    ("identify", "steps-per-interval", "steps"),
    ("lane-change", "single-grid", "cold"),
    ("lane-change", "steps-per-interval", "steps"),
    ("optimize", "single-grid", "cold"),
    ("optimize", "steps-per-interval", "steps"),
    ("simulate", "end", "to"),
    ("stability", "damping-ratio", "damping"),
    ("system", "largest-step", "to"),
    ("system", "part-jacobians", "alone"),
    ("system", "slow-variables", "slow"),
];

#[test]
fn former_spellings_of_options_are_accepted_and_hidden() {
    let grammar = hemiola_cli::command();
    let optimize = grammar.find_subcommand("optimize").expect("a command");
    for (name, present, former) in RENAMED {
        let found = grammar.find_subcommand(name).or_else(|| optimize.find_subcommand(name));
        let option = found.expect(name).get_arguments().find(|option| option.get_long() == Some(present));
        let option = option.unwrap_or_else(|| panic!("{name} --{present}"));
        assert_eq!(option.get_all_aliases(), Some(vec![former]), "{name} --{present}");
        assert_eq!(option.get_visible_aliases().unwrap_or_default(), Vec::<&str>::new(), "{name} --{present}");
    }
    let c = text(&["export", "rk4", "--language", "c"]);
    assert_eq!(text(&["export", "rk4", "--to", "c"]), c);
}
