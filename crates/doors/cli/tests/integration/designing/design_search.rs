//! `hemiola design --tune` and `--pareto`, run as by users and programs.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::Path;
use std::{fs, process};

use assert_cmd::cargo::cargo_bin;
use hemiola::design::{Coupling, DesignFile, Specification, Stability, TUNING, TuningLimits, tune};
use hemiola::number::Update;
use hemiola::order::principal_error_norm;
use hemiola::stability::coupled_profile;
use hemiola::tableau::Method;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

fn complaint(arguments: &[&str]) -> String {
    crate::common::complaint("design", arguments)
}

fn folder() -> TempDir {
    tempdir().expect("a folder")
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("UTF-8").to_owned()
}

fn read(folder: &TempDir, name: &str) -> Vec<u8> {
    fs::read(folder.path().join(name)).expect(name)
}

fn design(folder: &TempDir, name: &str) -> DesignFile {
    DesignFile::read(Path::new(&path(folder, name))).expect("a design")
}

/// Options of a 2–4 design with a wanted profile, and the budget of its outer search.
const TUNED: [&str; 6] = ["--slow=2", "--fast=4", "--starts=12", "--profile=0.2=0.99", "--tune", "--tune-iterations=4"];

/// Returns the design file of these options before tuning.
fn begun() -> DesignFile {
    let mut specification = Specification { starts: 12, ..Specification::new(2, 4, None).expect("a pair") };
    specification.objective.coupling =
        Some(Coupling { damping: 0.05, gammas: vec![0.2], profile: vec![0.99], weight: 1.0 });
    // The defaults of the command line.
    specification.stability[0] = Stability::Auto;
    specification.objective.internal = None;
    DesignFile { id: "tuned".to_owned(), ..DesignFile::new(specification) }
}

/// Returns the checkpoint that an interrupted outer search leaves.
fn checkpoint() -> Vec<u8> {
    let kept = RefCell::new(Vec::new());
    let keep = |checkpoint: &[u8]| drop(kept.replace(checkpoint.to_vec()));
    let progress = |update: Update<'_>| {
        let goes_on = update.phase != TUNING || update.done < 3;
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let tuning = TuningLimits { price: 1.5, iterations: 4 };
    tune(&begun().specification, tuning, None, &keep, &progress).expect("a specification");
    let heading = format!("hemiola-tuning/1\n{}price 1.5, iterations 4\n", begun().to_json());
    [heading.as_bytes(), &kept.borrow()].concat()
}

#[test]
fn an_outer_search_leaves_a_design_file_that_makes_the_method_without_it() {
    let (first, again) = (folder(), folder());
    let output = path(&first, "tuned.json");
    let report = crate::common::report("design", &[&TUNED[..], &["--output", &output]].concat());
    let file = design(&first, "tuned.design.json");
    let wish = file.specification.objective.coupling.clone().expect("a wish");
    let tuning = &report["tuning"];
    let Stability::Optimal { damping, .. } = &file.specification.stability[1] else { panic!("an optimum") };
    assert_eq!(tuning["to"]["damping"], *damping);
    assert_eq!((&tuning["to"]["weight"], &tuning["to"]["profile"][0]), (&wish.weight.into(), &wish.profile[0].into()));
    assert_eq!((&tuning["from"]["weight"], &tuning["from"]["profile"][0]), (&1.0.into(), &0.99.into()));
    assert_ne!(tuning["from"], tuning["to"]);
    // The reported profile is that of the method, and exceeds that of the design with the smallest error.
    let method = Method::read(Path::new(&output)).expect("a method");
    let profile = coupled_profile(&method, 0.05, &[0.2]).expect("a profile");
    let limit = |design: &Value| {
        design["profile"][0].as_f64().expect("a profile") * design["fast_limit"].as_f64().expect("a limit")
    };
    assert_eq!(limit(&tuning["reached"]), profile.values[0].practical.value * profile.fast_limit);
    assert!(limit(&tuning["reached"]) > limit(&tuning["smallest_error"]));
    let norm = |design: &Value| design["principal_error_norm"].as_f64().expect("a norm");
    assert!(norm(&tuning["reached"]) > norm(&tuning["smallest_error"]));
    assert!(!Path::new(&path(&first, "tuned.tuning")).exists(), "it is done");

    crate::common::page(
        "design",
        &[&path(&first, "tuned.design.json"), "--output", again.path().to_str().expect("UTF-8")],
    );
    for name in ["tuned.json", "tuned.design.json", "tuned.certificate.json", "tuned.svg", "tuned.md"] {
        assert_eq!(read(&first, name), read(&again, name), "{name}");
    }
}

