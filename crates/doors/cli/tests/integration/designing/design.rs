//! `hemiola design` with design files, options and interrupted searches, run as by users and programs.

use std::ops::ControlFlow;
use std::path::Path;
use std::{fs, process};

use assert_cmd::cargo::cargo_bin;
use hemiola::design::{Checkpoint, DesignFile, Search, Specification};
use hemiola::tableau::Method;
use tempfile::{TempDir, tempdir};

/// Extensions of all files that a design leaves.
const ENDINGS: [&str; 5] = ["json", "design.json", "certificate.json", "svg", "md"];

fn page(arguments: &[&str]) -> String {
    crate::common::page("design", arguments)
}

fn complaint(arguments: &[&str]) -> String {
    crate::common::complaint("design", arguments)
}

fn folder() -> TempDir {
    tempdir().expect("a folder")
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("UTF-8").to_owned()
}

fn files(folder: &Path, name: &str) -> Vec<Vec<u8>> {
    ENDINGS.map(|ending| fs::read(folder.join(format!("{name}.{ending}"))).expect(ending)).to_vec()
}

/// Returns a quick design: 1–3 with few starts.
fn small(starts: usize) -> DesignFile {
    let specification = Specification { starts, ..Specification::new(1, 3, None).expect("a pair") };
    DesignFile { id: "small".to_owned(), ..DesignFile::new(specification) }
}

#[test]
fn a_design_file_makes_the_same_bytes_again() {
    let first = folder();
    let output = path(&first, "pair.json");
    page(&[
        "--slow=2",
        "--fast=4",
        "--starts=6",
        "--slow-stages=1,4",
        "--seed=3",
        "--shared-abscissae",
        "--shared-weights",
        "--damping=0.02",
        "--largest=1.5",
        "--bound=fast.a[3][1]=-0.5..0.75",
        "--bound=slow.b[1]=1/4",
        "--output",
        &output,
    ]);
    let method = Method::read(Path::new(&output)).expect("a method");
    assert_eq!(method.source().place.as_deref(), Some("hemiola design pair.design.json"));
    assert_eq!(method.to_f64().partitions[0].b[0], 0.25);
    let design = path(&first, "pair.design.json");
    let file = DesignFile::read(Path::new(&design)).expect("a design");
    assert_eq!((file.id.as_str(), file.specification.structure.bounds.len()), ("pair", 2));
    assert!(file.specification.structure.shared_abscissae && !file.specification.structure.fast_chain);
    let again = folder();
    page(&[&design, "--output", again.path().to_str().expect("UTF-8")]);
    assert_eq!(files(again.path(), "pair"), files(first.path(), "pair"));
    // The default output is beside the design file.
    fs::remove_file(&output).expect("a file");
    page(&[&design]);
    assert_eq!(files(again.path(), "pair"), files(first.path(), "pair"));
}

#[test]
fn every_option_has_its_field() {
    let folder = folder();
    let output = path(&folder, "wishes.json");
    let said = complaint(&[
        "--slow=3",
        "--fast=5",
        "--order=2",
        "--starts=2",
        "--seed=9",
        "--fast-polynomial=1,1,1/2,1/6",
        "--slow-polynomial=free",
        "--first-same-as-last",
        "--non-negative-weights",
        "--abscissae-in-step",
        "--increasing-abscissae",
        "--fast-chain",
        "--sparsity=0.1",
        "--embedded=1",
        "--dense=1",
        "--error-weights=1,2,3",
        "--step=0.8,4",
        "--coefficient-weight=0.1",
        "--internal-weight=0.2",
        "--profile=0.1=0.97,0.2=0.9",
        "--profile-damping-ratio=0.1",
        "--profile-weight=2",
        // Rejected after all options were read.
        "--largest=0.2",
        "--output",
        &output,
    ]);
    assert!(said.contains("3 slow weights up to 0.2: impossible"), "{said}");
    assert!(!Path::new(&output).exists());
}

