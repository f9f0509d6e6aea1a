//! Certificates as JSON, `hemiola-design-certificate/2`; the schema is docs/design-certificate.schema.json.

use dashu::integer::IBig;
use dashu::rational::RBig;
use hemiola_order::Tree;
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::proof::assumption::{Assumption, Vector};
use crate::proof::certificate::numbers::plain_number;
use crate::proof::certificate::statement::{Certificate, ProofStatus};
use crate::proof::further_weights::{FurtherProof, FurtherWeights};
use crate::proof::solution::SolutionOffsets;

/// Labels of the colors in trees.
const LABELS: [&str; 2] = ["s", "f"];
/// The name of the format in the file. Certificates of stability polynomials have another format.
const FORMAT: &str = "hemiola-design-certificate/2";
/// The previous format, which did not name the table.
const WITHOUT_TABLE: &str = "hemiola-design-certificate/1";
/// Length limit of integers; corrections of decimals are shorter.
const LONGEST_NUMBER: usize = 2000;

/// A reason why a text is not a certificate of a designed pair.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// The text is not JSON.
    #[error("{0}")]
    Json(String),
    /// The text is JSON of another format, or names no format.
    #[error("{}", other_format(.found.as_deref()))]
    Format {
        /// The format that it states.
        found: Option<String>,
    },
    /// A field is missing or invalid.
    #[error("the field `{field}` is missing or violates the schema")]
    Field {
        /// The field.
        field: &'static str,
    },
    /// The format has no such field.
    #[error("found the unknown field `{field}`")]
    Unknown {
        /// The field.
        field: String,
    },
}

/// The claims of a certificate without its proof, which suffice to prove it again.
#[derive(Clone, Debug, PartialEq)]
pub struct CertificateClaims {
    /// The order p.
    pub order: usize,
    /// Powers of z beyond the order with the prescribed coefficients of the fast partition's polynomial.
    pub polynomial: Vec<(usize, RBig)>,
}

impl CertificateClaims {
    /// Reads the claims of a certificate of the current or the previous format.
    ///
    /// ```
    /// use hemiola_design::{Certificate, proof::CertificateClaims};
    /// let old = r#"{"format": "hemiola-design-certificate/1", "order": 2, "polynomial": [[3, "3/16"]]}"#;
    /// assert!(Certificate::from_json(old).unwrap_err().to_string().contains("does not name its table"));
    /// assert_eq!(CertificateClaims::from_json(old).unwrap().polynomial[0].1.to_string(), "3/16");
    /// ```
    ///
    /// # Errors
    /// Returns a [`CertificateError`] with the invalid format or field.
    pub fn from_json(text: &str) -> Result<Self, CertificateError> {
        let fields = fields(text, &[FORMAT, WITHOUT_TABLE])?;
        Ok(Self { order: order(fields.get("order"))?, polynomial: polynomial(fields.get("polynomial"))? })
    }
}