#[test]
fn an_outer_search_goes_on_where_it_was_interrupted() {
    let (whole, resumed) = (folder(), folder());
    let tuned = |folder: &TempDir, options: &[&str]| {
        crate::common::page("design", &[&TUNED[..], &["--output", &path(folder, "tuned.json")], options].concat())
    };
    let page = tuned(&whole, &[]);
    assert!(page.contains("profile wanted at γ = 0.2") && page.contains("smallest error"), "{page}");
    fs::write(path(&resumed, "tuned.tuning"), checkpoint()).expect("a file");
    tuned(&resumed, &["--resume"]);
    for name in ["tuned.json", "tuned.design.json"] {
        assert_eq!(read(&whole, name), read(&resumed, name), "{name}");
    }
    assert!(!Path::new(&path(&resumed, "tuned.tuning")).exists());
    // Checkpoints of another design and invalid ones are rejected.
    let refused = |checkpoint: &[u8], option: &str| {
        fs::write(path(&resumed, "tuned.tuning"), checkpoint).expect("a file");
        complaint(&[&TUNED[..], &["--resume", option, "--output", &path(&resumed, "tuned.json")]].concat())
    };
    assert!(refused(&checkpoint(), "--max-error-ratio=2").contains("tuned.tuning belongs to another design"));
    assert!(refused(&checkpoint(), "--seed=2").contains("tuned.tuning belongs to another design"));
    let heading = checkpoint().len() - checkpoint().rsplit(|byte| *byte == b'\n').next().expect("an end").len();
    assert!(refused(&checkpoint()[..heading], "--seed=1").contains("the checkpoint of the outer search"));
}

/// Sends the signal itself.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_an_outer_search_with_the_best_so_far() {
    let folder = folder();
    let output = path(&folder, "long.json");
    let wishes = ["--profile=0.2=0.999", "--tune", "--tune-iterations=1000", "--output", &output];
    let arguments = [&["design", "--slow=3", "--fast=6", "--starts=8"], &wishes[..]].concat();
    let mut search = process::Command::new(cargo_bin("hemiola"))
        .args(arguments)
        .stdout(process::Stdio::null())
        .stderr(process::Stdio::piped())
        .spawn()
        .expect("the binary runs");
    while !Path::new(&path(&folder, "long.tuning")).exists() {
        assert!(search.try_wait().expect("a process").is_none(), "it has ended before it was interrupted");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let signal = process::Command::new("kill").args(["-s", "INT", &search.id().to_string()]).status();
    assert!(signal.expect("kill").success());
    let end = search.wait_with_output().expect("an end");
    let said = String::from_utf8(end.stderr).expect("UTF-8");
    assert_eq!(end.status.code(), Some(130), "{said}");
    assert!(said.contains("of 1000 iterations") && said.contains("--resume"), "{said}");
    let coupling = design(&folder, "long.design.json").specification.objective.coupling;
    assert_eq!(coupling.expect("a wish for the profile").gammas, [0.2]);
    assert!(Path::new(&path(&folder, "long.tuning")).exists() && !Path::new(&output).exists());
}

