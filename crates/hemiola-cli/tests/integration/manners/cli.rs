//! The binary, run as people and programs run it: results, exit codes, JSON, errors.

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::{fs, io};

use assert_cmd::Command;
use assert_cmd::cargo::{cargo_bin, cargo_bin_cmd};
use serde_json::Value;
use tempfile::TempDir;

/// The binary with no methods but the library's.
fn hemiola(arguments: &[&str]) -> Command {
    let mut command = cargo_bin_cmd!("hemiola");
    command.args(arguments).env_remove("HEMIOLA_METHODS").env("XDG_DATA_HOME", "/nonexistent").env_remove("COLUMNS");
    command
}

fn run(arguments: &[&str]) -> Output {
    hemiola(arguments).output().expect("the binary runs")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal ended the binary")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// What a command prints when all is well.
fn text(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(code(&output), 0, "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{arguments:?}");
    stdout(&output)
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&text(arguments)).expect("valid JSON")
}

/// What a command prints on standard error when it ends with exit code 2.
fn complaint(arguments: &[&str]) -> String {
    let output = run(arguments);
    let stderr = String::from_utf8(output.stderr.clone()).expect("UTF-8");
    assert_eq!(code(&output), 2, "{arguments:?}: {stderr}");
    assert!(!stderr.contains("panicked") && !stderr.contains("backtrace"), "{stderr}");
    stderr
}

fn assert_near(value: &Value, expected: f64, tolerance: f64) {
    let value = value.as_f64().expect("a number");
    assert!((value - expected).abs() <= tolerance, "{value}, expected {expected}");
}

fn floats(value: &Value) -> Vec<f64> {
    value.as_array().expect("an array").iter().map(|number| number.as_f64().expect("a number")).collect()
}

/// A folder for the files of one test.
fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

/// Writes a library method with changes to its JSON text, under a new id.
fn variant(folder: &Path, id: &str, new_id: &str, changes: &[(&str, &str)]) -> PathBuf {
    let mut method = text(&["show", id, "--json"]).replace(&format!("\"{id}\""), &format!("\"{new_id}\""));
    for (from, to) in changes {
        assert!(method.contains(from), "{from}");
        method = method.replace(from, to);
    }
    let file = folder.join(format!("{new_id}.json"));
    fs::write(&file, method).expect("a file in a temporary folder");
    file
}

#[test]
fn list_names_every_method_and_filters() {
    let all = json(&["list", "--json"]);
    let all = all.as_array().unwrap();
    assert!(all.len() > 150);
    let pair = all.iter().find(|method| method["id"] == "shome-haug-jay-2-5").unwrap();
    assert_eq!(pair["partitions"], serde_json::json!(["slow", "fast"]));
    assert_eq!(pair["evaluations"], serde_json::json!([2, 5]));
    assert_eq!((&pair["stages"], &pair["order"], &pair["explicit"]), (&5.into(), &2.into(), &true.into()));
    let gauss = json(&["list", "GAUSS", "2", "--json"]);
    assert_eq!(gauss.as_array().unwrap().len(), 1);
    assert_eq!(gauss[0]["explicit"], false);
    assert!(text(&["list", "radau", "iia"]).contains("radau-iia-3"));
    assert_eq!(json(&["list", "no such method", "--json"]), serde_json::json!([]));
}

#[test]
fn show_prints_what_a_reader_needs() {
    let page = text(&["show", "shome-haug-jay-2-5"]);
    for part in
        ["Shome–Haug–Jay 2–5", "order 2", "8 places", "slow: explicit, 2 evaluations a step", "0.50337891", "doi:"]
    {
        assert!(page.contains(part), "{part} in\n{page}");
    }
    assert!(page.lines().take_while(|line| !line.starts_with("slow (")).all(|line| line.chars().count() <= 80));
    assert!(text(&["show", "dormand-prince-5"]).contains("first same as last"));
    // The last stage of the position is the step's result, that of the momentum is not.
    let pair = text(&["show", "lobatto-iiia-iiib-2"]);
    assert!(!pair.contains("first same as last"));
    assert!(pair.contains("momentum: c differs from the row sums of A in stages 1, 2"));
    assert!(text(&["show", "gauss-2", "--format", "latex"]).contains(r"\sqrt{3}"));
    let file = text(&["show", "rk4", "--json"]);
    assert_eq!(file, text(&["show", "rk4", "--format", "json"]));
    assert_eq!(serde_json::from_str::<Value>(&file).unwrap()["format"], "hemiola-method/1");
}

