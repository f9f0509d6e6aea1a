//! Certificates as JSON, `hemiola-multirate-certificate/1`; the schema is docs/multirate-certificate.schema.json.

use dashu::rational::RBig;
use hemiola_multirate::SimplifyingAssumption;
use hemiola_order::Tree;
use hemiola_tableau::{Exact, MethodError};
use serde::Deserialize;
use serde_json::{Value, json};

use super::statement::{MriCertificate, SOLUTION_DECIMALS};
use crate::mri::specification::SlowStability;
use crate::pair::decimals::decimal;
use crate::proof::CertificateError;
use crate::proof::certificate::numbers::plain_number;

/// The name of the format.
const FORMAT: &str = "hemiola-multirate-certificate/1";
/// Labels of the colors in trees: the fast partition, the slow partition, and a second, implicit slow partition.
const LABELS: [&str; 3] = ["f", "s", "i"];
/// Length limit of numbers; designs do not write longer decimals.
const LONGEST_NUMBER: usize = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    format: String,
    method: String,
    table: String,
    order: usize,
    embedded_order: Option<usize>,
    stability: Option<String>,
    assumption: Option<String>,
    conditions: Vec<String>,
    #[serde(default)]
    embedded_conditions: Vec<String>,
    solution: Vec<String>,
    radius: f64,
    residual: f64,
    contraction: f64,
}

impl MriCertificate {
    /// Returns the certificate as JSON.
    ///
    /// # Errors
    /// Returns a [`MethodError`] if the solution cannot be written with decimals.
    pub fn to_json(&self) -> Result<Value, MethodError> {
        let solution = self.solution.iter().map(|x| {
            let text = decimal(&Exact::from(x.clone()), SOLUTION_DECIMALS)?;
            Ok(text.text().to_owned())
        });
        let texts = |trees: &[Tree]| trees.iter().map(|tree| tree.text(&LABELS)).collect::<Vec<String>>();
        let mut value = json!({
            "format": FORMAT,
            "method": self.method,
            "table": self.table,
            "order": self.order,
            "conditions": texts(&self.conditions),
            "radius": self.radius,
            "residual": self.residual,
            "contraction": self.contraction,
            "solution": solution.collect::<Result<Vec<_>, MethodError>>()?,
        });
        if let Some(order) = self.embedded_order {
            value["embedded_order"] = json!(order);
        }
        if !self.embedded_conditions.is_empty() {
            value["embedded_conditions"] = json!(texts(&self.embedded_conditions));
        }
        if self.stability != SlowStability::Any {
            value["stability"] = json!(self.stability.name());
        }
        if let Some(assumption) = self.assumption {
            value["assumption"] = json!(assumption.name());
        }
        Ok(value)
    }

    /// Reads a certificate. Unknown fields are errors.
    ///
    /// ```
    /// use hemiola_design::MriCertificate;
    /// let error = MriCertificate::from_json("{}").unwrap_err().to_string();
    /// assert!(error.contains("missing field `format`"));
    /// ```
    ///
    /// # Errors
    /// Returns a [`CertificateError`] with the invalid format or field.
    pub fn from_json(text: &str) -> Result<Self, CertificateError> {
        let text: Text = serde_json::from_str(text).map_err(|error| CertificateError::Json(error.to_string()))?;
        if text.format != FORMAT {
            return Err(CertificateError::Format { found: Some(text.format) });
        }
        let trees = |field: &'static str, texts: &[String]| {
            let tree = |text: &String| Tree::parse(text, &LABELS).map_err(|_| missing(field));
            texts.iter().map(tree).collect::<Result<Vec<Tree>, CertificateError>>()
        };
        let number = |text: &String| -> Result<RBig, CertificateError> {
            let value = (text.len() <= LONGEST_NUMBER).then(|| plain_number(text, true)).flatten();
            value.ok_or(missing("solution"))
        };
        let named = |name: String| {
            let mut all = SimplifyingAssumption::ALL.into_iter();
            all.find(|assumption| assumption.name() == name).ok_or(missing("assumption"))
        };
        let class = |name: String| {
            let mut all = SlowStability::ALL.into_iter().filter(|class| *class != SlowStability::Any);
            all.find(|class| class.name() == name).ok_or(missing("stability"))
        };
        Ok(Self {
            method: text.method,
            table: text.table,
            order: text.order,
            embedded_order: text.embedded_order,
            stability: text.stability.map_or(Ok(SlowStability::Any), class)?,
            assumption: text.assumption.map(named).transpose()?,
            conditions: trees("conditions", &text.conditions)?,
            embedded_conditions: trees("embedded_conditions", &text.embedded_conditions)?,
            solution: text.solution.iter().map(number).collect::<Result<_, _>>()?,
            radius: text.radius,
            residual: text.residual,
            contraction: text.contraction,
        })
    }
}

fn missing(field: &'static str) -> CertificateError {
    CertificateError::Field { field }
}