impl Certificate {
    /// Returns the certificate as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let polynomial = self.polynomial.iter().map(|(power, beta)| json!([power, beta.to_string()]));
        let mut value = json!({
            "format": FORMAT,
            "method": self.method,
            "table": self.table,
            "order": self.order,
            "status": status(self.status),
            "assumptions": self.assumptions.iter().map(assumption).collect::<Vec<_>>(),
            "conditions": texts(&self.conditions),
            "polynomial": polynomial.collect::<Vec<_>>(),
        });
        let further = [("embedded", &self.embedded), ("dense", &self.dense)];
        for (name, further) in further.into_iter().filter_map(|(name, further)| Some((name, further.as_ref()?))) {
            value[name] = further_weights(further);
        }
        if matches!(self.status, ProofStatus::Enclosed { .. }) {
            let SolutionOffsets { decimals, further } = &self.solution;
            let further: Vec<String> = further.iter().map(ToString::to_string).collect();
            value["solution"] = json!({ "decimals": decimals, "further": further });
        }
        value
    }

    /// Reads a certificate. Unknown fields are errors.
    ///
    /// ```
    /// use hemiola_design::{Certificate, CertificateError};
    /// let other = r#"{"format": "hemiola-polynomial-certificate/2"}"#;
    /// let error = Certificate::from_json(other).unwrap_err();
    /// assert!(error.to_string().starts_with("found the certificate of a stability polynomial"));
    /// ```
    ///
    /// # Errors
    /// Returns a [`CertificateError`] with the invalid format or field.
    pub fn from_json(text: &str) -> Result<Self, CertificateError> {
        let value = fields(text, &[FORMAT])?;
        let all = [
            "format",
            "method",
            "table",
            "order",
            "status",
            "assumptions",
            "conditions",
            "polynomial",
            "embedded",
            "dense",
            "solution",
        ];
        only(&value, &all)?;
        let text =
            |field: &'static str| value.get(field).and_then(Value::as_str).map(str::to_owned).ok_or(missing(field));
        let further = |field| value.get(field).map(|value| parsed_further(value, field)).transpose();
        Ok(Self {
            method: text("method")?,
            table: text("table")?,
            order: order(value.get("order"))?,
            assumptions: list(value.get("assumptions"), "assumptions")?
                .iter()
                .map(parsed_assumption)
                .collect::<Result<_, _>>()?,
            conditions: parsed_trees(value.get("conditions"), "conditions")?,
            polynomial: polynomial(value.get("polynomial"))?,
            embedded: further("embedded")?,
            dense: further("dense")?,
            solution: value.get("solution").map(parsed_solution).transpose()?.unwrap_or_default(),
            status: parsed_status(value.get("status"))?,
        })
    }
}

fn texts(trees: &[Tree]) -> Vec<String> {
    trees.iter().map(|tree| tree.text(&LABELS)).collect()
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
        Vector::WeightedColumns { b, a } => {
            json!({ "vector": "weighted columns", "b": LABELS.get(*b), "a": LABELS.get(*a) })
        }
    };
    let from_one = |stages: &[usize]| json!(stages.iter().map(|stage| stage + 1).collect::<Vec<_>>());
    value["stages"] = from_one(&assumption.stages);
    value["imposed"] = from_one(&assumption.imposed);
    value
}

fn status(status: ProofStatus) -> Value {
    match status {
        ProofStatus::Exact => json!({ "proved": "exact" }),
        ProofStatus::Enclosed { radius, residual, contraction } => {
            json!({ "proved": "enclosed", "radius": radius, "residual": residual, "contraction": contraction })
        }
        ProofStatus::Verified { decimals } => json!({ "proved": "nothing", "decimals": decimals }),
    }
}

fn further_weights(FurtherWeights { order, proof }: &FurtherWeights) -> Value {
    match proof {
        FurtherProof::WithPair(conditions) => {
            let conditions: Vec<Vec<String>> = conditions.iter().map(|trees| texts(trees)).collect();
            json!({ "order": order, "proved": "with the pair", "conditions": conditions })
        }
        FurtherProof::Verified { decimals } => json!({ "order": order, "proved": "nothing", "decimals": decimals }),
    }
}

/// Returns the message for a file that is not a certificate of a design.
fn other_format(found: Option<&str>) -> String {
    let expected = format!("expected a certificate of a designed pair, {FORMAT:?}");
    match found {
        Some(WITHOUT_TABLE) => format!(
            "found {WITHOUT_TABLE}, which does not name its table; expected {FORMAT:?}: `hemiola check METHOD \
             --certificate FILE --renew` repeats the proof"
        ),
        Some("hemiola-polynomial-certificate/1" | "hemiola-polynomial-certificate/2") => {
            format!(
                "found the certificate of a stability polynomial; {expected} (`scripts/check-certificate` checks both)"
            )
        }
        Some(found @ "hemiola-implicit-certificate/1") => format!(
            "found {found}, the certificate of an implicit design; {expected} (`scripts/check-certificate FILE` checks both)"
        ),
        Some("hemiola-certificate/1") => format!(
            "found the obsolete format hemiola-certificate/1, which was used for two kinds of files; {expected}, as \
             `hemiola design` writes it"
        ),
        Some(other) => format!("found the format {:?}; {expected}", other.chars().take(60).collect::<String>()),
        None => format!("found no format; {expected}"),
    }
}

