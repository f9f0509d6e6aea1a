//! `hemiola design --fast exact`: multirate methods of any ratio.

use std::path::Path;
use std::process::Command;

use hemiola::multirate::InfinitesimalMethod;
use serde_json::Value;

use crate::common::{Folder, complaint, page, report};

#[test]
fn a_multirate_method_names_its_command_and_has_a_certificate() {
    let folder = Folder::new();
    let file = folder.path("mine.json");
    let options = ["--slow", "3", "--fast", "exact", "--order", "3", "--starts", "4", "--output", &file];
    let found = report("design", &options);
    assert_eq!((found["id"].as_str(), found["embedded_order"].as_u64()), (Some("mine"), Some(2)));
    // MIS-KW3 has 0.0809.
    assert!(found["principal_error_norm"].as_f64().unwrap() < 0.08);
    let command = "hemiola design --slow 3 --fast exact --order 3 --starts 4";
    let method = InfinitesimalMethod::read(file.as_ref()).unwrap();
    assert_eq!(method.source().place.as_deref(), Some(command));
    let first = folder.text("mine.json");
    page("design", &options);
    assert_eq!(folder.text("mine.json"), first);
    let certificate = folder.path("mine.certificate.json");
    let checked = page("check", &[&file, "--certificate", &certificate]);
    assert!(checked.contains("holds: a method of order 3 lies within"), "{checked}");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scripts/check-certificate");
    // Without Python, the test of the library's certificates is left out, too.
    if let Ok(output) = Command::new("python3").args([script, &certificate, &file]).output() {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn wanted_sector_limits_are_kept() {
    let folder = Folder::new();
    let file = folder.path("two.json");
    let size = ["--slow", "2", "--fast", "exact", "--order", "2", "--starts", "4", "--sector", "80=1.5"];
    let found = report("design", &[&size[..], &["--output", &file]].concat());
    assert!(found["sectors"][0]["limit"].as_f64().unwrap() >= 1.5);
    // Without a wanted limit it is 1.4, with the norm 0.2359.
    assert!((0.2360..0.2400).contains(&found["principal_error_norm"].as_f64().unwrap()));
}

#[test]
fn slow_parts_may_be_implicit() {
    let folder = Folder::new();
    let file = folder.path("imex.json");
    let size = ["--slow", "5", "--fast", "exact", "--order", "3", "--implicit", "additive", "--restarts"];
    let options = [&size[..], &["--degree", "2", "--sector", "80=1.5,12", "--starts", "8", "--output", &file]].concat();
    let found = report("design", &options);
    let limit = |k: usize| found["sectors"][k]["limit"].as_f64();
    assert!(limit(0).is_none_or(|limit| limit >= 1.5) && limit(1).is_none_or(|limit| limit >= 12.0), "{found}");
    assert_eq!(found["sectors"][1]["partition"], "implicit");
    // IMEX-MRI-SR32, with as many slow evaluations, has 0.385.
    assert!(found["principal_error_norm"].as_f64().unwrap() < 0.15);
    let certificate = folder.path("imex.certificate.json");
    let checked = page("check", &[&file, "--certificate", &certificate]);
    assert!(checked.contains("holds: a method of order 3 with an L-stable implicit"), "{checked}");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scripts/check-certificate");
    if let Ok(output) = Command::new("python3").args([script, &certificate, &file]).output() {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let refused = complaint("design", &["--slow", "4", "--fast", "exact", "--order", "3", "--implicit", "both"]);
    assert!(refused.contains("--implicit fast or both requires a number of fast evaluations"), "{refused}");
    let refused = complaint("design", &["--slow", "4", "--fast", "exact", "--order", "3", "--sector", "80=2,20"]);
    assert!(refused.contains("the second limit of a sector"), "{refused}");
}

/// The error of orders one and two can vanish with three implicit evaluations of an L-stable part: the design has order three.
#[test]
fn a_design_says_which_order_it_reaches() {
    let folder = Folder::new();
    let file = folder.path("four.json");
    let size = ["--slow", "4", "--fast", "exact", "--order", "1", "--implicit", "slow", "--starts", "8"];
    let text = page("design", &[&size[..], &["--output", &file]].concat());
    assert!(
        text.contains("asked for             order 1") && text.contains("an exact solution of all conditions"),
        "{text}"
    );
    assert!(page("check", &[&file, "--summary"]).contains("claim order 3: verified"));
}

#[test]
fn design_files_repeat_commands() {
    let folder = Folder::new();
    let (file, design) = (folder.path("mine.json"), folder.path("mine.design.json"));
    let options = ["--slow", "2", "--fast", "exact", "--order", "2", "--starts", "4"];
    page("design", &[&options[..], &["--output", &file]].concat());
    let first = folder.text("mine.json");
    let other = folder.path("other");
    std::fs::create_dir(&other).unwrap();
    page("design", &[&design, "--output", &other]);
    assert_eq!(folder.text("other/mine.json"), first);
    assert_eq!(folder.text("other/mine.design.json"), folder.text("mine.design.json"));
    // Other options that describe a design, other kinds of designs and other text are refused.
    let fields = complaint("design", &[&design, "--set", "seed=2"]);
    assert!(fields.contains("--set changes fields"), "{fields}");
    let text = folder.text("mine.design.json");
    for (from, to, expected) in [
        ("--fast exact", "--fast 5", "the command has none of"),
        ("--starts 4", "--begin 4", "unexpected argument '--begin'"),
        ("--starts 4", "--starts 4 --json", "the command has --json"),
        ("--starts 4", "--starts '4", "expected a closing quote"),
        ("hemiola design", "rm -r", "expected `hemiola design …`"),
        ("\"mine\"", "\"../mine\"", "expected the file name without .design.json"),
    ] {
        std::fs::write(&design, text.replace(from, to)).unwrap();
        let problem = complaint("design", &[&design, "--output", &other]);
        assert!(problem.contains(expected) && problem.contains("mine.design.json"), "{problem}");
    }
    // Files of other designs are kept.
    let kept = complaint("design", &[&options[..], &["--output", &file]].concat());
    assert!(kept.contains("belongs to another design"), "{kept}");
    std::fs::write(&design, text.replace("--starts 4", "--starts '5'")).unwrap();
    let kept = complaint("design", &[&design, "--output", &other]);
    assert!(kept.contains("belongs to another design"), "{kept}");
    assert_eq!(folder.text("other/mine.json"), first);
    let both = complaint("design", &[&design, &folder.path("other/mine.design.json"), "--output", &other]);
    assert!(both.contains("two design files produce the method mine"), "{both}");
    page("design", &[&design, "--output", &other, "--force"]);
    // Its own design file keeps the words of its author.
    page("design", &[&design, "--force"]);
    assert!(folder.text("mine.design.json").contains("--starts '5'"));
}

/// The design files of the library state the commands that the methods name.
#[test]
fn methods_and_design_files_agree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut seen = 0;
    for (designs, methods) in [("designs/multirate", "tableaus/multirate"), ("designs/implicit", "tableaus")] {
        for entry in std::fs::read_dir(root.join(designs)).unwrap() {
            let path = entry.unwrap().path();
            if !path.to_string_lossy().ends_with(".design.json") {
                continue;
            }
            let read = |path: &Path| serde_json::from_slice::<Value>(&std::fs::read(path).unwrap()).unwrap();
            let design = read(&path);
            let id = design["id"].as_str().unwrap();
            assert_eq!(path.file_name().unwrap().to_str(), Some(format!("{id}.design.json").as_str()));
            let method = read(&root.join(methods).join(format!("{id}.json")));
            assert_eq!(method["source"]["where"], design["command"], "{id}");
            seen += 1;
        }
    }
    assert_eq!(seen, 23);
}

#[test]
fn options_of_other_designs_are_refused() {
    let axis = complaint("design", &["--slow", "3", "--fast", "exact", "--axis", "real"]);
    assert!(axis.contains("--axis requires a number of fast evaluations"), "{axis}");
    let degree = complaint("design", &["--slow", "2", "--fast", "4", "--degree", "2"]);
    assert!(degree.contains("--degree requires --fast exact"), "{degree}");
    let order = complaint("design", &["--slow", "3", "--fast", "exact", "--order", "4"]);
    assert!(order.contains("expected at least 4"), "{order}");
}
