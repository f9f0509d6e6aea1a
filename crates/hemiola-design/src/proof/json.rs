//! Certificates as JSON, `hemiola-design-certificate/1`: docs/design-certificate.schema.json is the schema.

use hemiola_number::parse_number;
use hemiola_order::Tree;
use serde_json::{Value, json};
use thiserror::Error;

use super::assumption::{Assumption, Vector};
use super::certificate::{Certificate, Status};

/// The labels of the colors in trees.
const LABELS: [&str; 2] = ["s", "f"];
/// The format's name in the file. Stability polynomials have certificates of another kind.
const FORMAT: &str = "hemiola-design-certificate/1";

/// Why a text is not a certificate of a designed pair.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// The text is not JSON.
    #[error("{0}")]
    Json(String),
    /// It is JSON of another format, or of none.
    #[error("{}", other_format(.found.as_deref()))]
    Format {
        /// The format that it states.
        found: Option<String>,
    },
    /// A field is missing or holds something else.
    #[error("the field `{field}` is missing or not as the schema requires")]
    Field {
        /// The field.
        field: &'static str,
    },
}

impl Certificate {
    /// The certificate as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let polynomial = self.polynomial.iter().map(|(power, beta)| json!([power, beta.to_string()]));
        json!({
            "format": FORMAT,
            "method": self.method,
            "order": self.order,
            "status": status(self.status),
            "assumptions": self.assumptions.iter().map(assumption).collect::<Vec<_>>(),
            "conditions": self.conditions.iter().map(|tree| tree.text(&LABELS)).collect::<Vec<_>>(),
            "polynomial": polynomial.collect::<Vec<_>>(),
        })
    }

    /// Reads a certificate.
    ///
    /// ```
    /// use hemiola_design::{Certificate, CertificateError};
    /// let other = r#"{"format": "hemiola-polynomial-certificate/1"}"#;
    /// let error = Certificate::from_json(other).unwrap_err();
    /// assert!(error.to_string().starts_with("found the certificate of a stability polynomial"));
    /// ```
    ///
    /// # Errors
    /// [`CertificateError`] with the format or the field at fault.
    pub fn from_json(text: &str) -> Result<Self, CertificateError> {
        let value: Value = serde_json::from_str(text).map_err(|error| CertificateError::Json(error.to_string()))?;
        if value["format"] != FORMAT {
            return Err(CertificateError::Format { found: value["format"].as_str().map(str::to_owned) });
        }
        parse(&value).map_err(|field| CertificateError::Field { field })
    }
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

/// The message for a file that is not a certificate of a design.
fn other_format(found: Option<&str>) -> String {
    let expected = format!("expected a certificate of a designed pair, {FORMAT:?}");
    match found {
        Some("hemiola-polynomial-certificate/1") => {
            format!(
                "found the certificate of a stability polynomial; {expected} (`scripts/check-certificate` checks both)"
            )
        }
        Some("hemiola-certificate/1") => format!(
            "found the obsolete format hemiola-certificate/1, which meant two kinds of files; {expected}, which `hemiola design` writes"
        ),
        Some(other) => format!("found the format {:?}; {expected}", other.chars().take(60).collect::<String>()),
        None => format!("found no format; {expected}"),
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