/// Parses the fields of a file whose format is one of `formats`.
fn fields(text: &str, formats: &[&str]) -> Result<Map<String, Value>, CertificateError> {
    let value: Value = serde_json::from_str(text).map_err(|error| CertificateError::Json(error.to_string()))?;
    let found = value.get("format").and_then(Value::as_str);
    match &value {
        Value::Object(fields) if found.is_some_and(|found| formats.contains(&found)) => Ok(fields.clone()),
        _ => Err(CertificateError::Format { found: found.map(str::to_owned) }),
    }
}

fn missing(field: &'static str) -> CertificateError {
    CertificateError::Field { field }
}

/// Returns an error if there are fields that are not in the list.
fn only(fields: &Map<String, Value>, allowed: &[&str]) -> Result<(), CertificateError> {
    let unknown = fields.keys().find(|field| !allowed.contains(&field.as_str()));
    unknown.map_or(Ok(()), |field| Err(CertificateError::Unknown { field: field.chars().take(60).collect() }))
}

fn object<'a>(
    value: Option<&'a Value>,
    field: &'static str,
    allowed: &[&str],
) -> Result<&'a Map<String, Value>, CertificateError> {
    let fields = value.and_then(Value::as_object).ok_or(missing(field))?;
    only(fields, allowed)?;
    Ok(fields)
}

fn list<'a>(value: Option<&'a Value>, field: &'static str) -> Result<&'a [Value], CertificateError> {
    value.and_then(Value::as_array).map(Vec::as_slice).ok_or(missing(field))
}

fn whole(value: Option<&Value>) -> Option<usize> {
    value.and_then(Value::as_u64).and_then(|value| usize::try_from(value).ok())
}

fn order(value: Option<&Value>) -> Result<usize, CertificateError> {
    whole(value).ok_or(missing("order"))
}

fn polynomial(value: Option<&Value>) -> Result<Vec<(usize, RBig)>, CertificateError> {
    let term = |term: &Value| {
        let [power, beta] = term.as_array()?.as_slice() else { return None };
        Some((whole(Some(power))?, plain_number(beta.as_str()?, false)?))
    };
    list(value, "polynomial")?.iter().map(term).collect::<Option<_>>().ok_or(missing("polynomial"))
}

fn parsed_status(value: Option<&Value>) -> Result<ProofStatus, CertificateError> {
    let field = "status";
    let proved = value.and_then(|value| value.get("proved")).and_then(Value::as_str).ok_or(missing(field))?;
    let number =
        |fields: &Map<String, Value>, name: &str| fields.get(name).and_then(Value::as_f64).ok_or(missing(field));
    match proved {
        "exact" => object(value, field, &["proved"]).map(|_| ProofStatus::Exact),
        "enclosed" => {
            let fields = object(value, field, &["proved", "radius", "residual", "contraction"])?;
            let [radius, residual, contraction] =
                ["radius", "residual", "contraction"].map(|name| number(fields, name));
            Ok(ProofStatus::Enclosed { radius: radius?, residual: residual?, contraction: contraction? })
        }
        "nothing" => {
            Ok(ProofStatus::Verified { decimals: decimals(object(value, field, &["proved", "decimals"])?, field)? })
        }
        _ => Err(missing(field)),
    }
}

