//! `hemiola optimize` and `hemiola identify`.

use crate::common::{Folder, complaint, outcome, page, report};

#[test]
fn the_lane_change_takes_the_time_of_an_independent_solver() {
    let found = report("optimize", &["lane-change", "--points", "26"]);
    assert_eq!(found["status"], "optimal");
    let duration = found["duration"].as_f64().expect("a number");
    assert!((duration - 7.702_603).abs() < 1e-4 && found["residual"].as_f64() <= Some(1e-6));
    assert!(found["states"].as_array().map(Vec::len) == Some(26) && found.get("seconds").is_none());
    // Single shooting with another method, from a cold start.
    let options = [
        "lane-change",
        "--points",
        "26",
        "--shooting",
        "single",
        "--method",
        "rk4",
        "--steps-per-interval",
        "4",
        "--single-grid",
    ];
    let single = report("optimize", &options)["duration"].as_f64().expect("a number");
    assert!((single - duration).abs() < 1e-4);
    assert_eq!(
        page("optimize", &["lane-change", "--points", "26"]),
        page("optimize", &["lane-change", "--points", "26"])
    );
}

/// Checks grids on which the problem is convex only within its boundary conditions. These must count in the model as
/// much as the track does; otherwise convergence is slower than linear (251 points: more than 200 iterations).
#[test]
fn no_grid_takes_many_iterations() {
    for points in ["35", "104", "251"] {
        let found = report("optimize", &["lane-change", "--points", points]);
        let iterations = found["iterations"].as_u64().expect("a number");
        assert!(found["status"] == "optimal" && iterations <= 30, "{points}: {iterations}");
    }
}

#[test]
fn the_drive_is_drawn_and_written() {
    let folder = Folder::new();
    let (figure, data) = (folder.path("drive.svg"), folder.path("drive.csv"));
    page("optimize", &["lane-change", "--points", "26", "--output", &figure, "--data", &data]);
    assert!(folder.text("drive.svg").contains("held by the track"));
    let text = folder.text("drive.csv");
    assert!(text.starts_with("t,x,y,speed,") && text.lines().count() == 27);
}

#[test]
fn what_has_no_optimum_or_is_no_problem_is_said() {
    let (code, stdout, _) = outcome("optimize", &["lane-change", "--points", "51", "--narrowing", "1"]);
    assert!(code == 1 && stdout.contains("locally infeasible"), "{code} {stdout}");
    let (code, stdout, _) =
        outcome("optimize", &["lane-change", "--points", "51", "--single-grid", "--iterations", "2"]);
    assert!(code == 1 && stdout.contains("iteration limit"), "{code} {stdout}");
    let says = |options: &[&str], words: &str| {
        let text = complaint("optimize", &[&["lane-change"], options].concat());
        assert!(text.contains(words), "{text}");
    };
    says(&["--method", "hemiola-4-8"], "expected one partition");
    says(&["--method", "singular-perturbation"], "the derivatives of its steps are not available");
    says(&["--gear", "6"], "6 is not in 1..=5");
    says(&["--pedal", "2"], "expected a number from 0 to 1");
    says(&["--speed", "nan"], "nan");
    says(&["--shooting", "0"], "expected `single`, `multiple`");
}

#[test]
fn a_result_is_a_start_on_its_grid_and_on_others() {
    let folder = Folder::new();
    let first = page("optimize", &["lane-change", "--points", "26", "--json"]);
    let saved = folder.file("result.json", &first);
    let iterations = |options: &[&str]| {
        let found = report("optimize", &[&["lane-change", "--start", &saved], options].concat());
        assert_eq!(found["status"], "optimal");
        found["iterations"].as_u64().expect("a number")
    };
    // With its multipliers, the solution is recognized as optimal after one or two steps.
    assert!(iterations(&["--points", "26"]) <= 3);
    assert!(iterations(&["--points", "51"]) < 30);
    let says = |text: &str, words: &str| {
        let file = folder.file("bad.json", text);
        let said = complaint("optimize", &["lane-change", "--start", &file]);
        assert!(said.contains(words), "{said}");
    };
    says("{ \"states\": [[0]], \"controls\": [[0]], \"duration\": 1 }", "expected at least 2");
    says("{ \"states\": [[0], [null]], \"controls\": [[0]], \"duration\": 1 }", "at states[1][0]: invalid type: null");
    says("{ \"states\": [[0], [1]], \"controls\": [[0], [0]], \"duration\": 1 }", "expected 7");
    says("[]", "expected an object");
}

