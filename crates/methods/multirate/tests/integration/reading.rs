//! Reading, writing and the errors of files.

use hemiola_multirate::{InfinitesimalMethod, MultirateError, MultirateReport, StageCoupling, library};

fn text(stages: &str, rest: &str) -> String {
    format!(
        r#"{{"format": "hemiola-multirate/1", "id": "mine", "name": "Mine", "partitions": ["fast", "slow"],
            "stages": [{stages}]{rest}}}"#
    )
}

fn error(text: &str) -> String {
    InfinitesimalMethod::from_json(text.as_bytes(), "mine.json")
        .map_or_else(|error| error.to_string(), |_| String::new())
}

#[test]
fn written_files_are_read_back() {
    for id in library::ids() {
        let method = library::method(id).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(method.id(), id);
        let written = method.to_json();
        let again = InfinitesimalMethod::from_json(written.as_bytes(), "written").unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(again, method, "{id}");
    }
    let corrected = text(
        r#"{"from": 1, "interval": 1, "forcing": {"slow": [["1/2"]]}, "correction": {"slow": ["0", "0.5"]}}"#,
        r#", "precision": {"decimals": 9}, "claims": {"order": 1}"#,
    );
    let method = InfinitesimalMethod::from_json(corrected.as_bytes(), "mine").unwrap_or_else(|e| panic!("{e}"));
    let again = InfinitesimalMethod::from_json(method.to_json().as_bytes(), "mine").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again, method);
}

#[test]
fn errors_name_the_place_and_what_is_expected() {
    let stage = |fields: &str| text(&format!("{{{fields}}}"), "");
    let slow = |forcing: &str| stage(&format!(r#""from": 1, "interval": "1", "forcing": {{"slow": {forcing}}}"#));
    let cases = [
        (stage(r#""from": 1, "interval": "-1/2""#), "at stages[0].interval: found \"-1/2\"; expected an interval ≥ 0"),
        (stage(r#""from": 2, "interval": "1""#), "at stages[0].from: found 2; expected an earlier stage, from 1 to 1"),
        (stage(r#""from": 0, "interval": "1""#), "at stages[0].from: found 0; expected an earlier stage"),
        (slow(r#"[["1", "0", "3"]]"#), "at stages[0].forcing.slow[0][2]: found \"3\"; expected at most 2 entries"),
        (slow(r#"["1"]"#), "at stages[0].forcing.slow[0]: invalid type: string \"1\", expected an array"),
        (slow(r#"[["1"], "1"]"#), "at stages[0].forcing.slow[1]: invalid type: string \"1\", expected an array"),
        (slow(r#"[["x"]]"#), "at stages[0].forcing.slow[0][0]: found \"x\""),
        (slow(r#"[["1/0"]]"#), "at stages[0].forcing.slow[0][0]: found \"1/0\": division by zero"),
        (slow(r#"[["1"]], "slow": [["1"]]"#), "found \"slow\" twice"),
        (
            stage(r#""from": 1, "interval": "1", "forcing": {"fast": [["1"]]}"#),
            "at stages[0].forcing: found \"fast\"; expected a slow partition: slow",
        ),
        (stage(r#""from": 1, "interval": "1", "length": 2"#), "unknown field `length`"),
        (
            stage(r#""from": 1, "interval": "1", "start": ["1/2"]"#),
            "at stages[0].start[0]: found \"1/2\"; expected 0, since Y_1 - Y_1 vanishes",
        ),
        (
            stage(r#""from": 1, "interval": "1", "drift": ["0", "1"]"#),
            "at stages[0].drift[1]: found \"1\"; expected at most 1 entries, those of the earlier stages Y_1 to Y_1",
        ),
        (stage(r#""from": 1, "interval": "1", "drift": [["0"]]"#), "at stages[0].drift[0]"),
        (text("", ""), "at stages: found 0 stages; expected from 1 to 128"),
        (
            text(r#"{"from": 1, "interval": "1"}"#, r#", "claims": {"embedded_order": 1}"#),
            "at claims.embedded_order: found a claim without embedded row",
        ),
        (
            text(r#"{"from": 1, "interval": "1"}"#, r#", "embedded": {"from": 2, "interval": "1"}"#),
            "at embedded.from: found 2; expected an earlier stage, from 1 to 1",
        ),
        (text("", "").replace("rate/1", "rate/2"), "at format: found \"hemiola-multirate/2\""),
        (text("", "").replace(r#", "slow""#, ""), "at partitions: found 1 partitions"),
        (text("", "").replace("\"slow\"", "\"fast\""), "at partitions[1]: found \"fast\""),
        (text("", "").replace("mine", "My id"), "at id: found \"My id\""),
    ];
    for (text, expected) in cases {
        let found = error(&text);
        assert!(found.starts_with("mine.json: at ") && found.contains(expected), "{found}\n{expected}");
    }
    let powers = vec!["[\"1\"]"; 17].join(",");
    assert!(error(&slow(&format!("[{powers}]"))).contains("found 17 powers of τ; expected at most 16"));
}

#[test]
fn coupled_stages_are_checked_but_not_stepped() {
    // Implicit Euler in the slow part while the fast part is solved: of order one, since f(Y₂) is taken for all times.
    let coupled = text(r#"{"from": 1, "interval": "1", "forcing": {"slow": [["0", "1"]]}}"#, "");
    let method = InfinitesimalMethod::from_json(coupled.as_bytes(), "mine").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(method.couplings(), [StageCoupling::Coupled]);
    let report = MultirateReport::new(&method, Some(2)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(report.step.exact_order(), 1);
    // [τ_s]_s has the weight 1 and [τ_s]_f the weight 1/2; [τ_f]_s has 1.
    assert_eq!(report.step.orders()[1].failed(), 2);
    let euler = hemiola_tableau::library::method("explicit-euler").unwrap_or_else(|error| panic!("{error}"));
    let error = method.expand(&euler, 1);
    assert!(matches!(&error, Err(MultirateError::Coupled { stage: 2, .. })), "{error:?}");
    let message = error.map_or_else(|error| error.to_string(), |_| String::new());
    assert!(message.starts_with("mine: stage 2 is implicit in partition `slow` and lasts 1 of the step"), "{message}");
}

#[test]
fn inconsistencies_are_listed() {
    let forced = r#"{"from": 1, "interval": "1/2", "forcing": {"slow": [["1/3"], ["0", "1"]]}},
                    {"from": 1, "interval": "1", "forcing": {"slow": [["1", "0"], ["1", "-1"]]}}"#;
    let method = InfinitesimalMethod::from_json(text(forced, "").as_bytes(), "mine").unwrap_or_else(|e| panic!("{e}"));
    let found = method.inconsistencies(1);
    let found: Vec<String> = found
        .iter()
        .map(|sum| format!("{} {} {} {} {}", sum.stage, sum.power, sum.found, sum.expected, sum.verdict.holds()))
        .collect();
    assert_eq!(found, ["2 0 1/3 1/2 false", "2 1 1 0 false"]);
    assert!(!method.is_internally_consistent() && method.inconsistencies(0).is_empty());
}