fn decimals(fields: &Map<String, Value>, field: &'static str) -> Result<u32, CertificateError> {
    whole(fields.get("decimals")).and_then(|decimals| u32::try_from(decimals).ok()).ok_or(missing(field))
}

fn parsed_further(value: &Value, field: &'static str) -> Result<FurtherWeights, CertificateError> {
    let fields = object(Some(value), field, &["order", "proved", "conditions", "decimals"])?;
    let (of_proof, proof) = match fields.get("proved").and_then(Value::as_str) {
        Some("with the pair") => {
            let lists = list(fields.get("conditions"), field)?.iter();
            let conditions = lists.map(|trees| parsed_trees(Some(trees), field)).collect::<Result<_, _>>()?;
            ("conditions", FurtherProof::WithPair(conditions))
        }
        Some("nothing") => ("decimals", FurtherProof::Verified { decimals: decimals(fields, field)? }),
        _ => return Err(missing(field)),
    };
    only(fields, &["order", "proved", of_proof])?;
    Ok(FurtherWeights { order: whole(fields.get("order")).ok_or(missing(field))?, proof })
}

fn parsed_solution(value: &Value) -> Result<SolutionOffsets, CertificateError> {
    let field = "solution";
    let fields = object(Some(value), field, &["decimals", "further"])?;
    let integer = |value: &Value| {
        let text = value.as_str().filter(|text| text.len() <= LONGEST_NUMBER)?;
        let is_plain = text.strip_prefix('-').unwrap_or(text).bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<IBig>().ok().filter(|_| is_plain)
    };
    let further =
        list(fields.get("further"), field)?.iter().map(integer).collect::<Option<_>>().ok_or(missing(field))?;
    Ok(SolutionOffsets { decimals: decimals(fields, field)? as usize, further })
}

fn parsed_assumption(value: &Value) -> Result<Assumption, CertificateError> {
    let field = "assumptions";
    let label = |name: &str| LABELS.iter().position(|label| value[name] == *label).ok_or(missing(field));
    let tree = |name: &str| tree(&value[name]).ok_or(missing(field));
    let (names, vector): (&[&str], Vector) = match value["vector"].as_str() {
        Some("stages") => (&["left", "right"], Vector::Stages { left: tree("left")?, right: tree("right")? }),
        Some("proportional") => {
            let pivot = stage(&value["pivot"]).ok_or(missing(field))?;
            let vector =
                Vector::Proportional { left: tree("left")?, right: tree("right")?, base: tree("base")?, pivot };
            (&["left", "right", "base", "pivot"], vector)
        }
        Some("weights") => (&["b", "a"], Vector::Weights { b: label("b")?, a: label("a")? }),
        Some("matrices") => (&["b"], Vector::Matrices { b: label("b")? }),
        Some("shared weights") => (&[], Vector::SharedWeights),
        Some("zero weights") => (&["b"], Vector::ZeroWeights { b: label("b")? }),
        Some("weighted columns") => (&["b", "a"], Vector::WeightedColumns { b: label("b")?, a: label("a")? }),
        _ => return Err(missing(field)),
    };
    object(Some(value), field, &[names, &["vector", "stages", "imposed"]].concat())?;
    let stages = |name: &str| {
        let stages = list(value.get(name), field)?.iter().map(stage).collect::<Option<_>>();
        stages.ok_or(missing(field))
    };
    Ok(Assumption { vector, stages: stages("stages")?, imposed: stages("imposed")? })
}

/// Parses a stage, which files count from one.
fn stage(value: &Value) -> Option<usize> {
    whole(Some(value))?.checked_sub(1)
}

fn parsed_trees(value: Option<&Value>, field: &'static str) -> Result<Vec<Tree>, CertificateError> {
    list(value, field)?.iter().map(tree).collect::<Option<_>>().ok_or(missing(field))
}

fn tree(value: &Value) -> Option<Tree> {
    Tree::parse(value.as_str()?, &LABELS).ok()
}