#[test]
fn check_verifies_claims_to_the_stated_precision() {
    let report = &json(&["check", "shome-haug-jay-2-5", "--json"])[0];
    assert_eq!(
        (&report["order"], &report["exact_order"], &report["order_checked_to"]),
        (&2.into(), &0.into(), &3.into())
    );
    assert_eq!(report["partition_orders"], serde_json::json!([2, 2]));
    assert_eq!((&report["claimed_order"], &report["separable_order"]), (&2.into(), &2.into()));
    assert_near(&report["principal_error_norm"], 0.4037, 1e-4);
    let conditions: Vec<&Value> =
        report["orders"].as_array().unwrap().iter().map(|order| &order["conditions"]).collect();
    assert_eq!(conditions, [&Value::from(2), &Value::from(4), &Value::from(14)]);
    assert!(report["failures"].as_array().unwrap().iter().all(|failure| failure["order"] == 3));
    let page = text(&["check", "shome-haug-jay-2-5"]);
    assert_eq!(page.lines().last(), Some("claim order 2: verified to the precision of 8 decimals"));
    assert_eq!(text(&["check", "rk4"]).lines().last(), Some("claim order 4: verified exactly"));
}

#[test]
fn check_fails_with_exit_code_1() {
    let exact = run(&["check", "shome-haug-jay-2-5", "--exact"]);
    assert_eq!(code(&exact), 1);
    assert!(stdout(&exact).contains("not exactly (exact order 0)"));
    assert_eq!(code(&run(&["check", "shome-haug-jay-2-5", "--tolerance", "1e-9"])), 1);
    assert_eq!(code(&run(&["check", "shome-haug-jay-2-5", "--tolerance", "1e-8"])), 0);

    let folder = folder();
    let claim = variant(folder.path(), "rk4", "claims-five", &[("\"order\": 4", "\"order\": 5")]);
    let failing = run(&["check", &claim.display().to_string()]);
    assert_eq!(code(&failing), 1);
    let page = stdout(&failing);
    assert_eq!(page.lines().last(), Some("claim order 5: FAILS (order 4)"));
    assert!(page.contains("[τ,τ,τ,τ]") && page.contains("1/5"));
}

