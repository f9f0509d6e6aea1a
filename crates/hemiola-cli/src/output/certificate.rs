//! Certificates of designed pairs as files: NAME.certificate.json beside NAME.json.

use std::path::Path;

use hemiola::design::{Assumption, Certificate, Status, Vector};
use hemiola::order::Tree;
use hemiola::tableau::{bound_text, parse_number};
use serde_json::{Value, json};

use crate::failure::Failure;

/// The labels of the colours in trees.
const LABELS: [&str; 2] = ["s", "f"];
/// The format's name in the file.
const FORMAT: &str = "hemiola-design-certificate/1";
/// The largest file that is read: a certificate of order 8 has some 10⁵ characters.
const LARGEST_FILE: u64 = 4_000_000;

pub(crate) fn to_json(certificate: &Certificate) -> Value {
    let polynomial = certificate.polynomial.iter().map(|(power, beta)| json!([power, beta.to_string()]));
    json!({
        "format": FORMAT,
        "method": certificate.method,
        "order": certificate.order,
        "status": status(certificate.status),
        "assumptions": certificate.assumptions.iter().map(assumption).collect::<Vec<_>>(),
        "conditions": certificate.conditions.iter().map(|tree| tree.text(&LABELS)).collect::<Vec<_>>(),
        "polynomial": polynomial.collect::<Vec<_>>(),
    })
}

fn assumption(assumption: &Assumption) -> Value {
    let text = |tree: &Tree| tree.text(&LABELS);
    let mut value = match &assumption.vector {
        Vector::Stages { left, right } => json!({ "vector": "stages", "left": text(left), "right": text(right) }),
        Vector::Proportional { left, right, base, pivot } => json!({
            "vector": "proportional", "left": text(left), "right": text(right), "base": text(base), "pivot": pivot + 1,
        }),
        Vector::Weights { b, a } => json!({ "vector": "weights", "b": LABELS.get(*b), "a": LABELS.get(*a) }),
        Vector::Matrices { b } => json!({ "vector": "matrices", "b": LABELS.get(*b) }),
        Vector::SharedWeights => json!({ "vector": "shared weights" }),
        Vector::ZeroWeights { b } => json!({ "vector": "zero weights", "b": LABELS.get(*b) }),
    };
    let from_one = |stages: &[usize]| json!(stages.iter().map(|stage| stage + 1).collect::<Vec<_>>());
    value["stages"] = from_one(&assumption.stages);
    value["imposed"] = from_one(&assumption.imposed);
    value
}

fn status(status: Status) -> Value {
    match status {
        Status::Exact => json!({ "proved": "exact" }),
        Status::Enclosed { radius, residual, contraction } => {
            json!({ "proved": "enclosed", "radius": radius, "residual": residual, "contraction": contraction })
        }
        Status::Verified { decimals } => json!({ "proved": "nothing", "decimals": decimals }),
    }
}

/// What is proved, in words.
pub(crate) fn words(certificate: &Certificate) -> String {
    let order = certificate.order;
    match certificate.status {
        Status::Exact => format!("all conditions up to order {order} hold exactly"),
        Status::Enclosed { radius, .. } => {
            let conditions = certificate.conditions.len();
            let assumed = match certificate.assumptions.len() {
                0 => String::new(),
                1 => " and 1 simplifying assumption".to_owned(),
                more => format!(" and {more} simplifying assumptions"),
            };
            // Wishes for the slow polynomial or the structure are no part of the proof.
            let what = if certificate.polynomial.is_empty() { "" } else { " and the fast polynomial" };
            format!(
                "a true solution of all order conditions{what} lies within {}; the conditions follow from \
                 {conditions}{assumed}",
                bound_text(radius, 1)
            )
        }
        Status::Verified { decimals } => format!("verified to {decimals} decimals, not proved"),
    }
}

