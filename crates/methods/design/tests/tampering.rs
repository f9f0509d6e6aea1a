//! Every field of every kind of certificate is changed, one at a time. Changed certificates that are still accepted
//! are true, and listed here.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hemiola_design::{Certificate, MriCertificate};
use hemiola_polynomial::Problem;
use hemiola_tableau::Method;
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Returns modified values of a field, each with a word for the change.
fn changes(value: &Value) -> Vec<(&'static str, Value)> {
    let mut all = vec![("null", Value::Null)];
    match value {
        Value::Number(number) => {
            let x = number.as_f64().expect("a number");
            let whole = number.as_u64().map(|n| [("next", json!(n + 1)), ("before", json!(n.saturating_sub(1)))]);
            let real = [("larger", json!(x * 1.25)), ("smaller", json!(x * 0.75))];
            all.extend(whole.unwrap_or(real));
            all.extend([("huge", json!(1e300)), ("negative", json!(-x - 1.0)), ("text", json!(number.to_string()))]);
        }
        Value::String(text) => {
            all.extend([("other", json!("foo")), ("empty", json!("")), ("number", json!(1))]);
            // Another text with the same value is not another statement, but both readers must agree on it.
            all.extend([("blank", json!(format!(" {text}"))), ("plus", json!(format!("+{text}")))]);
            let (numerator, rest) = text.split_once('/').map_or((text.as_str(), ""), |(n, _)| (n, &text[n.len()..]));
            if let Ok(n) = numerator.parse::<dashu::integer::IBig>() {
                all.push(("next", json!(format!("{}{rest}", n + 1))));
            }
            if text.contains('_') {
                all.push(("leaf", json!(if text == "τ_s" { "τ_f" } else { "τ_s" })));
            }
        }
        Value::Bool(holds) => all.push(("not", json!(!holds))),
        Value::Array(values) => {
            let reversed: Vec<Value> = values.iter().rev().cloned().collect();
            let twice: Vec<Value> = values.iter().chain(values.last()).cloned().collect();
            all.extend([("reversed", json!(reversed)), ("twice", json!(twice)), ("empty", json!([]))]);
            all.extend(values.split_last().map(|(_, rest)| ("shorter", json!(rest))));
        }
        Value::Object(fields) => {
            let mut surplus = fields.clone();
            surplus.insert("surplus".to_owned(), json!(1));
            all.push(("surplus", Value::Object(surplus)));
            for key in fields.keys() {
                let mut less = fields.clone();
                less.remove(key);
                all.push(("less", Value::Object(less)));
            }
        }
        Value::Null => {}
    }
    all.retain(|(_, other)| other != value);
    all
}

/// Returns the paths of all values; of a list only those of the first and the last entry.
fn places(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| places(value, format!("{at}/{key}"), found)),
        Value::Array(values) => {
            let ends = BTreeSet::from([0, values.len().saturating_sub(1)]);
            ends.into_iter().filter_map(|k| Some((k, values.get(k)?))).for_each(|(k, value)| {
                places(value, format!("{at}/{k}"), found);
            });
        }
        _ => {}
    }
    found.push(at);
}

/// Returns modified certificates, each with the path of the change, in which indices are stars, and a word for the
/// change.
fn tampered(good: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    let mut found = Vec::new();
    places(good, String::new(), &mut found);
    for place in found {
        let value = good.pointer(&place).expect("a value");
        let named: Vec<&str> =
            place.split('/').map(|word| if word.parse::<u8>().is_ok() { "*" } else { word }).collect();
        for (change, other) in changes(value) {
            let mut bad = good.clone();
            *bad.pointer_mut(&place).expect("a value") = other;
            // A missing field is described by its name.
            let missing = value.as_object().filter(|_| change == "less").and_then(|fields| {
                fields.keys().find(|key| bad.pointer(&place).is_some_and(|value| value.get(key.as_str()).is_none()))
            });
            let change = missing.map_or(change.to_owned(), |key| format!("without {key}"));
            all.push((format!("{} {change}", named.join("/")), bad));
        }
    }
    all
}

