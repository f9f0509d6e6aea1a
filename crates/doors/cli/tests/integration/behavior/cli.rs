//! The binary, run as by users and programs: results, exit codes, JSON, errors.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::run::{assert_near, code, complaint, floats, folder, json, path, run, stdout, text, variant};

#[test]
fn list_names_every_method_and_filters() {
    let all = json(&["list", "--json"]);
    let all = all.as_array().unwrap();
    let ids: Vec<&str> = all.iter().map(|method| method["id"].as_str().unwrap()).collect();
    assert_eq!(ids, hemiola::tableau::library::ids().collect::<Vec<_>>());
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
    // The last stage equals the step's result in the position, but not in the momentum.
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
    // Only the fast abscissae are wrong: Σ bᵢcᵢᶠ fails with the weights of either partition.
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

/// Checks a table with an error of twenty units of the last decimal in one entry: each condition by itself holds to
/// precision, all together hold only numerically.
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
    // Changes of one unit in several entries have the same effect as twenty units in one entry. The least change is
    // reported, and it exceeds rounding.
    let units: Vec<f64> = off.iter().filter_map(|digit| digit["units"].as_f64()).collect();
    assert!(units.len() == off.len() && units[0] > 1.0 && units.iter().all(|units| *units > 0.5), "{off:?}");
}

#[test]
fn check_has_modes() {
    // Ruth's method has order 3 for separable systems, 1 for general ones.
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
    // Without a claim the requested order decides.
    let folder = folder();
    let file = variant(folder.path(), "rk4", "unclaimed", &[("\"order\": 4", "")]).display().to_string();
    assert_eq!(text(&["check", &file]).lines().last(), Some("no claim; order 4"));
    assert_eq!(code(&run(&["check", &file, "--order", "4"])), 0);
    assert_eq!(code(&run(&["check", &file, "--order", "5"])), 1);
    // With a claim, the option only sets the highest order checked.
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
    let [weak, strong] = [0, 1].map(|k| &pair["coupled_profile"][k]);
    assert_eq!([&weak["gamma"], &strong["gamma"]], [0.1, 0.4]);
    assert_near(&weak["practical"], 0.9286, 1e-4);
    assert_near(&weak["strict"], 0.9246, 1e-4);
    assert_near(&weak["skew"], 0.4759, 1e-4);
    assert!(weak["kappa"].as_f64() > Some(0.5) && weak["g"].as_f64() <= Some(0.1 * 0.1));
    assert_near(&pair["decoupled"]["fast_limit"], 4.0401, 1e-4);
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
    for label in [">slow</tspan><tspan", ">fast</tspan><tspan", ">Re(<tspan", "Stability region of"] {
        assert!(figure.contains(label), "{label}");
    }
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
    // Equal input gives equal bytes.
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
    assert!(complaint(&["map", "rk4", "--output", "f.gif"]).contains(".svg, .pdf, .png, .tex or .json"));
    assert!(complaint(&["map", "rk4", "--output", &svg, "--data", "f.txt"]).contains(".npy or .csv"));
    assert!(complaint(&["map", "rk4", "--output", &svg, "--xrange", "1", "-1"]).contains("--xrange 1 -1"));
    assert!(complaint(&["map", "rk4", "--output", &svg, "--points", "0"]).contains("--points"));
    let nowhere = path(&folder, "nowhere/f.svg");
    let error = complaint(&["map", "rk4", "--output", &nowhere]);
    assert!(error.contains(&format!("{nowhere}: cannot write: no such file or folder")), "{error}");
    assert!(!Path::new(&svg).exists());
}