/// Reads a certificate.
pub(crate) fn read(file: &Path) -> Result<Certificate, Failure> {
    let broken = |problem: &str| Failure::Certificate { file: file.to_owned(), problem: problem.to_owned() };
    let unreadable = |error: std::io::Error| broken(&error.kind().to_string());
    if std::fs::metadata(file).map_err(unreadable)?.len() > LARGEST_FILE {
        return Err(broken("the file is larger than 4 MB"));
    }
    let text = std::fs::read_to_string(file).map_err(unreadable)?;
    let value: Value = serde_json::from_str(&text).map_err(|error| broken(&error.to_string()))?;
    if value["format"] != FORMAT {
        return Err(broken(&other_format(&value["format"])));
    }
    parse(&value).map_err(|place| broken(&format!("`{place}` is not what a certificate has there")))
}

/// What a file is that is no certificate of a design.
fn other_format(found: &Value) -> String {
    let expected = format!("expected a certificate of a designed pair, {FORMAT:?}");
    match found.as_str() {
        Some("hemiola-polynomial-certificate/1") => {
            format!(
                "this is the certificate of a stability polynomial; {expected} (`scripts/check-certificate` checks both)"
            )
        }
        Some("hemiola-certificate/1") => format!(
            "the format hemiola-certificate/1 stood for two kinds of files; {expected}: `hemiola design` writes it again"
        ),
        Some(other) => format!("found the format {:?}; {expected}", other.chars().take(60).collect::<String>()),
        None => format!("no format is stated; {expected}"),
    }
}

/// The certificate, or the field at fault.
fn parse(value: &Value) -> Result<Certificate, &'static str> {
    let list = |field: &'static str| value[field].as_array().ok_or(field);
    let term = |term: &Value| {
        let beta = parse_number(term[1].as_str()?).ok()?;
        Some((usize::try_from(term[0].as_u64()?).ok()?, beta.as_rational()?.clone()))
    };
    Ok(Certificate {
        method: value["method"].as_str().ok_or("method")?.to_owned(),
        order: value["order"].as_u64().and_then(|order| usize::try_from(order).ok()).ok_or("order")?,
        status: parsed_status(&value["status"]).ok_or("status")?,
        assumptions: list("assumptions")?.iter().map(parsed_assumption).collect::<Option<_>>().ok_or("assumptions")?,
        conditions: list("conditions")?.iter().map(tree).collect::<Option<_>>().ok_or("conditions")?,
        polynomial: list("polynomial")?.iter().map(term).collect::<Option<_>>().ok_or("polynomial")?,
    })
}

fn parsed_status(value: &Value) -> Option<Status> {
    let number = |field: &str| value[field].as_f64();
    match value["proved"].as_str()? {
        "exact" => Some(Status::Exact),
        "enclosed" => Some(Status::Enclosed {
            radius: number("radius")?,
            residual: number("residual")?,
            contraction: number("contraction")?,
        }),
        "nothing" => Some(Status::Verified { decimals: u32::try_from(value["decimals"].as_u64()?).ok()? }),
        _ => None,
    }
}

fn parsed_assumption(value: &Value) -> Option<Assumption> {
    let label = |field: &str| LABELS.iter().position(|label| value[field] == *label);
    let tree = |field: &str| tree(&value[field]);
    let vector = match value["vector"].as_str()? {
        "stages" => Vector::Stages { left: tree("left")?, right: tree("right")? },
        "proportional" => Vector::Proportional {
            left: tree("left")?,
            right: tree("right")?,
            base: tree("base")?,
            pivot: stage(&value["pivot"])?,
        },
        "weights" => Vector::Weights { b: label("b")?, a: label("a")? },
        "matrices" => Vector::Matrices { b: label("b")? },
        "shared weights" => Vector::SharedWeights,
        "zero weights" => Vector::ZeroWeights { b: label("b")? },
        _ => return None,
    };
    let stages = |field: &str| value[field].as_array()?.iter().map(stage).collect::<Option<_>>();
    Some(Assumption { vector, stages: stages("stages")?, imposed: stages("imposed")? })
}

/// A stage, which files count from one.
fn stage(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()?.checked_sub(1)
}

fn tree(value: &Value) -> Option<Tree> {
    Tree::parse(value.as_str()?, &LABELS).ok()
}
