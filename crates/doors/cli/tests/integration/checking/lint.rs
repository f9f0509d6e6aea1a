//! `hemiola lint`: findings in all formats, exit codes, and the library.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

/// Folder of method files, each derived from a library method and named after its file.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self) -> &str {
        self.0.path().to_str().expect("UTF-8")
    }

    fn add(&self, name: &str, from: &str, changes: &[(&str, &str)]) {
        let method = hemiola::tableau::library::method(from).expect("a method").with_id(name).expect("an id");
        let mut text = method.to_json();
        for (old, new) in changes {
            assert!(text.contains(old), "{old} in\n{text}");
            text = text.replace(old, new);
        }
        fs::write(self.0.path().join(format!("{name}.json")), text).expect("a file");
    }

    /// Returns the rules with findings in each file, with their lines.
    fn findings(&self) -> Vec<(String, Vec<(String, u64)>)> {
        let (_, report, said) = crate::common::outcome("lint", &[self.path(), "--json"]);
        assert_eq!(said, "");
        let report: Value = serde_json::from_str(&report).expect("JSON");
        let finding = |finding: &Value| {
            (finding["rule"].as_str().expect("a rule").to_owned(), finding["line"].as_u64().expect("a line"))
        };
        let file = |file: &Value| {
            let name = Path::new(file["file"].as_str().expect("a file")).file_stem().expect("a name");
            let findings = file["findings"].as_array().expect("findings").iter().map(finding).collect();
            (name.to_string_lossy().into_owned(), findings)
        };
        report["files"].as_array().expect("files").iter().map(file).collect()
    }

    /// Returns the line of a text in a file.
    fn line(&self, name: &str, text: &str) -> u64 {
        let contents = fs::read_to_string(self.0.path().join(format!("{name}.json"))).expect("a file");
        contents.lines().position(|line| line.contains(text)).expect(text) as u64 + 1
    }
}

#[test]
fn every_rule_finds_what_it_is_about() {
    let folder = Folder::new();
    folder.add("a-good-one", "rk4", &[]);
    folder.add("claims-five", "three-eighths", &[("\"order\": 4", "\"order\": 5")]);
    folder.add("claims-three", "ralston-4", &[("\"order\": 4", "\"order\": 3")]);
    folder.add("claims-none", "heun-2", &[("\"order\": 2", "")]);
    folder.add("embedded-five", "dormand-prince-5", &[("\"embedded_order\": 4", "\"embedded_order\": 5")]);
    folder.add("separable-four", "ruth-3", &[("\"separable_order\": 3", "\"separable_order\": 4")]);
    folder.add("other-name", "heun-3", &[("\"id\": \"other-name\"", "\"id\": \"heun-3\"")]);
    folder.add("same-id", "kutta-3", &[("\"id\": \"same-id\"", "\"id\": \"heun-3\"")]);
    folder.add("z-copy", "rk4", &[]);
    folder.add("no-source", "ssp-rk-3-3", &[("\"title\":", "\"note\":")]);
    folder.add("not-fsal", "gauss-2", &[("\"name\": \"Gauss 2", "\"name\": \"FSAL, stage order 4, Gauss 2")]);
    folder.add("misprint", "ralston-3", &[("\"3/4\"", "\"3//4\"")]);
    // The abscissa of the second stage has a wrong digit, which does not affect autonomous problems.
    folder.add("abscissae", "wray-3", &[("\"c\": [\"0\", \"8/15\"", "\"c\": [\"0\", \"0.53\"")]);
    folder.add("digits", "ralston-2", &[("\"2/3\"", "\"0.66666666666666667\"")]);
    let found = folder.findings();
    let of =
        |name: &str| found.iter().find(|(file, _)| file == name).map(|(_, findings)| findings.clone()).expect(name);
    let rule = |name: &str, rule: &str, text: &str| (rule.to_owned(), folder.line(name, text));
    assert_eq!(of("a-good-one"), []);
    assert_eq!(of("claims-five"), [rule("claims-five", "order", "\"order\": 5")]);
    assert_eq!(of("claims-three"), [rule("claims-three", "claim-too-low", "\"order\": 3")]);
    assert_eq!(of("claims-none"), [("no-claim".to_owned(), folder.line("claims-none", "claims\": {"))]);
    assert_eq!(of("embedded-five"), [rule("embedded-five", "embedded-order", "\"embedded_order\": 5")]);
    assert_eq!(of("separable-four"), [rule("separable-four", "separable-order", "\"separable_order\": 4")]);
    assert_eq!(of("other-name"), [rule("other-name", "id", "\"id\": \"heun-3\"")]);
    let line = folder.line("same-id", "\"id\": \"heun-3\"");
    assert_eq!(of("same-id"), [("duplicate-id".to_owned(), line), ("id".to_owned(), line)]);
    assert_eq!(of("z-copy"), [rule("z-copy", "duplicate", "\"partitions\"")]);
    assert_eq!(of("digits"), [rule("digits", "digits", "\"partitions\"")]);
    assert_eq!(of("no-source"), [rule("no-source", "source", "\"source\"")]);
    let name = folder.line("not-fsal", "\"name\": \"FSAL");
    assert_eq!(of("not-fsal"), [("note".to_owned(), name), ("note".to_owned(), name)]);
    assert_eq!(of("misprint"), [rule("misprint", "unreadable", "3//4")]);
    assert_eq!(of("abscissae"), [rule("abscissae", "order", "\"0.53\"")]);
}

