//! `check` and `polish` on tables with few digits, and on tables whose conditions contradict each other.

use std::fs;
use std::process::Output;

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use tempfile::TempDir;

/// Returns the exit code, standard output and standard error for a table in a file `table.json`.
fn outcome(table: &str, before: &[&str], after: &[&str]) -> (i32, String, String) {
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("table.json");
    fs::write(&file, table).expect("a file in a temporary folder");
    let mut command = cargo_bin_cmd!("hemiola");
    command.args(before).arg(file).args(after).env_remove("HEMIOLA_METHODS").env("XDG_DATA_HOME", "/nonexistent");
    let Output { status, stdout, stderr } = command.output().expect("the binary runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("no signal"), text(stdout), text(stderr))
}

/// Returns the classical method with its last slope written as given.
fn rk4(one: &str) -> String {
    format!(
        r#"{{"format": "hemiola-method/1", "id": "table", "name": "RK4", "claims": {{"order": 4}}, "partitions": [{{"name": "all",
            "a": [["0","0","0","0"],["0.5","0","0","0"],["0","0.5","0","0"],["0","0","{one}","0"]],
            "b": ["0.166667","0.333333","0.333333","0.166667"]}}]}}"#
    )
}

#[test]
fn six_digits_are_read_as_rounded_however_zeros_are_written() {
    let pages = ["1", "1.0", "1.000000"].map(|one| outcome(&rk4(one), &["check"], &[]));
    assert!(pages.iter().all(|page| *page == pages[0]));
    let (code, page, _) = &pages[0];
    assert_eq!(*code, 0, "{page}");
    for line in [
        " order                      4\n as stated                  order 4 with decimals rounded to 6 digits, order 2\n                            with exact ones",
        " exact order                2",
        "claim order 4: verified to the precision of its 6 digits",
    ] {
        assert!(page.contains(line), "{page}");
    }
    let (_, json, _) = outcome(&rk4("1"), &["check", "--json"], &[]);
    let report: Value = serde_json::from_str(&json).expect("JSON");
    let orders = ["order", "order_as_stated", "exact_order"].map(|key| report[0][key].as_u64());
    assert_eq!(orders, [4, 4, 2].map(Some));
    // A wrong slope fails, and so does a rounded one if exactness is required.
    assert_eq!(outcome(&rk4("1.1"), &["check"], &[]).0, 1);
    let (code, summary, _) = outcome(&rk4("1"), &["check", "--exact", "--summary"], &[]);
    assert!(code == 1 && summary.contains("not exactly (exact order 2)"), "{summary}");
}

#[test]
fn six_digits_are_polished_to_the_fractions_they_stand_for() {
    let (code, page, error) = outcome(&rk4("1"), &["polish"], &[]);
    assert_eq!(code, 0, "{page}{error}");
    assert!(page.contains("0.1666666667") && page.contains("0.3333333333"), "{page}");
}

/// Checks that all outputs agree if last digits explain each condition of order three, but not all of them together:
/// the order is two.
#[test]
fn conditions_that_contradict_each_other_tell_one_story() {
    let table = r#"{"format": "hemiola-method/1", "id": "table", "name": "Off", "claims": {"order": 3}, "partitions": [
        {"name": "slow", "a": [["0", "0", "0", "0"], ["0.3195876288659794", "0", "0", "0"],
         ["0.04438817676247172", "0.5844778026189716", "0", "0"],
         ["-0.07772895158126837", "0.1428571428571429", "0.9142532520230946", "0"]],
         "b": ["0.1345722847573720", "0.3049411162314388", "0.4176294561540463", "0.1428571428571429"]},
        {"name": "fast", "a": [["0", "0", "0", "0"], ["0.3195876288659794", "0", "0", "0"],
         ["0.04438817675940322", "0.5844778026220401", "0", "0"],
         ["-0.1714057665677828", "0.3333333333333333", "0.8174538765334185", "0"]],
         "b": ["0.06881720430107527", "0.5034050179211470", "0.2277777777777778", "0.2"]}]}"#;
    let (code, page, _) = outcome(table, &["check"], &[]);
    assert_eq!(code, 1, "{page}");
    for line in [
        "fails together",
        " order                      2\n",
        "partition orders           slow 3, fast 3",
        "coupling order             2",
        "linear order               2",
        "hold individually but not together",
        "claim order 3: FAILS (order 2)",
    ] {
        assert!(page.contains(line), "{line}: {page}");
    }
    let (_, json, _) = outcome(table, &["check", "--json"], &[]);
    let report: Value = serde_json::from_str(&json).expect("JSON");
    let orders = ["order", "coupling_order", "linear_order"].map(|key| report[0][key].as_u64());
    assert_eq!((orders, &report[0]["orders"][2]["together"]), ([Some(2); 3], &false.into()));
    let (_, page, _) = outcome(table, &["diagnose"], &[]);
    assert!(page.starts_with("table: order 3 fails (order 2)"), "{page}");
}