#[test]
fn several_design_files_go_to_a_folder() {
    let (designs, methods) = (folder(), folder());
    let target = methods.path().to_str().expect("UTF-8");
    let write = |name: &str, text: &str| {
        let path = path(&designs, name);
        fs::write(&path, text).expect("a file");
        path
    };
    let text = |seed| {
        format!("{{ \"format\": \"hemiola-design/1\", \"slow\": 1, \"fast\": 3, \"starts\": 2, \"seed\": {seed} }}")
    };
    let (one, two) = (write("one.design.json", &text(1)), write("two.design.json", &text(2)));
    let report = crate::common::report("design", &[&one, &two, "--output", target]);
    assert_eq!((&report[0]["id"], &report[1]["id"]), (&"one".into(), &"two".into()));
    assert!(ENDINGS.iter().all(|ending| methods.path().join(format!("two.{ending}")).exists()));
    let named = write("one.json", &text(3));
    assert!(complaint(&[&one, &named, "--output", target]).contains("two design files produce the method one"));
    // The method of one.json would be one.json.
    let beside = format!("{}/.", designs.path().display());
    for arguments in [vec![named.as_str()], vec![&named, "--output", &beside]] {
        assert!(complaint(&arguments).contains("overwrite its design"), "{arguments:?}");
    }
    assert_eq!(fs::read_to_string(&named).expect("a file"), text(3));
    // Files in the user's own formatting are kept.
    let single = crate::common::report("design", &[&one]);
    assert_eq!(single["id"], "one");
    assert_eq!(fs::read_to_string(&one).expect("a file"), text(1));
    let bad = write("bad.design.json", "{ \"format\": \"hemiola-design/1\", \"slow\": 2, \"fast\": 5, \"order\": 3 }");
    assert!(complaint(&[&bad]).contains("bad.design.json: found order 3 with 2 slow evaluations"));
    let misspelled =
        write("bad.design.json", "{ \"format\": \"hemiola-design/1\", \"slow\": 2, \"fast\": 5, \"sead\": 3 }");
    assert!(complaint(&[&misspelled]).contains("at sead"), "{}", complaint(&[&misspelled]));
}

#[test]
fn an_interrupted_search_goes_on_to_the_same_bytes() {
    let (whole, resumed) = (folder(), folder());
    let design = small(12);
    for folder in [&whole, &resumed] {
        fs::write(path(folder, "small.design.json"), design.to_json()).expect("a file");
    }
    page(&[&path(&whole, "small.design.json")]);
    // Some starts are done when Ctrl-C is pressed.
    let search = Search::new(&design.specification, Vec::new()).expect("a search");
    let stop = |update: hemiola::number::Update<'_>| {
        if update.done < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    search.run(&stop).expect("a design");
    let checkpoint = Checkpoint { design: design.clone(), done: search.done() };
    assert!((5..12).contains(&checkpoint.done.len()));
    let file = path(&resumed, "small.search.json");
    let write = |text: &str| fs::write(&file, text).expect("a file");
    write(&checkpoint.to_json());
    page(&[&path(&resumed, "small.design.json"), "--resume"]);
    assert_eq!(files(whole.path(), "small"), files(resumed.path(), "small"));
    assert!(!Path::new(&file).exists(), "what is done is no longer needed");
    // A missing checkpoint is not an error; one of another design is.
    page(&[&path(&resumed, "small.design.json"), "--resume"]);
    let other = Checkpoint { design: small(13), done: Vec::new() };
    write(&other.to_json());
    assert!(complaint(&[&path(&resumed, "small.design.json"), "--resume"]).contains("belongs to another design"));
    write(&checkpoint.to_json().replace("hemiola-search/1", "hemiola-search/2"));
    assert!(complaint(&[&path(&resumed, "small.design.json"), "--resume"]).contains("at format"));
    write(&checkpoint.to_json().replace("\"number\": 0", "\"number\": 99"));
    assert!(complaint(&[&path(&resumed, "small.design.json"), "--resume"]).contains("a start is 99"));
}

