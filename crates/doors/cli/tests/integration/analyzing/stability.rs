//! `hemiola stability`, run as by users and programs.

use serde_json::{Value, json};

fn page(arguments: &[&str]) -> String {
    crate::common::page("stability", arguments)
}

/// Returns the report on one partition.
fn partition(arguments: &[&str], index: usize) -> Value {
    let report: Value = serde_json::from_str(&page(&[arguments, &["--json"]].concat())).expect("valid JSON");
    report["partitions"][index].clone()
}

fn close(value: &Value, expected: f64, tolerance: f64) -> bool {
    value.as_f64().is_some_and(|value| (value - expected).abs() <= tolerance)
}

#[test]
fn an_explicit_method_has_limits_and_no_sector() {
    let rk4 = partition(&["rk4", "--rays", "0,1"], 0);
    assert_eq!((&rk4["sector_angle"], &rk4["at_infinity"]), (&Value::Null, &Value::Null));
    assert_eq!((&rk4["dispersion_order"], &rk4["dissipation_order"]), (&json!(4), &json!(5)));
    assert!(close(&rk4["dispersion_constant"], 1.0 / 120.0, 1e-17));
    assert!(close(&rk4["dissipation_constant"], 1.0 / 144.0, 1e-17));
    let rays = rk4["damped_rays"].as_array().unwrap();
    assert_eq!((rays.len(), &rays[0]["damping"], &rays[1]["damping"]), (2, &json!(0.0), &json!(1.0)));
    assert_eq!((&rays[0]["limit"], &rays[1]["limit"]), (&rk4["imaginary_limit"], &rk4["real_limit"]));
    // |R(iy)|² = 1 − y⁶/72 + y⁸/576 at y² = 2, 6.48 and 8: |R|² = 8/9 + 1/36, and its slope at the limit is 2√8·(−64/24 + 512/144).
    assert!(close(&rays[0]["half"], (33f64 / 36.0).sqrt(), 1e-14));
    let squared: f64 = 1.0 - 6.48f64.powi(3) / 72.0 + 6.48f64.powi(4) / 576.0;
    assert!(close(&rays[0]["nine_tenths"], squared.sqrt(), 1e-13));
    assert!(close(&rays[0]["slope"], 8f64.sqrt() * 8.0 / 9.0, 1e-12));
}

#[test]
fn an_implicit_method_has_a_sector_and_no_limits() {
    let radau = partition(&["radau-iia-2"], 0);
    assert_eq!((&radau["sector_angle"], &radau["at_infinity"]), (&json!(90.0), &json!(0.0)));
    assert_eq!((&radau["dispersion_order"], &radau["dissipation_order"]), (&json!(4), &json!(3)));
    assert!(
        radau["damped_rays"].as_array().unwrap().iter().all(|ray| ray["limit"].is_null() && ray["slope"].is_null())
    );
    let gauss = partition(&["gauss-2"], 0);
    assert_eq!((&gauss["at_infinity"], &gauss["dissipation_order"]), (&json!(1.0), &Value::Null));
}

#[test]
fn rounded_tables_are_read_as_they_are_meant() {
    let fast = partition(&["shome-haug-jay-2-5"], 1);
    assert_eq!((&fast["dispersion_order"], &fast["dissipation_order"]), (&json!(2), &json!(3)));
    let long = partition(&["kvaerno-3-2-4"], 0);
    assert_eq!((&long["sector_angle"], &long["at_infinity"]), (&json!(90.0), &json!(0.0)));
}

#[test]
fn the_page_is_aligned() {
    let rk4 = page(&["rk4", "--rays", "0,0.05"]);
    let expected = "\
Classical Runge–Kutta 4

 R(z)              1 + z + 1/2 z² + 1/6 z³ + 1/24 z⁴
 imaginary limit   2.828427125
 real limit        2.785293563
 sector            none (R is a polynomial)
 phase error       order 4: 1/120 y⁵ + …
 dissipation       order 5: 1/144 y⁶ + …
 SSP coefficient   0
 threshold factor  1
 contractivity     1
 low storage       3S* (3 registers; amplifies rounding errors by 5.4)

    ζ   Limit L   |R| at L/2   at 0.9 L   d|R|/dt at L
───────────────────────────────────────────────────────
    0    2.8284       0.9574     0.5310         2.5142
 0.05    2.9098       0.8871     0.3447         2.9306
";
    assert_eq!(rk4, expected);
    let gauss = page(&["gauss-2"]);
    for line in [
        "sector               90° (A-stable)",
        "|R(∞)|               1",
        "phase error          order 4: 1/720 y⁵ + …",
        "dissipation          none",
        "algebraic stability  yes",
    ] {
        assert!(gauss.contains(line), "{line}: {gauss}");
    }
    assert!(!gauss.contains('ζ') && page(&["implicit-euler"]).contains("90° (L-stable)"));
}

#[test]
fn dampings_of_rays_have_a_range() {
    for rays in ["1.1", "-0.1", "0,x"] {
        let (code, _, stderr) = crate::common::outcome("stability", &["rk4", "--rays", rays]);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains("--rays"), "{stderr}");
    }
}