/// Returns the exit codes of the script for files; 99 if it fails with an exception.
fn script(files: &[(PathBuf, Option<PathBuf>)]) -> Option<Vec<i32>> {
    const RUNNER: &str = "
import contextlib, io, os, runpy, sys
sys.path.insert(0, os.path.dirname(SCRIPT))
for line in sys.stdin:
    sys.argv = [sys.argv[0], *line.rstrip('\\n').split('\\t')]
    code = 0
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            runpy.run_path(SCRIPT, run_name='__main__')
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        code = 99
    print(code)
";
    let name = root().join("scripts/check-certificate");
    let runner = RUNNER.replace("SCRIPT", &format!("{:?}", name.to_str().expect("UTF-8")));
    let mut python = Command::new("python3");
    let python = python.args(["-c", &runner]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let mut child = python.spawn().ok()?;
    let text = |path: &PathBuf| path.to_str().expect("UTF-8").to_owned();
    let line = |(file, method): &(PathBuf, Option<PathBuf>)| {
        [file].into_iter().chain(method).map(text).collect::<Vec<_>>().join("\t") + "\n"
    };
    let lines: String = files.iter().map(line).collect();
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("python reads");
    let output = child.wait_with_output().expect("python ends");
    let codes = String::from_utf8(output.stdout).expect("UTF-8");
    Some(codes.lines().map(|line| line.parse().expect("a code")).collect())
}

/// Asserts that the script and the library accept the certificate and, of its changes, only those listed, which are true.
/// The readers bound the same quantities differently, so each accepts a part of the list.
#[track_caller]
fn only_these_are_accepted(good: &Value, method: Option<&str>, reader: Option<&dyn Fn(&str) -> bool>, listed: &[&str]) {
    let all = [("nothing changed".to_owned(), good.clone())].into_iter().chain(tampered(good)).collect::<Vec<_>>();
    let listed: BTreeSet<&str> = listed.iter().copied().chain(["nothing changed"]).collect();
    let judge = |who: &str, is_accepted: &[bool]| {
        let accepted: BTreeSet<&str> = all
            .iter()
            .zip(is_accepted)
            .filter(|(_, accepted)| **accepted)
            .map(|((name, _), _)| name.as_str())
            .collect();
        let surplus: Vec<_> = accepted.difference(&listed).collect();
        assert!(
            surplus.is_empty() && accepted.contains("nothing changed"),
            "{who} accepts {surplus:?} of {accepted:?}"
        );
    };
    if let Some(reader) = reader {
        judge("the library", &all.iter().map(|(_, value)| reader(&value.to_string())).collect::<Vec<_>>());
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let method = method.map(|method| {
        let file = folder.path().join("method.json");
        std::fs::write(&file, method).expect("a file");
        file
    });
    let file = |k: usize| folder.path().join(format!("{k}.json"));
    for (k, (_, value)) in all.iter().enumerate() {
        std::fs::write(file(k), value.to_string()).expect("a file");
    }
    let Some(codes) = script(&(0..all.len()).map(|k| (file(k), method.clone())).collect::<Vec<_>>()) else { return };
    assert_eq!(codes.len(), all.len());
    let unclear: Vec<_> = all.iter().zip(&codes).filter(|(_, code)| **code > 2).map(|((name, _), _)| name).collect();
    assert!(unclear.is_empty(), "the script fails at {unclear:?}");
    judge("the script", &codes.iter().map(|code| *code == 0).collect::<Vec<_>>());
}

fn only_these_are_accepted_of_a_design(good: &Value, method: &Method, listed: &[&str]) {
    let reader = |text: &str| {
        Certificate::from_json(text)
            .is_ok_and(|certificate| certificate.refusal(method).is_ok_and(|found| found.is_none()))
    };
    only_these_are_accepted(good, Some(&method.to_json()), Some(&reader), listed);
}

fn of_library(id: &str) -> (Value, Method) {
    let file = root().join(format!("designs/{id}.certificate.json"));
    let text = std::fs::read_to_string(file).expect("a certificate");
    (serde_json::from_str(&text).expect("JSON"), hemiola_tableau::library::method(id).expect("a method"))
}

/// Changes of the certificate of an enclosed pair that claim less, or less sharply, and are still true.
const ENCLOSED: [&str; 13] = [
    // A larger bound is a bound, as long as the radius stays below the last digit.
    "/status/radius larger",
    "/status/residual larger",
    "/status/contraction larger",
    // A smaller bound also holds if the reader finds a contraction below it.
    "/status/contraction smaller",
    // Omitting further weights claims nothing wrong.
    " without embedded",
    " without dense",
    // With fewer coefficients of the polynomial, the solution still is one.
    "/polynomial empty",
    "/polynomial shorter",
    // One unit of its last digit, which lies beyond those of the table, moves the solution by less than the radius.
    "/polynomial/*/* next",
    // The order of the equations does not matter.
    "/conditions reversed",
    "/embedded/conditions/* reversed",
    "/dense/conditions/* reversed",
    // The solution changed by one unit of its 80th decimal, if that is nearer.
    "/solution/further/* next",
];

#[test]
fn an_enclosed_pair() {
    let (good, method) = of_library("hemiola-2-5");
    only_these_are_accepted_of_a_design(&good, &method, &ENCLOSED);
}

#[test]
fn an_enclosed_pair_with_assumptions() {
    let (good, method) = of_library("hemiola-3-5");
    only_these_are_accepted_of_a_design(&good, &method, &ENCLOSED);
}

#[test]
fn a_pair_with_strong_stability() {
    let method = hemiola_tableau::library::method("hemiola-ssp-3-5").expect("a method");
    let good = Certificate::new(&method, 2, &[]).expect("a certificate").to_json();
    assert_eq!(good["status"]["proved"], "enclosed");
    only_these_are_accepted_of_a_design(&good, &method, &ENCLOSED);
}

/// Reads the certificate of a design in a folder.
fn in_folder(folder: &str, id: &str) -> Value {
    let file = root().join(format!("designs/{folder}/{id}.certificate.json"));
    serde_json::from_str(&std::fs::read_to_string(file).expect("a certificate")).expect("JSON")
}

/// Changes of the bounds of an enclosure that are still true.
const BOUNDS: [&str; 4] = ["/radius larger", "/residual larger", "/contraction larger", "/contraction smaller"];

#[test]
fn a_multirate_method() {
    for id in ["hemiola-mri-2-2", "hemiola-mri-3-3"] {
        let method = hemiola_multirate::library::method(id).expect("a method");
        let reader = |text: &str| {
            MriCertificate::from_json(text)
                .is_ok_and(|certificate| certificate.refusal(&method).is_ok_and(|found| found.is_none()))
        };
        only_these_are_accepted(
            &in_folder("multirate", id),
            Some(&method.to_json()),
            Some(&reader),
            &[&BOUNDS[..], &["/conditions reversed"]].concat(),
        );
    }
}

#[test]
fn an_implicit_method() {
    let id = "hemiola-esdirk-4-order-3";
    let method = hemiola_tableau::library::method(id).expect("a method");
    let accepted = [
        // A quarter of the stated residual is a margin.
        "/residual smaller",
        // The others imply the last equation.
        "/equations reversed",
        "/equations shorter",
        "/stage_order before",
    ];
    let accepted = [&BOUNDS[..], &accepted].concat();
    only_these_are_accepted(&in_folder("implicit", id), Some(&method.to_json()), None, &accepted);
}

#[test]
fn a_pair_of_which_nothing_is_proved() {
    let (mut good, method) = of_library("hemiola-2-5");
    let fields = good.as_object_mut().expect("an object");
    fields.remove("solution");
    let nothing = |order: usize| json!({ "order": order, "proved": "nothing", "decimals": 40 });
    for (field, value) in [
        ("status", json!({ "proved": "nothing", "decimals": 40 })),
        ("conditions", json!([])),
        ("embedded", nothing(1)),
        ("dense", nothing(1)),
    ] {
        fields.insert(field.to_owned(), value);
    }
    let accepted = [
        "/order before",
        "/status/decimals next",
        "/status/decimals before",
        "/embedded/decimals next",
        "/embedded/decimals before",
        "/dense/decimals next",
        "/dense/decimals before",
        " without embedded",
        " without dense",
        "/polynomial empty",
        "/polynomial shorter",
    ];
    only_these_are_accepted_of_a_design(&good, &method, &accepted);
}

#[test]
fn an_exact_pair() {
    // Heun's method in both partitions.
    let part = |name: &str| {
        format!(
            r#"{{ "name": "{name}", "a": [["0", "0"], ["1", "0"]], "b": ["1/2", "1/2"], "b_hat": ["1", "0"],
                 "dense": [["1", "-1/2"], ["0", "1/2"]] }}"#
        )
    };
    let text = format!(
        r#"{{ "format": "hemiola-method/1", "id": "heun-twice", "name": "Heun twice", "partitions": [{}, {}],
             "claims": {{ "order": 2, "embedded_order": 1, "dense_order": 2 }} }}"#,
        part("slow"),
        part("fast")
    );
    let method = Method::from_json(text.as_bytes(), "heun-twice.json").expect("a method");
    let good = Certificate::new(&method, 2, &[]).expect("a certificate").to_json();
    assert_eq!(good["dense"], json!({ "order": 2, "proved": "with the pair", "conditions": [] }));
    let accepted = ["/order before", "/dense/order before", " without embedded", " without dense"];
    only_these_are_accepted_of_a_design(&good, &method, &accepted);
}