/// Sends the signal itself: the best result so far is written with the finished starts, from which the search
/// continues.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_what_is_needed_to_go_on() {
    let folder = folder();
    let output = path(&folder, "long.json");
    let arguments = ["design", "--slow=4", "--fast=6", "--starts=100000", "--output", &output];
    let search = process::Command::new(cargo_bin("hemiola"))
        .args(arguments)
        .stdout(process::Stdio::null())
        .stderr(process::Stdio::piped())
        .spawn();
    let search = search.expect("the binary runs");
    // Long enough for the search to begin; an earlier interruption has no results, and says so.
    std::thread::sleep(std::time::Duration::from_secs(2));
    let signal = process::Command::new("kill").args(["-s", "INT", &search.id().to_string()]).status();
    assert!(signal.expect("kill").success());
    let ended = search.wait_with_output().expect("an end");
    let (code, said) = (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned());
    let checkpoint = fs::read(path(&folder, "long.search.json")).expect("what is done");
    let checkpoint = Checkpoint::from_json(&checkpoint, "long.search.json").expect("a checkpoint");
    assert_eq!(DesignFile::read(Path::new(&path(&folder, "long.design.json"))).expect("a design"), checkpoint.design);
    if code == Some(0) {
        assert!(!checkpoint.done.is_empty() && Path::new(&output).exists());
        assert!(fs::read_to_string(path(&folder, "long.md")).expect("a report").contains("interrupted after"));
    } else {
        assert_eq!(code, Some(130));
        assert!(said.contains("interrupted before any start"), "{said}");
    }
}

#[test]
fn contradictions_are_refused() {
    let folder = folder();
    let design = path(&folder, "small.design.json");
    fs::write(&design, small(2).to_json()).expect("a file");
    for option in ["--slow=2", "--seed=2", "--damping=0.1", "--shared-weights", "--error-weights=1,1,1"] {
        assert!(complaint(&[&design, option]).contains("cannot be used with"), "{option}");
    }
    assert!(complaint(&["--slow=2"]).contains("--fast"));
    let pair = |options: &[&str]| complaint(&[&["--slow=2", "--fast=5"], options].concat());
    assert!(pair(&["--axis=real", "--fast-polynomial=free"]).contains("cannot be used with"));
    assert!(pair(&["--band=0.8"]).contains("--damping above 0"));
    assert!(pair(&["--axis=real", "--damping=0.05", "--band=0.8"]).contains("--axis imaginary"));
    assert!(pair(&["--damping=0.05", "--band=0"]).contains("a fraction of the limit, above 0"));
    let damped = complaint(&["--slow=4", "--fast=5", "--damping=0.05"]);
    assert!(damped.contains("from 0.5 times the limit on") && damped.contains("--band"), "{damped}");
    assert!(pair(&["--profile-weight=1"]).contains("--profile"));
    assert!(pair(&["--scaled-step=1"]).contains("--scaled-step: 1 number; expected 2"));
    assert!(pair(&["--profile=0.1"]).contains("γ=VALUE"));
    assert!(pair(&["--bound=fast.a[3]=0"]).contains("counted from 1"));
    assert!(pair(&["--bound=fast.a[2][3]=0"]).contains("below the diagonal"));
    assert!(pair(&["--fast-polynomial=1,1,x"]).contains("`x` is not a rational number"));
    assert!(pair(&["--fast-polynomial=1,1,1"]).contains("β_k = 1/k! for k ≤ p"));
    assert!(pair(&["--shared-weights", "--slow-stages=1,2"]).contains("the last stage has no effect"));
    assert!(pair(&["--output", &path(&folder, "Upper.json")]).contains("lower-case"));
}

