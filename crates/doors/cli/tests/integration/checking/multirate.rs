//! Multirate methods on the command line.

use crate::common::{Folder, complaint, outcome, page, report};

#[test]
fn methods_are_checked_with_their_embedded_rows() {
    let text = page("check", &["mri-gark-erk33a"]);
    for part in ["error norm by rate", "fast 0, slow 0.0462962963", "claim order 3: verified exactly"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let checked = report("check", &["merk43", "imex-mri-gark3a"]);
    assert_eq!((checked[0]["order"].as_u64(), checked[0]["embedded"]["exact_order"].as_u64()), (Some(4), Some(3)));
    let norm = checked[1]["principal_error"]["total"]["two"].as_f64().expect("a norm");
    assert!((norm - 0.436_522_150_370_8).abs() < 1e-12, "{norm}");
    let (code, _, _) = outcome("check", &["mri-gark-esdirk34a", "--exact"]);
    assert_eq!(code, 1);
}

#[test]
fn a_false_claim_fails_with_its_trees() {
    let folder = Folder::new();
    let text = page("show", &["mis-kw3", "--id", "mine", "--json"]);
    let file = folder.file("mine.json", &text.replace("\"order\": 3", "\"order\": 4"));
    let (code, text, _) = outcome("check", &[&file]);
    assert_eq!(code, 1);
    for part in ["claim order 4: FAILS (order 3)", "[τ_slow,τ_slow,τ_slow]_slow", "and 11 more"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn expanded_methods_are_ordinary_ones() {
    let folder = Folder::new();
    let file = folder.path("pair.json");
    page("expand", &["mri-gark-erk33a:inner=kutta-3,substeps=4", "--id", "pair", "--output", &file]);
    assert_eq!(report("check", &[&file])[0]["order"], 3);
    assert_eq!(report("check", &["mri-gark-erk45a:inner=heun-2,substeps=2", "--order", "3"])[0]["order"], 2);
    for (name, part) in [
        ("merk32", "NAME:inner=METHOD,substeps=M"),
        ("merk32:inner=rk4,substeps=x", "NAME:inner=METHOD,substeps=M"),
        ("merk32:inner=rk4,substeps=0", "expected 1 substep or more"),
        ("rk4:inner=rk4,substeps=1", "no method `rk4` in the library of multirate methods"),
        ("merk32:inner=nothing,substeps=1", "no method `nothing`"),
    ] {
        assert!(complaint("expand", &[name]).contains(part), "{name}");
    }
}

#[test]
fn lists_and_pages_know_them() {
    assert_eq!(report("list", &["--kind", "multirate"]).as_array().map(Vec::len), Some(8));
    let implicit = report("list", &["--kind", "multirate,implicit", "--order", "3"]);
    assert_eq!(
        (implicit[0]["id"].as_str(), implicit[1]["id"].as_str()),
        (Some("imex-mri-gark3a"), Some("mri-gark-esdirk34a"))
    );
    assert!(!page("list", &[]).contains("merk32"));
    let text = page("show", &["mri-gark-esdirk34a"]);
    assert!(text.contains("implicit, decoupled") && text.contains("internally consistent  yes"), "{text}");
}

#[test]
fn requests_that_do_not_fit_name_the_method() {
    assert!(complaint("check", &["merk32", "--separable"]).contains("--separable does not apply"));
    assert!(complaint("check", &["merk32", "rk4"]).contains("rk4 is not a multirate method"));
    assert!(complaint("show", &["merk32", "--format", "latex"]).contains("--format latex does not apply"));
    let error = complaint("matrix", &["merk32", "--z", "1"]);
    assert!(error.contains("merk32 is a multirate method") && error.contains("substeps=4"), "{error}");
}
