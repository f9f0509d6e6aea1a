//! Certificates as JSON, `hemiola-implicit-certificate/1`; the schema is docs/implicit-certificate.schema.json.

use hemiola_order::{NodeKind, Tree};
use hemiola_tableau::{Exact, MethodError};
use serde_json::{Value, json};

use super::equation::CertifiedEquation;
use super::statement::{ImplicitCertificate, SOLUTION_DECIMALS};
use crate::pair::decimals::decimal;
use crate::pair::place::CoefficientIndex;
use crate::polish::assumption::AssumptionVector;
use crate::polish::equation::PolishEquation;

/// The name of the format.
const FORMAT: &str = "hemiola-implicit-certificate/1";
/// Labels of the first and the second partition.
const LABELS: [&str; 2] = ["s", "f"];

impl ImplicitCertificate {
    /// Returns the certificate as JSON.
    ///
    /// # Errors
    /// Returns a [`MethodError`] if the solution cannot be written with decimals.
    pub fn to_json(&self) -> Result<Value, MethodError> {
        let solution = self.solution.iter().map(|x| {
            let text = decimal(&Exact::from(x.clone()), SOLUTION_DECIMALS)?;
            Ok(text.text().to_owned())
        });
        let places = |places: &Vec<CoefficientIndex>| places.iter().map(|place| self.place(*place)).collect::<Vec<_>>();
        let mut value = json!({
            "format": FORMAT,
            "method": self.method,
            "table": self.table,
            "order": self.order,
            "stage_order": self.stage_order,
            "unknowns": self.unknowns.iter().map(places).collect::<Vec<_>>(),
            "equations": self.equations.iter().map(|equation| self.equation(equation)).collect::<Vec<_>>(),
            "radius": self.radius,
            "residual": self.residual,
            "contraction": self.contraction,
            "solution": solution.collect::<Result<Vec<_>, MethodError>>()?,
        });
        if let Some(order) = self.embedded_order {
            value["embedded_order"] = json!(order);
        }
        Ok(value)
    }

    /// Returns the label of a partition; for a set of embedded weights, that of the partition they belong to.
    fn label(&self, partition: usize) -> &'static str {
        LABELS[(partition % self.partitions).min(LABELS.len() - 1)]
    }

    /// Returns the text of a position, for example `s.a[3][2]`.
    fn place(&self, place: CoefficientIndex) -> String {
        let CoefficientIndex { partition, row, column } = place;
        let (label, row, column) = (self.label(partition), row + 1, column + 1);
        match (partition < self.partitions, row > self.stages) {
            (false, _) => format!("{label}.b_hat[{column}]"),
            (true, true) => format!("{label}.b[{column}]"),
            (true, false) => format!("{label}.a[{row}][{column}]"),
        }
    }

    fn equation(&self, equation: &CertifiedEquation) -> Value {
        let at = |kind: &str, partition: usize| json!({ "kind": kind, "partition": self.label(partition) });
        let stage = |kind: &str, partition: usize, stage: usize| {
            let mut value = at(kind, partition);
            value["stage"] = json!(stage + 1);
            value
        };
        match equation {
            CertifiedEquation::EmbeddedLimit { partition, .. } => at("embedded limit", *partition),
            CertifiedEquation::Designed(PolishEquation::RowSum { partition, row, .. }) => {
                stage("row sum", *partition, *row)
            }
            CertifiedEquation::Designed(PolishEquation::SharedSum { partition, row }) => {
                stage("shared abscissa", *partition, *row)
            }
            CertifiedEquation::Designed(PolishEquation::Assumed(component)) => {
                let partition = match &component.vector {
                    AssumptionVector::Stages { left, .. } => root(left),
                    AssumptionVector::Weights { b, .. } => *b,
                };
                stage("stage order two", partition, component.stage)
            }
            CertifiedEquation::Designed(PolishEquation::Damped(matrix)) => match matrix.weights {
                None => at("limit", matrix.partition),
                Some(weights) if weights < self.partitions => stage("bounded", matrix.partition, matrix.row),
                Some(_) => at("embedded bounded", matrix.partition),
            },
            CertifiedEquation::Designed(PolishEquation::Order(tree)) => {
                let kind = if root(tree) < self.partitions { "condition" } else { "embedded condition" };
                let color = NodeKind::Partition(root(tree) % self.partitions);
                json!({ "kind": kind, "tree": Tree::new(color, tree.children().to_vec()).text(&LABELS) })
            }
        }
    }
}

fn root(tree: &Tree) -> usize {
    match tree.kind() {
        NodeKind::Partition(color) => color,
        NodeKind::Time(_) => 0,
    }
}