#[test]
fn set_replaces_any_field_as_its_option_does() {
    let folder = folder();
    let (by_option, by_field) = (path(&folder, "a/pair.json"), path(&folder, "b/pair.json"));
    for name in ["a", "b"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    let common = ["--slow=1", "--fast=3", "--starts=4"];
    let options = [
        "--shared-abscissae",
        "--internal-weight=0.01",
        "--bound=fast.b[1]=0..0.9",
        "--damping=0.02",
        "--band=0.75",
        "--slow-polynomial=free",
    ];
    let fields = [
        "--set=structure.shared_abscissae=true",
        "--set=objective.internal=0.01",
        "--set=structure.bounds.fast.b[1]=[0, 0.9]",
        "--set=stability.fast={\"axis\": \"imaginary\", \"damping\": 0.02}",
        "--set=stability.fast.band=0.75",
        "--set=stability.slow=free",
    ];
    page(&[&common[..], &options, &["--output", &by_option]].concat());
    page(&[&common[..], &fields, &["--output", &by_field]].concat());
    assert_eq!(files(&folder.path().join("a"), "pair"), files(&folder.path().join("b"), "pair"));
    let wrong = complaint(&["--slow=1", "--fast=3", "--set=objective.internl=1"]);
    assert!(wrong.contains("objective.internl") && wrong.contains("objective.internal"), "{wrong}");
    assert!(complaint(&["--slow=1", "--fast=3", "--set=objective"]).contains("PATH=VALUE"));
    let listed = page(&["--fields"]);
    assert!(DesignFile::fields().iter().all(|field| listed.contains(&field.path)), "{listed}");
}

#[test]
fn fields_are_checked_together() {
    let folder = folder();
    let pair = ["--slow=4", "--fast=6", "--starts=40", "--set=embedded=3"];
    let unchecked = complaint(&[&pair[..], &["--set=seed=2"]].concat());
    assert!(unchecked.contains("first-same-as-last adds a stage"), "{unchecked}");
    let options = ["--slow=4", "--fast=6", "--embedded=3", "--set=seed=2"];
    assert!(!complaint(&options).contains("--set"), "{}", complaint(&options));
    let file = path(&folder, "pair.json");
    let options = ["--set=structure.first_same_as_last=true", "--output", &file];
    assert!(page(&[&pair[..], &options].concat()).contains("embedded weights"));
}

#[test]
fn fields_leave_the_starts_and_the_effort_of_options() {
    let folder = folder();
    let file = path(&folder, "pair.json");
    let specification = |options: &[&str]| {
        let pair = ["--slow=1", "--force", "--output", &file];
        page(&[&pair[..], options].concat());
        DesignFile::read(&folder.path().join("pair.design.json")).unwrap().specification
    };
    let default = |fast: usize| Specification::new(1, fast, None).unwrap().starts;
    // A given number of starts, also one that equals a default.
    let given = format!("--starts={}", default(3));
    assert_eq!(specification(&["--fast=3", "--starts=5", "--set=effort=4"]).starts, 5);
    assert_eq!(specification(&["--fast=3", &given, "--set=fast=4"]).starts, default(3));
    assert_eq!(specification(&["--fast=3", &given, "--set=starts=6"]).starts, 6);
    // The level of effort, although the starts of this objective do not race.
    let small = ["--fast=3", "--coefficient-weight=0.1", "--effort=3"];
    assert_eq!(specification(&[&small[..], &["--set=fast=4"]].concat()).starts, 3 * default(4));
    let racing = specification(&[&small[..], &["--set=objective.coefficients=0"]].concat());
    assert_eq!((racing.effort, racing.starts), (Some(3), 3 * default(3)));
    let slow = specification(&["--fast=3", "--set=effort=null"]);
    assert_eq!((slow.effort, slow.starts), (None, default(3)));
    let refused = complaint(&["--slow=1", "--fast=3", "--starts=0", "--set=effort=4", "--output", &file]);
    assert!(refused.contains("starts") && !refused.contains("panicked"), "{refused}");
}

#[test]
fn costs_of_damping_and_abscissae_outside_the_step_are_told() {
    let folder = folder();
    let file = path(&folder, "pair.json");
    let told = |options: &[&str]| {
        let page = page(&[options, &["--force", "--output", &file]].concat());
        page.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let damped = told(&["--slow=3", "--fast=4", "--damping=0.05", "--starts=16"]);
    // The polynomial of degree four and order three: 2√2 without damping.
    assert!(damped.contains("without damping, 2.828 and 0;"), "{damped}");
    assert!(damped.contains("with --band 0.9, 2.795 and 0.0012"), "{damped}");
    let cheap = told(&["--slow=3", "--fast=4", "--damping=0.05", "--band=0.9", "--starts=16"]);
    assert!(!cheap.contains("fast stability"), "{cheap}");
    let real = ["--slow=2", "--fast=6", "--axis=real"];
    assert!(told(&real).contains("outside the step (--set structure.abscissae_in_step=true keeps them in it)"));
    assert!(!told(&[&real[..], &["--set=structure.abscissae_in_step=true"]].concat()).contains("outside the step"));
}