/// Checks that ringing is reported: the track is a constraint of order three and the bound of the speed one of order
/// one, on which linear controls ring.
#[test]
fn controls_that_are_not_resolved_are_said_to_be_so() {
    let folder = Folder::new();
    let push = problem("van-der-pol");
    for (problem, order, control) in [("lane-change", 3, "steering rate"), (&*push, 1, "push")] {
        let options = [problem, "--points", "81"];
        let resolved = report("optimize", &options);
        assert_eq!((&resolved["control"], resolved["ringing"].as_array().map(Vec::len)), (&"constant".into(), Some(0)));
        assert_eq!(resolved["constraint_orders"], serde_json::json!([order]));
        assert!(!page("optimize", &options).contains("unresolved"));
        let linear = [&options[..], &["--control", "linear"]].concat();
        let ringing = report("optimize", &linear);
        let stretches = ringing["ringing"].as_array().expect("an array");
        let number = |stretch: &serde_json::Value, key: &str| stretch[key].as_f64().expect("a number");
        let duration = number(&ringing, "duration");
        assert!(!stretches.is_empty() && ringing["control"] == "linear");
        for stretch in stretches {
            let [from, to, amplitude] = ["from", "to", "amplitude"].map(|key| number(stretch, key));
            assert!(stretch["control"] == control && amplitude > 0.0 && 0.0 < from && from < to && to < duration);
        }
        // Lines are wrapped.
        let text = page("optimize", &linear).split_whitespace().collect::<Vec<_>>().join(" ");
        let advice = format!("a constraint of order {order} makes a linear control ring: try --control constant");
        assert!(text.contains(&format!("unresolved {control} alternates")) && text.contains(&advice), "{text}");
    }
    // The older spelling is accepted, and constant controls are drawn as stairs.
    let figures = [["--control", "constant"].as_slice(), &["--constant"]].map(|shape| {
        let figure = folder.path("drive.svg");
        page("optimize", &[&["lane-change", "--points", "26", "--output", &figure], shape].concat());
        folder.text("drive.svg")
    });
    assert_eq!(figures[0], figures[1]);
    let (code, _, said) = outcome("optimize", &["lane-change", "--constant", "--control", "linear"]);
    assert!(code == 2 && said.contains("cannot be used with"), "{said}");
}

#[test]
fn second_derivatives_may_be_learned() {
    let options = ["lane-change", "--points", "26", "--single-grid"];
    let exact = report("optimize", &options);
    let learned = report("optimize", &[&options[..], &["--hessian", "bfgs"]].concat());
    assert!(learned["iterations"].as_u64() > exact["iterations"].as_u64());
    let [exact, learned] = [exact, learned].map(|found| found["duration"].as_f64().expect("a number"));
    assert!((exact - learned).abs() < 1e-6);
}

