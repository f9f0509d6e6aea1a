//! Multirate methods on the command line.

use hemiola::multirate::{library, microsteps};

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
fn starts_drifts_and_divisors_are_shown_and_checked() {
    let text = page("show", &["mis4a"]);
    let has_line = |parts: [&str; 4]| text.lines().any(|line| parts.iter().all(|part| line.contains(part)));
    assert!(has_line(["Y3", "all", "start", "0.52349249922385610"]), "{text}");
    assert!(has_line(["Y5", "all", "drift", "0.064902111640806712"]), "{text}");
    let text = page("check", &["mrgark-ex4-ex4"]);
    assert!(text.contains("claim order 3: verified exactly for every M ≥ 2"), "{text}");
    assert_eq!(report("check", &["mrgark-ex4-ex4@M=3"])[0]["order"], 3);
    assert!(complaint("check", &["mrgark-ex4-ex4@M=1"]).contains("mrgark-ex4-ex4: found M = 1; expected M ≥ 2"));
    let text = page("show", &["mrgark-ex4-ex4"]);
    for part in ["M ≥ 2", "A^FS,λ·(3*M^2 - 7*M + 4)", "A^FS,1 instead·(3*M - 4)"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
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
    let all = report("list", &["--kind", "multirate"]);
    let count = |form: &str| all.as_array().into_iter().flatten().filter(|entry| entry["form"] == form).count();
    let libraries = [library::ids().count(), microsteps::library::ids().count()];
    assert_eq!(["infinitesimal", "micro-steps"].map(count), libraries);
    let implicit = report("list", &["--kind", "multirate,implicit", "--order", "3"]);
    let ids: Vec<&str> = implicit.as_array().into_iter().flatten().filter_map(|entry| entry["id"].as_str()).collect();
    let published = ["imex-mri-gark3a", "imex-mri-gark3b", "imex-mri-sr32", "mri-gark-esdirk34a"];
    assert_eq!(ids, [&["hemiola-mri-imex-5-3"][..], &published].concat());
    assert!(!page("list", &[]).contains("merk32"));
    let text = page("show", &["mri-gark-esdirk34a"]);
    assert!(text.contains("implicit, decoupled") && text.contains("internally consistent  yes"), "{text}");
}

#[test]
fn requests_that_do_not_fit_name_the_method() {
    assert!(complaint("polish", &["mri-gark-erk33a"]).contains("mri-gark-erk33a is a multirate method"));
    let error = complaint("complete", &["mis-kw3", "--dense", "2"]);
    assert!(error.contains("--dense") && error.contains("multirate"), "{error}");
    assert!(complaint("complete", &["mis-kw3", "--embedded", "3"]).contains("below that of the method"));
    assert!(complaint("check", &["merk32", "--separable"]).contains("--separable does not apply"));
    assert!(complaint("check", &["merk32", "rk4"]).contains("rk4 is not a multirate method"));
    assert!(complaint("show", &["merk32", "--digits", "5", "--format", "latex"]).contains("--digits does not apply"));
    assert!(complaint("diagnose", &["merk32", "--separable"]).contains("--separable does not apply"));
}

#[test]
fn methods_with_micro_steps_are_checked_for_every_ratio() {
    let text = page("check", &["multirate-midpoint"]);
    for part in ["order 2 for every M ≥ 1: exactly", "claim order 2: verified exactly for every M ≥ 1"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert_eq!(report("check", &["multirate-midpoint@M=4"])[0]["order"], 2);
    // A coupling with one wrong term, whose error vanishes for three micro-steps only.
    let folder = Folder::new();
    let source = include_str!("../../../../../../tableaus/microsteps/multirate-midpoint.json");
    let file = folder.file("multirate-midpoint.json", &source.replace("(λ-1/2)/M", "(λ-1/2)/M + (M-3)/M"));
    let (code, text, _) = outcome("check", &[&file]);
    assert_eq!(code, 1);
    assert!(text.contains("order 2 for M = 3 only") && text.contains("claim order 2: FAILS"), "{text}");
    assert_eq!(report("check", &[&format!("{file}@M=3")])[0]["order"], 2);
    for (name, part) in [
        ("multirate-midpoint@M=x", "expected NAME@M=N"),
        ("multirate-midpoint@M=0", "expected 1 substep or more"),
        ("rk4@M=2", "no method `rk4` in the library of methods with micro-steps"),
    ] {
        assert!(complaint("show", &[name]).contains(part), "{name}");
    }
    assert!(complaint("diagnose", &["multirate-midpoint"]).contains("multirate-midpoint@M=4"));
    page("expand", &["multirate-midpoint@M=4", "--id", "pair", "--output", &folder.path("pair.json")]);
    assert_eq!(report("check", &[&folder.path("pair.json")])[0]["order"], 2);
}

#[test]
fn methods_with_micro_steps_are_shown_in_three_formats() {
    let text = page("show", &["multirate-midpoint"]);
    for part in ["2 fast stages in each of M micro-steps; explicit", "(λ - 1/2)/M", "A^SF,1 adds", "1/2*M"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let latex = page("show", &["multirate-midpoint", "--format", "latex"]);
    assert!(latex.contains(r"\frac{\lambda - \frac{1}{2}}{M} & 0 \\"), "{latex}");
    let folder = Folder::new();
    let file = folder.file("mine.json", &page("show", &["multirate-midpoint", "--id", "mine", "--json"]));
    let checked = report("check", &[&file]);
    assert_eq!((checked[0]["id"].as_str(), checked[0]["order"].as_u64()), (Some("mine"), Some(2)));
    assert!(complaint("show", &["multirate-midpoint", "--digits", "5", "--format", "latex"]).contains("--digits"));
}

#[test]
fn methods_of_folders_are_found_by_their_ids() {
    let folder = Folder::new();
    folder.file("slow-fast.json", &page("show", &["mis-kw3", "--id", "slow-fast", "--json"]));
    folder.file("micro.json", &page("show", &["shome-haug-jay-euler", "--id", "micro", "--json"]));
    let methods = ["--methods", &folder.path("")];
    let with =
        |arguments: &[&str]| [arguments, &methods[..]].concat().iter().map(ToString::to_string).collect::<Vec<_>>();
    let run = |command: &str, arguments: &[&str]| {
        let all = with(arguments);
        report(command, &all.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert_eq!(run("check", &["slow-fast"])[0]["order"], 3);
    assert_eq!(run("check", &["slow-fast:inner=kutta-3,substeps=1"])[0]["order"], 3);
    assert_eq!(run("check", &["micro"])[0]["order"], 1);
    assert_eq!(run("check", &["micro@M=3"])[0]["order"], 1);
    let listed = run("list", &["--kind", "multirate"]);
    let ids: Vec<&str> = listed.as_array().into_iter().flatten().filter_map(|entry| entry["id"].as_str()).collect();
    assert!(ids.contains(&"slow-fast") && ids.contains(&"micro"), "{ids:?}");
    // They are no ordinary methods, and no errors in the list of these.
    let ordinary = run("list", &["micro"]);
    assert_eq!(ordinary.as_array().map(Vec::len), Some(0), "{ordinary}");
    let s = run("matrix", &["slow-fast", "--z", "0", "0", "0", "-2"]);
    assert!((s["s"][1][1][0].as_f64().expect("a number") - (-2f64).exp()).abs() < 1e-15);
}

#[test]
fn stability_is_that_of_the_exact_flow() {
    let found = report("stability", &["mri-gark-erk33a", "--gammas", "0.1"]);
    let sectors = &found["additive"][0]["sectors"];
    let limits = [0, 1].map(|k| sectors[k]["limit"].as_f64().expect("a limit"));
    assert!((2.2..2.25).contains(&limits[0]) && (1.25..1.3).contains(&limits[1]), "{limits:?}");
    assert_eq!(sectors[0]["beyond"]["proved"].as_bool(), Some(true));
    for sector in sectors.as_array().expect("sectors") {
        let [lower, limit] = ["proved_lower", "limit"].map(|key| sector[key].as_f64().expect("a bound"));
        assert!(lower < limit && lower > limit - 1e-5 && sector["not_proved"].is_null(), "{sector}");
    }
    assert!(found["decoupled"]["fast_limit"].is_null() && found["coupled_profile"][0]["practical"].is_f64());
    let text = page("stability", &["mri-gark-esdirk34a"]);
    assert!(text.contains("The fast part is solved exactly.") && text.contains("beside damped"), "{text}");
    // Implicit in the slow part and stable there at every step, and yet as weak as an explicit method.
    let text = page("stability", &["mri-gark-esdirk46a"]);
    let weak = text.lines().find(|line| line.contains("weakness")).expect("a weakness");
    assert!(weak.contains("alone the slow part is stable") && text.contains("−1.10"), "{text}");
    let text = page("stability", &["imex-mri-gark3a"]);
    assert!(text.contains("none for several slow partitions"), "{text}");
    // Without coupling the fast row is the exponential.
    let s = report("matrix", &["mis-kw3", "--z", "0", "0", "0", "-2"]);
    assert!((s["s"][1][1][0].as_f64().expect("a number") - (-2f64).exp()).abs() < 1e-15);
    assert!(complaint("matrix", &["mis-kw3", "--z", "1"]).contains("mis-kw3"));
}

#[test]
fn maps_show_realizations_beside_the_exact_flow() {
    let folder = Folder::new();
    let file = folder.path("steps.svg");
    let methods = ["mis-kw3", "mis-kw3:inner=rk4,substeps=1"];
    let slice = ["--slice", "additive:first=z,second=-10", "--points", "40", "--output", &file];
    let drawn = report("map", &[&methods[..], &slice[..]].concat());
    let areas = [0, 1].map(|k| drawn["areas"][k].as_f64().expect("an area"));
    // With one step of rk4 in each interval, little of the region remains.
    assert!(areas[0] > 80.0 && areas[1] < 30.0, "{areas:?}");
    let refused = ["imex-mri-gark3a", "--slice", "additive:first=z,second=-5", "--output", &file];
    assert!(complaint("map", &refused).contains("expected 2"));
}

#[test]
fn other_names_denote_the_same_methods() {
    for (name, id) in [("merk4", "merk43"), ("ARKODE_MRI_GARK_ERK33a", "mri-gark-erk33a")] {
        assert_eq!(report("check", &[name])[0]["id"], id);
    }
    let text = page("show", &["merk43"]);
    assert!(text.lines().any(|line| line.starts_with(" also ") && line.ends_with(" merk4")), "{text}");
}

#[test]
fn coupling_tables_go_out_and_come_back() {
    let folder = Folder::new();
    let table = folder.path("merk.c");
    page("export", &["merk54", "--language", "sundials", "--output", &table]);
    let (code, checked, said) = outcome("check", &[&table, "--json"]);
    assert_eq!((code, said.contains("read as SUNDIALS tables, 1 method")), (0, true), "{said}");
    let checked: serde_json::Value = serde_json::from_str(&checked).expect("JSON");
    assert_eq!((checked[0]["id"].as_str(), checked[0]["order"].as_u64()), (Some("merk54"), Some(5)));
    let file = folder.path("mine.json");
    let (code, ..) = outcome("import", &[&table, "--output", &file]);
    assert_eq!((code, report("check", &[&file])[0]["id"].as_str()), (0, Some("mine")));
    // Several tables are told apart by their ids.
    let both = folder.text("merk.c") + &page("export", &["mis-kw3", "--language", "sundials"]);
    let both = folder.file("both.c", &both);
    let (_, summary, _) = outcome("check", &[&both, "--summary"]);
    assert!(summary.contains(" merk54 ") && summary.contains(" mis-kw3 "), "{summary}");
    let (code, ..) = outcome("show", &[&format!("{both}#mis-kw3")]);
    assert_eq!(code, 0);
    assert!(
        complaint("export", &["merk54", "--language", "fortran"]).contains("expected sundials, julia, json or latex")
    );
    let (_, s, said) = outcome("matrix", &[&table, "--z", "0", "0", "0", "-2", "--json"]);
    assert!(said.contains("read as SUNDIALS tables, 1 method"), "{said}");
    let s: serde_json::Value = serde_json::from_str(&s).expect("JSON");
    assert!((s["s"][1][1][0].as_f64().expect("a number") - (-2f64).exp()).abs() < 1e-15);
    let julia = page("export", &["mri-gark-erk33a", "--language", "julia"]);
    assert!(julia.contains("W1[3, 1] = 1 // 2"), "{julia}");
    let latex = page("show", &["mri-gark-erk33a", "--format", "latex"]);
    assert!(latex.contains(r"3 & 1 & \frac{1}{2} & 0 & -\frac{1}{2} \\"), "{latex}");
}

#[test]
fn lint_compares_claims_and_coefficients() {
    let folder = Folder::new();
    let text = page("show", &["mri-gark-erk33a", "--json"]);
    folder.file("mri-gark-erk33a.json", &text);
    folder.file("copy.json", &page("show", &["mri-gark-erk33a", "--id", "copy", "--json"]));
    let wrong = page("show", &["merk32", "--id", "wrong", "--json"]);
    let wrong = wrong.replace("\"order\": 3", "\"order\": 4").replace("[\"2/3\"", "[\"1/3\"");
    folder.file("wrong.json", &wrong);
    let (code, found, _) = outcome("lint", &[&folder.path("")]);
    assert_eq!(code, 1);
    for part in [
        "error[order]: claims order 4",
        "warning[internal-consistency]: stage 3 is not internally consistent in slow: the coefficients of τ^0 sum to 1/3; expected 2/3",
        "warning[duplicate]: the coefficients equal those of",
        "3 method files: ",
    ] {
        assert!(found.contains(part), "{part} in\n{found}");
    }
}

#[test]
fn lint_reads_methods_with_micro_steps() {
    let folder = Folder::new();
    folder.file("multirate-midpoint.json", &page("show", &["multirate-midpoint", "--json"]));
    folder.file("copy.json", &page("show", &["multirate-midpoint", "--id", "copy", "--json"]));
    let wrong = page("show", &["multirate-midpoint", "--id", "wrong", "--json"]);
    folder.file("wrong.json", &wrong.replace("(λ - 1/2)/M", "(λ - 1/2)/M + (M-3)/M"));

    let (code, found, _) = outcome("lint", &[&folder.path("")]);
    assert_eq!(code, 1);
    for part in [
        "error[order]: claims order 2; has order 1 for every M, order 2 for M = 3 only",
        "warning[duplicate]: the coefficients equal those of",
        "3 method files: ",
    ] {
        assert!(found.contains(part), "{part} in\n{found}");
    }
    let (code, found, _) =
        outcome("lint", &["../../../tableaus/microsteps", "../../../tableaus/multirate", "--deny-warnings"]);
    assert_eq!(code, 0, "{found}");
}