#[test]
fn errors_decide_the_exit_code_and_warnings_where_they_are_denied() {
    let folder = Folder::new();
    folder.add("rk4", "rk4", &[]);
    let lint = |options: &[&str]| crate::common::outcome("lint", &[&[folder.path()], options].concat());
    assert_eq!(lint(&["--deny-warnings"]), (0, "1 method file: 0 errors, 0 warnings\n".to_owned(), String::new()));
    folder.add("copy", "rk4", &[]);
    let (code, page, _) = lint(&[]);
    let line = folder.line("rk4", "\"partitions\"");
    assert!(code == 0 && page.contains(&format!("rk4.json:{line}:17: warning[duplicate]: ")), "{page}");
    assert!(page.ends_with("2 method files: 0 errors, 1 warning\n"), "{page}");
    assert_eq!(lint(&["--deny-warnings"]).0, 1);
    // A copy whose note names the original is accepted.
    folder.add("copy", "rk4", &[("\"source\": {", "\"source\": {\n    \"note\": \"The same tableau as rk4.\",")]);
    assert_eq!(lint(&["--deny-warnings"]).0, 0, "{}", lint(&[]).1);
    folder.add("claims-five", "gill-4", &[("\"order\": 4", "\"order\": 5")]);
    let (code, page, _) = lint(&["--facts"]);
    assert!(code == 1 && page.contains("error[order]: claims order 5; has order 4"), "{page}");
    assert!(page.contains("Stage order") && page.lines().any(|line| line.starts_with(" rk4 ")), "{page}");
}

#[test]
fn sarif_has_the_structure_of_the_standard() {
    let folder = Folder::new();
    folder.add("claims-five", "rk4", &[("\"order\": 4", "\"order\": 5")]);
    folder.add("claims-three", "ralston-4", &[("\"order\": 4", "\"order\": 3")]);
    fs::write(folder.0.path().join("not json.json"), "{").expect("a file");
    let (code, log, _) = crate::common::outcome("lint", &[folder.path(), "--format", "sarif"]);
    let log: Value = serde_json::from_str(&log).expect("JSON");
    assert_eq!((code, &log["version"]), (1, &json!("2.1.0")));
    assert!(log["$schema"].as_str().is_some_and(|schema| schema.ends_with("sarif-2.1.0.json")));
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert!(run["tool"]["driver"]["name"].is_string() && rules.len() == 21);
    assert!(rules.iter().all(|rule| rule["shortDescription"]["text"].is_string()));
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 3);
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert_eq!(rules[index]["defaultConfiguration"]["level"], result["level"]);
        assert!(result["message"]["text"].is_string());
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["region"]["startLine"].as_u64().is_some_and(|line| line > 0), "{result}");
        assert!(place["artifactLocation"]["uri"].as_str().is_some_and(|uri| uri.starts_with("file:///")));
    }
    let uri = |k: usize| results[k]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone();
    assert!(uri(2).as_str().is_some_and(|uri| uri.ends_with("not%20json.json")));
    assert_eq!((&results[0]["level"], &results[1]["level"]), (&json!("error"), &json!("warning")));
}

#[test]
fn github_gets_annotations() {
    let folder = Folder::new();
    folder.add("claims-five", "rk4", &[("\"order\": 4", "\"order\": 5")]);
    let (code, page, _) = crate::common::outcome("lint", &[folder.path(), "--format", "github"]);
    let line = folder.line("claims-five", "\"order\": 5");
    let file = format!("{}/claims-five.json", folder.path());
    let expected = format!(
        "::error file={file},line={line},col=24,title=order::claims order 5; has order 4: 9 of 9 conditions of order 5 \
         fail, by up to 1.2e-2\n1 method file: 1 error, 0 warnings\n"
    );
    assert_eq!((code, page), (1, expected));
    let folder = Folder::new();
    folder.add("digits", "ralston-2", &[("\"2/3\"", "\"0.66666666666666667\"")]);
    let (code, page, _) = crate::common::outcome("lint", &[folder.path(), "--format", "github", "--deny-warnings"]);
    assert!(code == 0 && page.starts_with("::notice file=") && page.ends_with("0 warnings, 1 note\n"), "{page}");
}

