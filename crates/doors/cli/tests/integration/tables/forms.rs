//! Low-storage and Shu–Osher forms: `show --form`, method files that give a form, `list --low-storage` and `--ssp`.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{complaint, page};

#[test]
fn a_form_is_a_table_and_a_method_file() {
    let text = page("show", &["williamson-3", "--form", "2N"]);
    for part in ["2N, exactly", "-5/9", "-153/128", "15/16"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let folder = TempDir::new().unwrap();
    for (id, form) in
        [("williamson-3", "2N"), ("carpenter-kennedy-5-4", "2n"), ("ssp-rk-10-4", "2S"), ("rdpk3sp35", "3S*")]
    {
        let text = page("show", &[id, "--form", form, "--json"]);
        let written: Value = serde_json::from_str(&text).unwrap();
        let file = folder.path().join(format!("{}.json", written["id"].as_str().unwrap()));
        fs::write(&file, text).unwrap();
        let file = file.to_str().unwrap();
        let report: Value = serde_json::from_str(&page("check", &[file, "--json"])).unwrap();
        let library: Value = serde_json::from_str(&page("check", &[id, "--json"])).unwrap();
        for field in ["order", "order_as_stated"] {
            assert_eq!(report[0][field], library[0][field], "{id}: {field}");
        }
    }
}

#[test]
fn a_form_that_a_method_lacks_is_refused() {
    assert!(complaint("show", &["rk4", "--form", "2N"]).contains("rk4 has no 2N form"));
    assert!(complaint("show", &["rk4", "--form", "shu-osher"]).contains("rk4 has no shu-osher form"));
    assert!(complaint("show", &["rk4", "--form", "2M"]).contains("no low-storage form `2M`"));
    assert!(complaint("show", &["merk32", "--form", "2N"]).contains("--form does not apply"));
}

#[test]
fn the_shu_osher_form_of_ten_stages() {
    let report: Value = serde_json::from_str(&page("show", &["ssp-rk-10-4", "--form", "shu-osher", "--json"])).unwrap();
    assert_eq!(report[0]["radius"], "6");
    assert_eq!(report[0]["alpha"][5][4], "2/5");
}

#[test]
fn lists_by_properties() {
    let listed = page("list", &["--low-storage", "2N", "--order", "4"]);
    assert!(listed.contains("carpenter-kennedy-5-4") && listed.contains("niegemann-diehl-busch-14-4"));
    assert!(!listed.contains("\n rk4 ") && !listed.contains("williamson-3"));
    let listed = page("list", &["--ssp", "ssp"]);
    assert!(listed.contains("ssp-rk-10-4") && listed.contains("imex-ssp2-222"));
    assert!(page("list", &["--ssp", "dormand"]).contains("no method meets"));
}

#[test]
fn a_low_storage_step_is_exported() {
    let text = page("export", &["williamson-3", "--language", "python", "--form", "2N"]);
    assert!(text.contains("B = [1/3, 15/16, 8/15]") && text.contains("du = A[i] * du + h * k"), "{text}");
    assert!(complaint("export", &["rk4", "--language", "c", "--form", "2N"]).contains("rk4 has no 2N form"));
    assert!(complaint("export", &["williamson-3", "--language", "latex", "--form", "2N"]).contains("fortran"));
    assert!(complaint("export", &["williamson-3", "--language", "trixi", "--form", "2N"]).contains("--form"));
    assert!(complaint("export", &["merk32", "--language", "c", "--form", "2N"]).contains("--form does not apply"));
}

#[test]
fn lists_by_kinds_of_stability() {
    let listed = page("list", &["--kind", "dirk,l-stable,stiffly-accurate"]);
    assert!(listed.contains("\n tr-bdf2 ") && listed.contains("\n implicit-euler ") && !listed.contains("crouzeix-3"));
    let listed = page("list", &["--kind", "a-stable,algebraically-stable"]);
    assert!(listed.contains("\n gauss-2 ") && !listed.contains("lobatto-iiia-3") && !listed.contains("\n rk4 "));
}