#[test]
fn a_front_has_a_method_for_every_compromise() {
    let (first, again) = (folder(), folder());
    let output = path(&first, "front.json");
    let wishes = ["--slow=2", "--fast=4", "--starts=12", "--coefficient-weight=0.1", "--pareto=5"];
    let report = crate::common::report("design", &[&wishes[..], &["--output", &output]].concat());
    let compromises = report["compromises"].as_array().expect("compromises");
    assert!(compromises.len() >= 2 && compromises.len() <= 5 && report["emphases"] == 5);
    let number = |compromise: &Value, name: &str| compromise[name].as_f64().expect("a number");
    for pair in compromises.windows(2) {
        assert!(number(&pair[0], "errors") < number(&pair[1], "errors"));
        assert!(number(&pair[0], "others") > number(&pair[1], "others"));
    }
    for (k, compromise) in compromises.iter().enumerate() {
        let name = format!("front-{}", k + 1);
        assert_eq!(compromise["id"], name.as_str());
        let method = Method::read(Path::new(&path(&first, &format!("{name}.json")))).expect("a method");
        assert_eq!(method.source().place.as_deref(), Some("hemiola design front.design.json --pareto 5"));
        let tableau = method.to_f64();
        let norm = principal_error_norm(&method.exact(), 2).expect("a norm");
        assert!((norm - number(compromise, "errors")).abs() < 1e-12);
        // The weight times the norm of all coefficients.
        let entries = tableau.partitions.iter().flat_map(|b| b.a.iter().flatten().chain(&b.b));
        let size = 0.1 * entries.map(|x| x * x).sum::<f64>().sqrt();
        assert!((size - number(compromise, "others")).abs() < 1e-12);
        let weight = design(&first, &format!("{name}.design.json")).specification.objective.coefficients;
        assert!((weight - 0.1 * number(compromise, "emphasis").sqrt()).abs() < 1e-15);
        let (method, certificate) = (format!("{name}.json"), format!("{name}.certificate.json"));
        crate::common::page("check", &[&path(&first, &method), "--certificate", &path(&first, &certificate)]);
    }
    let report = String::from_utf8(read(&first, "front.md")).expect("UTF-8");
    let rows =
        report.lines().filter(|line| line.starts_with("| ") && !line.contains("emphasis") && !line.contains("--"));
    assert_eq!(rows.count(), compromises.len(), "{report}");

    let folder = again.path().to_str().expect("UTF-8");
    let page = crate::common::page("design", &[&path(&first, "front.design.json"), "--pareto=5", "--output", folder]);
    assert!(page.contains("of them Pareto-optimal"), "{page}");
    for name in ["front-1.json", "front-1.certificate.json", "front-2.design.json", "front.svg", "front.md"] {
        assert_eq!(read(&first, name), read(&again, name), "{name}");
    }
}

#[test]
fn contradictions_are_refused() {
    let pair = |options: &[&str]| complaint(&[&["--slow=2", "--fast=4", "--starts=2"], options].concat());
    assert!(pair(&["--tune"]).contains("--profile"));
    assert!(pair(&["--max-error-ratio=1.2"]).contains("--tune"));
    assert!(pair(&["--profile=0.2=0.99", "--tune", "--max-error-ratio=0.5"]).contains("the price is 0.5"));
    assert!(pair(&["--profile=0.2=0.99", "--tune", "--tune-iterations=0"]).contains("0 is not in"));
    assert!(pair(&["--profile=0.2=0.99", "--tune", "--pareto=3"]).contains("cannot be used with"));
    assert!(pair(&["--profile=0.2=0.99", "--tune", "--fast-polynomial=free"]).contains("cannot be used with"));
    assert!(pair(&["--profile=0.2=0.99", "--profile-weight=0", "--tune"]).contains("a positive weight"));
    assert!(pair(&["--coefficient-weight=1", "--pareto=3", "--resume"]).contains("cannot be used with"));
    assert!(pair(&["--coefficient-weight=1", "--pareto=1"]).contains("the number of points on the front is 1"));
    assert!(pair(&["--pareto=3"]).contains("at least one further term"));
    let folder = folder();
    let file = path(&folder, "tuned.design.json");
    fs::write(&file, begun().to_json()).expect("a file");
    assert!(complaint(&[&file, "--tune"]).contains("cannot be used with"));
}