#[test]
fn what_is_not_there_is_named_at_once() {
    let folder = Folder::new();
    let error = crate::common::complaint("lint", &["no-such-folder", "no-such-file.json"]);
    assert!(error.contains("no-such-folder: ") && error.contains("no-such-file.json: "), "{error}");
    assert!(crate::common::complaint("lint", &[folder.path()]).contains("no method file"));
    // Other files matched by a shell's *.json are not method files.
    folder.add("rk4", "rk4", &[]);
    for name in ["schema.json", "rk4.design.json", "rk4.certificate.json"] {
        fs::write(folder.0.path().join(name), "{}").expect("a file");
    }
    let files: Vec<String> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path().display().to_string())
        .collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    assert_eq!(crate::common::page("lint", &files), "1 method file: 0 errors, 0 warnings\n");
}

/// Methods whose published coefficients round those of the order that they claim.
const ROUNDED: [&str; 29] = [
    "al-jahdali-advection-5-3",
    "boscarino-bhr-5-5-3",
    "calvo-montijano-randez-6-5",
    "dormand-prince-8",
    "kennedy-carpenter-ark-3-2-4",
    "kennedy-carpenter-ark-4-3-6",
    "kennedy-carpenter-ark-4-3-7",
    "kennedy-carpenter-ark-5-4-8",
    "kennedy-carpenter-ark-5-4-8b",
    "kennedy-carpenter-esdirk-4-3i-6",
    "kennedy-carpenter-esdirk-5-4-7",
    "kennedy-carpenter-lewis-3-2-4-2rc",
    "kennedy-carpenter-lewis-4-3-5-2rc",
    "kennedy-carpenter-lewis-4-3-5-3rc",
    "kennedy-carpenter-lewis-4-3-5-3rm",
    "kennedy-carpenter-lewis-4-3-5-3rn",
    "kennedy-carpenter-lewis-4-3-5-4rn",
    "kennedy-carpenter-lewis-5-4-6-4rm",
    "kennedy-carpenter-lewis-5-4-7-5rm",
    "kennedy-carpenter-lewis-5-4-8-3rc",
    "kennedy-carpenter-lewis-5-4-8-3rm",
    "kennedy-carpenter-lewis-5-4-8-3rp",
    "kennedy-carpenter-lewis-5-4-8-4rfm",
    "kennedy-carpenter-lewis-5-4-9-2rc",
    "kennedy-carpenter-lewis-5-4-9-2rm",
    "kennedy-carpenter-lewis-5-4-9-2rs",
    "parsani-ketcheson-deconinck-5-3",
    "ruuth-spiteri-7-5",
    "ruuth-spiteri-9-5",
];

/// Pairs whose error estimate vanishes on quadrature.
const WITHOUT_ESTIMATE: [&str; 3] = ["fehlberg-8-7", "sayfy-aburub-4-3", "soderlind-4-3"];

/// Checks that the library's only findings are published coefficients that round irrational ones, and published estimates
/// that vanish on quadrature.
#[test]
fn the_library_is_clean_but_for_published_defects() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tableaus");
    let (code, report, _) = crate::common::outcome("lint", &[folder.to_str().expect("UTF-8"), "--json"]);
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let files = report["files"].as_array().expect("files");
    assert_eq!((code, ["errors", "warnings"].map(|level| &report[level])), (0, [&json!(0), &json!(3)]));
    let findings = |file: &Value| file["findings"].as_array().expect("findings").clone();
    let with = |level: &str| -> Vec<&str> {
        let has = |file: &&Value| findings(file).iter().any(|finding| finding["level"] == level);
        files.iter().filter(has).filter_map(|file| file["facts"]["id"].as_str()).collect()
    };
    assert_eq!((with("note"), with("warning")), (ROUNDED.to_vec(), WITHOUT_ESTIMATE.to_vec()));
    let message = |finding: &Value, wanted: &str| finding["message"].as_str().is_some_and(|said| said.contains(wanted));
    assert!(files.iter().flat_map(findings).all(|finding| match finding["level"].as_str() {
        Some("note") => message(&finding, "up to rounding in double precision"),
        _ => message(&finding, "vanishes on quadrature"),
    }));
    let facts =
        |id: &str| files.iter().map(|file| &file["facts"]).find(|facts| facts["id"] == id).expect("facts").clone();
    assert_eq!(facts("dormand-prince-5")["first_same_as_last"], true);
    assert_eq!(
        (&facts("radau-iia-3")["stage_order"], &facts("radau-iia-3")["stiffly_accurate"]),
        (&json!(3), &json!(true))
    );
    assert_eq!(
        (&facts("radau-iia-3")["weak_stage_order"], &facts("rk4")["weak_stage_order"]),
        (&json!(3), &Value::Null)
    );
    assert_eq!(facts("rk4")["dj_reducible"], false);
}