#[test]
fn a_family() {
    let (good, method) = of_library("hemiola-family-2-4-8");
    only_these_are_accepted_of_a_design(&good, &method, &["/order before"]);
}

/// Changes of the certificates of polynomials that are still true.
const OF_POLYNOMIALS: [&str; 12] = [
    // The order of the pieces of the boundary does not matter, and a piece may be repeated.
    "/stability reversed",
    "/stability twice",
    // A polynomial of order p has all lower orders; the limit of a theorem for orders 1 and 2 is the same for both.
    "/order before",
    // Optimality is not claimed.
    "/optimality without theorem",
    "/optimality without conditions_of_optimality",
    // A slightly different functional still excludes the limit, and a larger limit is excluded as well.
    "/optimality/no_limit_reaches next",
    "/optimality/places/* next",
    "/optimality/weights/*/* next",
    // An empty cell at the end.
    "/stability/*/negative_on_cells_with_ends twice",
    // The same set; a part of the set.
    "/set/intervals reversed",
    "/set/intervals twice",
    "/set/intervals shorter",
];

#[test]
fn polynomials() {
    for (spectrum, stages, order, damping) in [
        ("imaginary", 5, 3, 0.0),
        ("imaginary", 5, 2, 0.0),
        ("imaginary", 4, 2, 0.05),
        ("real", 4, 2, 0.05),
        ("real", 4, 1, 0.0),
        ("disk", 4, 2, 0.0),
        ("wedge:60", 4, 2, 0.0),
        ("rectangle:1,2", 4, 2, 0.0),
        ("rays:0.02,0.3", 4, 2, 0.0),
        ("intervals:-1,-0.8,-0.05,0", 4, 2, 0.0),
    ] {
        let spectrum = spectrum.parse().expect("a spectrum");
        let problem = Problem::new(spectrum, stages, order).damping(damping);
        let polynomial = problem.solve().expect("an optimum").polynomial(17).expect("a polynomial");
        let good = polynomial.certificate().expect("a proof").to_json(&polynomial);
        only_these_are_accepted(&good, None, None, &OF_POLYNOMIALS);
    }
}
