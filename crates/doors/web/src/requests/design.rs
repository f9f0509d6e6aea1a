//! Design of small dual-rate pairs in the page: `hemiola design`.

use hemiola_atlas::wording;
use hemiola_design::findings::limits;
use hemiola_design::{DEFAULT_BAND, DesignFile, Equation, Residual, Specification, Stability, design, residuals};
use hemiola_export::describe;
use hemiola_number::Progress;
use hemiola_polynomial::Axis;
use serde::{Deserialize, Serialize};

use crate::wording::{Fact, message};

/// Labels of the partitions in trees.
const LABELS: [&str; 2] = ["s", "f"];

#[derive(Deserialize)]
pub(crate) struct DesignQuestion {
    slow: usize,
    fast: usize,
    order: Option<usize>,
    axis: Option<String>,
    damping: Option<f64>,
    seed: Option<u64>,
    starts: Option<usize>,
    #[serde(default)]
    shared_abscissae: bool,
    #[serde(default)]
    shared_weights: bool,
    #[serde(default)]
    non_negative_weights: bool,
}

#[derive(Serialize)]
pub(crate) struct DesignAnswer {
    id: String,
    name: String,
    facts: Vec<Fact>,
    /// Order, condition, kind, expected value, residual.
    conditions: Vec<[String; 5]>,
    /// Files of the method, its design and its certificate.
    json: String,
    design: String,
    certificate: String,
}

impl DesignQuestion {
    pub(crate) fn answer(&self, progress: &dyn Progress) -> Result<DesignAnswer, String> {
        let file = DesignFile::new(self.specification()?);
        let mut found = design(&file.specification, progress).map_err(message)?;
        file.sign(&mut found).map_err(message)?;
        let conditions = residuals(&file.specification, &found.method).map_err(message)?;
        let [slow, fast] = [0, 1].map(|partition| limits(&found.method, partition));
        let stages: Vec<String> = found.slow_stages.iter().map(|stage| (stage + 1).to_string()).collect();
        let converged = if found.converged { "" } else { " (the descent had not converged)" };
        let facts = vec![
            Fact::new("fast limit", both(fast.map_err(message)?)),
            Fact::new("slow limit", both(slow.map_err(message)?)),
            Fact::new("slow stages", stages.join(", ")),
            Fact::new("principal error norm", format!("{}{converged}", describe::number(found.error_norm))),
            Fact::new("largest coefficient", describe::number(found.largest_coefficient)),
            Fact::new("certificate", wording::certificate(&found.certificate)),
            Fact::new("seed", file.specification.seed.to_string()),
            Fact::new("starts", format!("{}, {} of them solved", file.specification.starts, found.solved)),
        ];
        Ok(DesignAnswer {
            id: found.method.id().to_owned(),
            name: found.method.name().to_owned(),
            facts,
            conditions: conditions.iter().map(row).collect(),
            json: found.method.to_json(),
            design: file.to_json(),
            certificate: format!("{:#}\n", found.certificate.to_json()),
        })
    }

    fn specification(&self) -> Result<Specification, String> {
        let mut specification = Specification::new(self.slow, self.fast, self.order).map_err(message)?;
        if self.axis.is_some() || self.damping.is_some() {
            let axis = match self.axis.as_deref() {
                None | Some("imaginary") => Axis::Imaginary,
                Some("real") => Axis::Real,
                Some(other) => return Err(format!("found {other:?}; expected the imaginary or the real axis")),
            };
            specification.stability[1] =
                Stability::Optimal { axis, damping: self.damping.unwrap_or(0.0), band: DEFAULT_BAND };
        }
        specification.stability[0] = Stability::Auto;
        specification.structure.shared_abscissae = self.shared_abscissae;
        specification.structure.shared_weights = self.shared_weights;
        specification.structure.non_negative_weights = self.non_negative_weights;
        specification.objective.internal = None;
        specification.seed = self.seed.unwrap_or(specification.seed);
        specification.starts = self.starts.unwrap_or(specification.starts);
        specification.validate().map_err(message)?;
        Ok(specification)
    }
}

fn both([imaginary, real]: [f64; 2]) -> String {
    let [imaginary, real] = [imaginary, real].map(describe::number);
    format!("{imaginary} on the imaginary axis, {real} on the negative real axis")
}

fn row(residual: &Residual) -> [String; 5] {
    let (name, kind, order) = match &residual.equation {
        Equation::Order(tree) => (tree.text(&LABELS), "order", tree.order()),
        Equation::Coupling(tree) => (tree.text(&LABELS), "coupling", tree.order()),
        Equation::Polynomial(partition, power) => {
            (format!("β{power} of the {} polynomial", ["slow", "fast"][*partition]), "stability", *power)
        }
    };
    let [expected, residual] = [describe::exact(&residual.expected), describe::residual(residual.residual)];
    [order.to_string(), name, kind.to_owned(), expected, residual]
}
