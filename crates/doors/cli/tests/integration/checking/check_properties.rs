//! Further results of `check`: simplifying assumptions, error constants, symplecticity, symmetry.

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

fn check(arguments: &[&str]) -> String {
    let mut command = cargo_bin_cmd!("hemiola");
    command.arg("check").args(arguments).env_remove("HEMIOLA_METHODS").env("XDG_DATA_HOME", "/nonexistent");
    let output = command.output().expect("the binary runs");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the first report of a check.
fn report(arguments: &[&str]) -> Value {
    let reports: Value = serde_json::from_str(&check(arguments)).expect("JSON");
    reports[0].clone()
}

#[test]
fn pages_name_what_holds() {
    let page = check(&["lobatto-iiia-iiib-3"]);
    for line in [
        "coupling order             4",
        "linear order               4",
        "momentum B(4) C(1) D(3)",
        "coupled B(4) C(1) D(1)",
    ] {
        assert!(page.contains(line), "{page}");
    }
    assert!(page.contains("as positions and momenta: exactly") && page.contains("symmetric                  exactly"));
    let page = check(&["dormand-prince-5"]);
    assert!(page.contains("B = 1.5416") && page.contains("symplectic                 no"), "{page}");
    // A linearized method has different stages, so these properties are omitted.
    assert!(!check(&["--linearized", "1", "gauss-2"]).contains("symplectic"));
}

#[test]
fn json_has_further_keys() {
    let gauss = report(&["--json", "gauss-3"]);
    assert_eq!((&gauss["linear_order"], &gauss["coupling_order"]), (&6.into(), &Value::Null));
    let assumptions = &gauss["simplifying_assumptions"]["coupled"];
    assert_eq!([&assumptions["b"], &assumptions["c"], &assumptions["d"]], [6, 3, 3]);
    assert_eq!((&gauss["symplectic"]["within"], &gauss["symmetric"]["general"]), (&"exact".into(), &"exact".into()));
    let pair = report(&["--json", "shome-haug-jay-2-5"]);
    assert_eq!(pair["principal_error"]["total"]["two"], pair["principal_error_norm"]);
    assert_eq!(pair["principal_error"]["partitions"].as_array().unwrap().len(), 2);
    let linearized = report(&["--json", "--linearized", "1", "gauss-2"]);
    assert_eq!(linearized.get("symplectic"), None);
}