#[test]
fn the_table_as_scanned_fails_and_says_where() {
    let folder = folder();
    let changes = [
        (r#""0.11732777", "0.50337891""#, r#""0.11732777", "0.18207389""#),
        (r#""0.24343069", "0.00023845""#, r#""0.24343069", "0.50337891""#),
    ];
    let scanned = variant(folder.path(), "shome-haug-jay-2-5", "as-scanned", &changes);
    let scanned = scanned.display().to_string();
    let output = run(&["check", &scanned]);
    assert_eq!(code(&output), 1);
    let page = stdout(&output);
    // Only the fast abscissae are wrong: Σ bᵢcᵢᶠ, with the weights of either partition.
    assert!(page.contains("[τ_f]_s") && page.contains("[τ_f]_f"), "{page}");
    assert!(!page.contains("[τ_s]_s") && !page.contains("[τ_s]_f"), "{page}");
    assert_eq!(page.lines().last(), Some("claim order 2: FAILS (order 1)"));

    let output = run(&["check", &scanned, "--json"]);
    assert_eq!(code(&output), 1);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let failures = report[0]["failures"].as_array().unwrap();
    let second: Vec<&Value> = failures.iter().filter(|failure| failure["order"] == 2).collect();
    assert_eq!(second.len(), 2);
    for failure in second {
        let [value, expected, residual] = ["value", "expected", "residual"].map(|key| failure[key].as_f64().unwrap());
        assert_eq!(expected, 0.5);
        assert!((value - expected - residual).abs() < 1e-12 && residual.abs() > 0.01);
    }
}

/// Twenty units of the last decimal in one entry: each condition by itself holds to precision, all together hold numerically.
#[test]
fn last_digits_that_are_off_are_named() {
    let folder = folder();
    let change = ("-1.135866521508458999416019451193556842529", "-1.135866521508458999416019451193556842509");
    let file = variant(folder.path(), "cash-4-3-5", "changed", &[change]).display().to_string();
    let output = run(&["check", &file]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("as stated") && stdout(&output).contains("claim order 4: verified numerically"));
    assert_eq!(code(&run(&["check", "--exact", &file])), 1);
    let report: Value = serde_json::from_slice(&run(&["check", &file, "--json"]).stdout).expect("valid JSON");
    assert_eq!(
        (&report[0]["order"], &report[0]["order_as_stated"], &report[0]["exact_order"]),
        (&4.into(), &3.into(), &0.into())
    );
    let orders = report[0]["orders"].as_array().expect("orders");
    let together: Vec<bool> = orders.iter().map(|order| order["together_as_stated"] == true).collect();
    assert_eq!((together, orders[3]["failed"].as_u64()), (vec![true, true, true, false, true], Some(0)));
    let off = report[0]["digits_off"]["coefficients"].as_array().expect("coefficients");
    // One unit here and there explains what twenty in one place do: the least change is named, and it is more than rounding.
    let units: Vec<f64> = off.iter().filter_map(|digit| digit["units"].as_f64()).collect();
    assert!(units.len() == off.len() && units[0] > 1.0 && units.iter().all(|units| *units > 0.5), "{off:?}");
}

#[test]
fn check_has_modes() {
    // Ruth's method: order 3 for separable systems, 1 for general ones.
    let ruth = &json(&["check", "ruth-3", "--separable", "--json"])[0];
    assert_eq!((&ruth["claimed_order"], &ruth["order"]), (&3.into(), &3.into()));
    assert_eq!(ruth["partition_orders"], Value::Null);
    assert!(text(&["check", "ruth-3"]).contains("claim separable order 3: verified"));
    // Gerdts: one Newton iteration keeps order 4 of the two-stage Gauss method.
    let gauss = &json(&["check", "gauss-3", "--linearized", "1", "--json"])[0];
    assert_eq!((&gauss["order"], &gauss["principal_error_norm"]), (&4.into(), &Value::Null));
    let embedded = &json(&["check", "dormand-prince-5", "--json"])[0];
    assert_eq!(embedded["embedded_order"], 4);
    let pair = &json(&["check", "lobatto-iiia-iiib-2", "--json"])[0];
    assert!(pair["non_autonomous_order"].is_u64());
    assert!(complaint(&["check", "rk4", "--separable"]).contains("rk4 has one partition"));
    // Without a claim the order asked for decides.
    let folder = folder();
    let file = variant(folder.path(), "rk4", "unclaimed", &[("\"order\": 4", "")]).display().to_string();
    assert_eq!(text(&["check", &file]).lines().last(), Some("no claim; order 4"));
    assert_eq!(code(&run(&["check", &file, "--order", "4"])), 0);
    assert_eq!(code(&run(&["check", &file, "--order", "5"])), 1);
    // With one, it only says how far to look.
    assert_eq!(code(&run(&["check", "rk4", "--order", "6"])), 0);
    assert!(text(&["check", "rk4", "--order", "2"]).ends_with("up to order 2, the highest checked\n"));
}

#[test]
fn several_methods_are_all_checked_before_errors_count() {
    let output = run(&["check", "rk4", "no-such-method", "heun-2"]);
    assert_eq!(code(&output), 2);
    let page = stdout(&output);
    assert!(page.contains("rk4: ") && page.contains("heun-2: "));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no method `no-such-method`"));
    assert_eq!(json(&["check", "rk4", "heun-2", "--json"]).as_array().unwrap().len(), 2);
}

#[test]
fn stability_limits_of_known_methods() {
    let rk4 = &json(&["stability", "rk4", "--json"])["partitions"][0];
    assert_near(&rk4["imaginary_limit"], 2.828_427_124_746_190_3, 1e-15);
    assert_near(&rk4["real_limit"], 2.785_293_563_405_282, 1e-14);
    assert_eq!(floats(&rk4["polynomial"]), [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0]);
    assert!(rk4.get("denominator").is_none());
    let gauss = &json(&["stability", "gauss-2", "--json"])["partitions"][0];
    assert_eq!((&gauss["imaginary_limit"], &gauss["real_limit"]), (&Value::Null, &Value::Null));
    assert_eq!(floats(&gauss["denominator"]).len(), 3);
    let pair = json(&["stability", "shome-haug-jay-2-5", "--gammas", "0.1,0.4", "--json"]);
    assert_near(&pair["partitions"][1]["imaginary_limit"], 4.0, 1e-6);
    assert_eq!(floats(&pair["coupled_profile"]["gamma"]), [0.1, 0.4]);
    assert_near(&pair["coupled_profile"]["profile"][0], 0.923, 0.005);
    assert_eq!(json(&["stability", "gauss-2", "--json"])["coupled_profile"], Value::Null);
    let page = text(&["stability", "rk4"]);
    assert!(page.contains("1 + z + 1/2 z² + 1/6 z³ + 1/24 z⁴") && page.contains("2.828427125"), "{page}");
    assert!(text(&["stability", "gauss-2"]).contains("unbounded"));
}

#[test]
fn matrix_takes_numbers_with_a_leading_minus() {
    let s = json(&["matrix", "rk4", "--z", "-1", "--json"]);
    assert_near(&s["s"][0][0][0], 0.375, 1e-15);
    assert_near(&s["spectral_radius"], 0.375, 1e-15);
    let real = json(&["matrix", "shome-haug-jay-2-5", "--json", "--z", "-0.1", "0.05", "0.02", "-1.0"]);
    assert_eq!(real["eigenvalues"].as_array().unwrap().len(), 2);
    let complex = json(&["matrix", "shome-haug-jay-2-5", "--z", "-0.1+2i", "-i", "0.02", "-1e-1", "--json"]);
    assert_eq!(complex["s"][1][1].as_array().unwrap().len(), 2);
    assert!(text(&["matrix", "rk4", "--z", "-1+i"]).contains("spectral radius"));
    assert!(complaint(&["matrix", "rk4", "--z", "1+2k"]).contains("`1+2k`"));
    assert!(complaint(&["matrix", "rk4", "--z", "-1e400"]).contains("1e400"));
    assert!(complaint(&["matrix", "rk4", "--z", "1", "2"]).contains("2 numbers for rk4; expected 1"));
    assert!(complaint(&["matrix", "gauss-1", "--z", "2"]).contains("singular at Z = [2+0i]"));
}

#[test]
fn map_writes_a_figure_and_its_numbers() {
    let folder = folder();
    let (svg, npy, csv) = (path(&folder, "f.svg"), path(&folder, "f.npy"), path(&folder, "f.csv"));
    let pair = "shome-haug-jay-2-5";
    let report = json(&["map", pair, "--output", &svg, "--data", &npy, "--points", "40", "--json"]);
    assert_eq!(report["shape"], serde_json::json!([2, 41, 41]));
    let figure = fs::read_to_string(&svg).unwrap();
    assert!(figure.starts_with("<svg") || figure.starts_with("<svg"));
    assert!(figure.contains("slow") && figure.contains("fast"));
    let bytes = fs::read(&npy).unwrap();
    assert!(bytes.starts_with(b"\x93NUMPY"));
    assert_eq!(bytes.len() % 64, (2 * 41 * 41 * 8) % 64);

    let coupled = ["map", "mprk-p3", "--slice", "coupled:kappa=2,g=0.04", "--points", "20"];
    let ranges = ["--xrange", "-3", "1", "--yrange", "-4e0", "4"];
    text(&[&coupled[..], &ranges[..], &["--output", &svg, "--data", &csv]].concat());
    let lines: Vec<String> = fs::read_to_string(&csv).unwrap().lines().map(str::to_owned).collect();
    assert_eq!((lines.len(), lines[0].as_str()), (1 + 21 * 21, "x,y,spectral radius"));
    assert!(lines[1].starts_with("-3,-4,"));
    assert!(fs::read_to_string(&svg).unwrap().contains("decoupled"));
    // The same input gives the same bytes.
    text(&["map", "gauss-2", "--output", &svg]);
    let first = fs::read(&svg).unwrap();
    text(&["map", "gauss-2", "--output", &svg]);
    assert_eq!(first, fs::read(&svg).unwrap());
}

#[test]
fn map_names_what_is_wrong() {
    let folder = folder();
    let svg = path(&folder, "f.svg");
    let slice = |slice: &str| complaint(&["map", "mprk-p3", "--output", &svg, "--slice", slice]);
    assert!(slice("all").contains("`all` is not a slice"));
    assert!(slice("coupled:g=1").contains("`kappa` is missing"));
    assert!(slice("coupled:kappa=1,h=1").contains("unknown key `h`"));
    assert!(slice("coupled:kappa=x,g=1").contains("`x`"));
    assert!(complaint(&["map", "rk4", "--output", "f.gif"]).contains(".svg, .pdf or .png"));
    assert!(complaint(&["map", "rk4", "--output", &svg, "--data", "f.txt"]).contains(".npy or .csv"));
    assert!(complaint(&["map", "rk4", "--output", &svg, "--xrange", "1", "-1"]).contains("--xrange 1 -1"));
    assert!(complaint(&["map", "rk4", "--output", &svg, "--points", "0"]).contains("--points"));
    let nowhere = path(&folder, "nowhere/f.svg");
    let error = complaint(&["map", "rk4", "--output", &nowhere]);
    assert!(error.contains(&format!("{nowhere}: entity not found")), "{error}");
    assert!(!Path::new(&svg).exists());
}

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
    // Other programs see the same: the file by itself.
    let checked = json(&["check", &file, "--json"]);
    assert_eq!((checked[0]["order"].as_u64(), checked[0]["claimed_order"].as_u64()), (Some(2), Some(2)));
    assert_near(&checked[0]["principal_error_norm"], 0.1897, 1e-4);
    assert_near(&json(&["stability", &file, "--json"])["partitions"][1]["imaginary_limit"], 4.0, 1e-12);
    assert!(fs::read_to_string(path(&folder, "two-five.svg")).expect("a figure").starts_with("<svg"));
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
    // Certificates of order five, of every kind of assumption.
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../hemiola-design/tests/data");
    for id in ["dual-rate-6-8", "dual-rate-6-9"] {
        let [file, proof] = ["json", "certificate.json"].map(|ending| format!("{data}/{id}.{ending}"));
        let page = text(&["check", &file, "--certificate", &proof]);
        assert!(page.contains("an exact solution of all order conditions"), "{page}");
    }
    // The folder's method files are read, certificates are none.
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
    // Where |R| reaches 0.95 for the last time, and where it reaches one soon after.
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
    assert!(complaint(&tight).contains("but none with the required structure"));
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
    assert!(complaint(&["stability", "mprk-p3", "--damping", "1"]).contains("0 ≤ ζ < 1"));
    let unknown = complaint(&["show", "rk44"]);
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
    // The same folder by all three ways is one folder.
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

/// The binary with a standard output of its own.
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