#[test]
fn two_partitions_of_more_are_a_pair() {
    let profile = |name: &str, place: &str| crate::common::report("stability", &[name]).pointer(place).cloned();
    let pair = profile("mprk-2a23@1,3", "/coupled_profile");
    assert!(pair.is_some() && pair == profile("mprk-2a23@slow,fast", "/coupled_profile"));
    assert_eq!(pair, profile("mprk-2a23", "/pairs/1/coupled_profile"));
    let id = crate::common::report("stability", &["hemiola-family-4@level-5,level-16"])["id"].clone();
    assert!(id.as_str().is_some_and(|id| id.starts_with("hemiola-family-4-")), "{id}");
    for bad in ["mprk-2a23@1,4", "mprk-2a23@0,1", "mprk-2a23@2,2", "mprk-2a23@slow,none", "rk4@1,2"] {
        let (code, _, stderr) = crate::common::outcome("stability", &[bad]);
        assert!(code == 2 && stderr.contains("expected two different partitions"), "{bad}: {stderr}");
    }
}

#[test]
fn coupling_strengths_have_a_range() {
    let (code, _, stderr) = crate::common::outcome("stability", &["mprk-p3", "--gammas", "0.1,1"]);
    assert!(code == 2 && stderr.contains("0 ≤ γ < 1"), "{stderr}");
}

#[test]
fn a_pair_without_a_coupled_profile_says_so() {
    let none = |arguments: &[&str]| page(arguments).contains("Coupled profile: none at damping ζ = ");
    assert!(none(&["mprk-p3", "--damping", "0"]) && none(&["ars-2-3-3"]));
    assert!(!none(&["mprk-p3"]) && !none(&["rk4"]));
}

#[test]
fn strong_stability_is_a_number_or_unbounded() {
    let ssp = partition(&["ssp-rk-10-4"], 0);
    assert_eq!((&ssp["ssp_coefficient"], &ssp["threshold_factor"]), (&json!(6.0), &json!(6.0)));
    assert_eq!((&ssp["ssp_per_evaluation"], &ssp["ssp_bounds"]), (&json!(0.6), &json!([6.0, 6.0])));
    assert_eq!(ssp["is_algebraically_stable"], json!(false));
    let euler = partition(&["implicit-euler"], 0);
    assert_eq!((&euler["ssp_coefficient"], &euler["threshold_factor"]), (&Value::Null, &Value::Null));
    assert_eq!((&euler["is_algebraically_stable"], &euler["is_stiffly_accurate"]), (&json!(true), &json!(true)));
    assert!(page(&["implicit-euler"]).contains("SSP coefficient      unbounded"));
    let pair = crate::common::report("stability", &["imex-trapezoid-2"]);
    assert_eq!(pair["absolute_monotonicity"]["axes"], json!([1.0, 2.0]));
    assert!(close(&pair["absolute_monotonicity"]["diagonal"], 2.0 / 3.0, 1e-16));
    // The explicit trapezoidal rule has the radius 1; the implicit one is not algebraically stable.
    assert_eq!(pair["contractivity"]["axes"][0], json!(1.0));
    assert!(crate::common::report("stability", &["rk4"]).get("absolute_monotonicity").is_none());
}

#[test]
fn nonlinear_properties_and_limits_of_the_embedded_method_are_shown() {
    let radau = partition(&["radau-iia-3"], 0);
    assert_eq!((&radau["is_b_stable"], &radau["is_an_stable"]), (&json!(true), &json!(true)));
    assert_eq!((&radau["stage_order"], &radau["weak_stage_order"]), (&json!(3), &json!(3)));
    assert_eq!((&radau["contractivity_radius"], &radau["embedded"]), (&Value::Null, &Value::Null));
    let trapezoid = partition(&["lobatto-iiia-2"], 0);
    assert_eq!((&trapezoid["is_an_stable"], &trapezoid["sector_angle"]), (&json!(false), &json!(90.0)));
    // The embedded method of Heun–Euler 2(1) is the explicit Euler method: |1 + z| ≤ 1 on [−2, 0].
    let heun = partition(&["heun-euler-2-1"], 0);
    assert_eq!((&heun["embedded"]["real_limit"], &heun["embedded"]["imaginary_limit"]), (&json!(2.0), &json!(0.0)));
    assert!(page(&["heun-euler-2-1"]).contains("embedded method   imaginary limit 0, real limit 2\n"));
}

#[test]
fn the_ssp_coefficient_has_as_many_digits_as_wanted() {
    // 1 + √2
    assert!(page(&["tr-bdf2", "--digits", "30"]).contains("SSP coefficient      2.41421356237309504880168872421\n"));
    assert_eq!(partition(&["implicit-euler", "--digits", "5"], 0)["ssp_digits"], json!("unbounded"));
    assert!(partition(&["tr-bdf2"], 0).get("ssp_digits").is_none());
    assert_eq!(crate::common::outcome("stability", &["tr-bdf2", "--digits", "1001"]).0, 2);
    assert_eq!(crate::common::outcome("stability", &["merk32", "--digits", "5"]).0, 2);
}