/// Returns the path of an example problem of the repository.
fn problem(name: &str) -> String {
    format!("{}/../../../problems/{name}.json", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn problems_of_files_are_solved() {
    let folder = Folder::new();
    let (figure, data) = (folder.path("course.svg"), folder.path("course.csv"));
    let page = page("optimize", &[&problem("rocket-car"), "--output", &figure, "--data", &data]);
    assert!(page.contains("rocket car") && page.contains("optimal") && page.contains("2.000000"), "{page}");
    assert!(folder.text("course.svg").contains(">iteration</text>"));
    let text = folder.text("course.csv");
    assert!(text.starts_with("t,variable 1,variable 2,thrust\n") && text.lines().count() == 42, "{text}");
    // Options take precedence over the file.
    let found = report("optimize", &[&problem("bryson-denham"), "--points", "31", "--method", "gauss-2"]);
    assert_eq!((found["points"].as_u64(), found["method"].as_str()), (Some(31), Some("gauss-2")));
    assert!((found["objective"].as_f64().expect("a number") - 4.0).abs() < 1e-6);
}

#[test]
fn controls_that_never_act_and_files_that_are_no_problems_do_no_harm() {
    let folder = Folder::new();
    let text = |control: &str, rest: &str| {
        format!(
            r#"{{ "format": "hemiola-control/1", "name": "idle", "model": "van-der-pol", "grid": {{ "points": 11 }},
                 "controls": [{control}], "duration": 1, "objective": {{ "final": [{{ "powers": {{ "x": 2 }} }}] }}{rest} }}"#
        )
    };
    let idle = r#"{ "name": "u", "on": { "v": 0 }, "range": [-1, 1], "guess": 0.5 }"#;
    let file = folder.file("idle.json", &text(idle, ""));
    assert_eq!(report("optimize", &[&file])["status"], "optimal");
    // An unreachable final state is reported.
    let file = folder.file("far.json", &text(idle, r#", "final": { "x": 5 }"#));
    let (code, stdout, _) = outcome("optimize", &[&file]);
    assert!(code == 1 && stdout.contains("locally infeasible"), "{code} {stdout}");
    let says = |file: &str, words: &str| {
        let said = complaint("optimize", &[file]);
        assert!(said.contains(words), "{said}");
    };
    says(&folder.file("bad.json", &text(r#"{ "name": "u" }"#, "")), "at controls[0]: neither or both of");
    says(&folder.file("bad.json", &text(idle, r#", "path": 1"#)), "at path: invalid type");
    says(&folder.path("none.json"), "none.json");
    says("lane", "expected");
    assert!(complaint("optimize", &[]).contains("no problem to optimize"));
}

/// Simulates measurements of a quarter car's body, x'' = −(k/m) x − (c/m) x' from x = 0.05, in closed form with
/// deterministic errors of at most 1e-4.
fn measured() -> String {
    let (decay, pulse) = (1000.0 / 580.0, (16_200.0 / 290.0 - f64::powi(1000.0 / 580.0, 2)).sqrt());
    let line = |k: u32| {
        let t = 0.05 * f64::from(k);
        let x = 0.05 * (-decay * t).exp() * ((pulse * t).cos() + decay / pulse * (pulse * t).sin());
        format!("{t},{}\n", x + 1e-4 * f64::from(k * k % 7).sin())
    };
    format!("# synthetic\nt,body position\n{}", (0..60).map(line).collect::<String>())
}

const FREE: [&str; 2] = ["--free", "suspension-stiffness,suspension-damping"];

#[test]
fn parameters_are_identified_from_a_file() {
    let folder = Folder::new();
    let data = folder.file("body.csv", &measured());
    let figure = folder.path("fit.svg");
    let model = "quarter-car-body:suspension-stiffness=10000,suspension-damping=2000";
    let options = [&[model, "--measurements", &data, "--deviations", "1e-4", "--output", &figure], &FREE[..]].concat();
    let found = report("identify", &options);
    assert_eq!(found["outcome"], "converged");
    for (k, truth) in [16_200.0, 1000.0].into_iter().enumerate() {
        let of = |key: &str| found["parameters"][k][key].as_f64().expect("a number");
        assert!((of("value") - truth).abs() < 4.0 * of("deviation") && of("deviation") < 0.02 * truth, "{found}");
    }
    assert!(found["probability"].as_f64() > Some(0.01));
    assert!(folder.text("fit.svg").contains("95 % confidence"));
    assert!(page("identify", &options).contains("suspension-stiffness"));
}

#[test]
fn a_wrong_model_is_rejected_and_bad_input_is_named() {
    let folder = Folder::new();
    let data = folder.file("body.csv", &measured());
    let wrong = [
        "quarter-car-body:body-mass=300",
        "--measurements",
        &data,
        "--deviations",
        "1e-4",
        "--free",
        "suspension-damping",
    ];
    let (code, stdout, _) = outcome("identify", &wrong);
    assert_eq!(code, 1, "{stdout}");
    let says = |options: &[&str], words: &str| {
        let text = complaint("identify", options);
        assert!(text.contains(words), "{text}");
    };
    let body = |more: &[&'static str]| {
        [&["quarter-car-body", "--measurements", &data], &FREE[..], more]
            .concat()
            .iter()
            .map(|text| (*text).to_owned())
            .collect::<Vec<_>>()
    };
    let refused = |more: &[&'static str], words: &str| {
        let options = body(more);
        says(&options.iter().map(String::as_str).collect::<Vec<_>>(), words);
    };
    refused(&["--bounds", "mass=1..2"], "--bounds names `mass`");
    refused(&["--bounds", "suspension-damping=2..1"], "expected NAME=A..B");
    refused(&["--bounds", "suspension-damping=2000..3000"], "parameter 2: 1000 is not within [2000, 3000]");
    refused(&["--deviations", "body speed=1"], "--deviations names `body speed`");
    says(&["quarter-car-body", "--measurements", &data, "--free", "mass"], "has no parameter `mass`");
    let all = "body-mass,suspension-stiffness,suspension-damping";
    says(&["quarter-car-body", "--measurements", &data, "--free", all], "do not determine the parameters");
    let bad = folder.file("bad.csv", "t,body position\n0,1\n0.1,nan\n");
    says(&["quarter-car-body", "--measurements", &bad, "--free", "suspension-damping"], "line 3, column 2: `nan`");
    let other = folder.file("other.csv", "t,height\n0,1\n");
    says(
        &["quarter-car-body", "--measurements", &other, "--free", "suspension-damping"],
        "column 2 is `height`; expected one of: body position",
    );
}
