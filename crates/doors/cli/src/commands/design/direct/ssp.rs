//! Methods and pairs with large SSP coefficients: `hemiola design --ssp …`.

use std::path::PathBuf;

use clap::Args;
use dashu::rational::RBig;
use hemiola::atlas::wording;
use hemiola::design::{DesignError, ProofStatus, SspDesign, SspSpecification, design_ssp};
use hemiola::number::{Progress, bound_text};
use hemiola::stability::monotonicity::MonotonicityRadius;
use serde_json::{Value, json};

use crate::arguments::number;
use crate::commands::design::direct::SharedOptions;
use crate::commands::design::direct::files::MethodFiles;
use crate::commands::design::direct::job::DirectDesign;
use crate::failure::Failure;
use crate::output::text::{self, Column};

/// Options of an SSP design.
#[derive(Args)]
#[command(next_help_heading = "Strong stability preservation")]
pub(crate) struct SspArgs {
    /// Maximize the SSP coefficient, the radius of absolute monotonicity
    ///
    /// --stages gives a method with one partition, --slow and --fast a pair. The method file names the command that
    /// reproduces it.
    #[arg(long, group = "of_ssp", requires = "order", conflicts_with_all = [
        "files", "levels", "Polynomials", "Small", "Made", "dense", "largest", "first_same_as_last",
        "non_negative_weights", "abscissae_in_step", "increasing_abscissae", "fast_chain", "sparsity", "bounds", "set",
        "pareto", "tune", "resume", "part", "effort", "solver",
    ])]
    ssp: bool,

    /// Number of stages of a method with one partition, or of each partition of an IMEX method
    #[arg(long, value_name = "S", requires = "direct", conflicts_with_all = [
        "slow", "fast", "ratio", "by_parts", "slow_stages", "shared_abscissae", "shared_weights",
    ])]
    stages: Option<usize>,

    /// Ratio of the fast partition's radius to that of the slow one [default: that of the evaluations]
    #[arg(long, value_name = "M", requires = "of_ssp", value_parser = number::rational)]
    ratio: Option<RBig>,

    /// Maximize the SSP coefficient of each partition by itself
    ///
    /// Steps keep maximum norms and bounds of systems whose partitions are disjoint sets of variables. By default the
    /// pair is monotone in every norm for sums of a slow and a fast term.
    #[arg(long, requires = "of_ssp")]
    by_parts: bool,
}

impl SspArgs {
    pub(crate) fn is_asked_for(&self) -> bool {
        self.ssp
    }

    pub(crate) fn stages(&self) -> Option<usize> {
        self.stages
    }

    /// Returns the requested design, if any.
    pub(crate) fn specification(&self, shared: &SharedOptions<'_>) -> Result<Option<SspSpecification>, Failure> {
        let (true, Some(order)) = (self.ssp, shared.order) else { return Ok(None) };
        let pair = [shared.slow, shared.fast].map(Option::unwrap_or_default);
        let default = SspSpecification::new(self.stages.map_or_else(|| pair.to_vec(), |stages| vec![stages]), order);
        // Stage 0 does not exist; the validation names it.
        let from_zero = |stages: &[usize]| stages.iter().map(|stage| stage.wrapping_sub(1)).collect();
        let specification = SspSpecification {
            ratio: self.ratio.clone().unwrap_or_else(|| default.ratio.clone()),
            by_parts: self.by_parts,
            shared_weights: shared.shared_weights,
            shared_abscissae: shared.shared_abscissae,
            slow_stages: shared.slow_stages.map(from_zero),
            embedded: shared.embedded,
            seed: shared.seed.unwrap_or(default.seed),
            starts: shared.starts.unwrap_or(default.starts),
            ..default
        };
        specification.validate()?;
        Ok(Some(specification))
    }
}

impl DirectDesign for SspSpecification {
    type Found = SspDesign;
    const OPTION: &'static str = "--ssp";

    fn id(&self) -> String {
        self.default_id()
    }

    fn text(&self) -> String {
        self.command()
    }

    fn search(&self, id: &str, progress: &dyn Progress) -> Result<SspDesign, DesignError> {
        design_ssp(self, id, progress)
    }

    fn write(found: &SspDesign, files: &MethodFiles) -> Result<Vec<PathBuf>, Failure> {
        files.write(&found.method.to_json(), &found.method, &found.certificate)
    }

    fn page(&self, design: &SspDesign) -> String {
        let columns = ["Partition", "Evaluations", "C", "Bound", "C per evaluation"].map(|name| (name, Column::Right));
        let rows = design.evaluations.iter().enumerate().map(|(k, evaluations)| {
            let radius = &design.coefficients[k];
            let each = radius.value().map(|value| value / *evaluations as f64);
            vec![
                design.method.partitions()[k].name.clone(),
                evaluations.to_string(),
                shown(radius),
                shown(&design.bounds[k]),
                each.map_or_else(|| "unbounded".to_owned(), |each| text::rounded(each, 4)),
            ]
        });
        let mut facts = Vec::new();
        if design.evaluations != self.evaluations {
            let count = |counts: &[usize]| counts.iter().map(ToString::to_string).collect::<Vec<_>>().join("–");
            let (asked, found) = (count(&self.evaluations), count(&design.evaluations));
            facts.push(("asked for", format!("{asked}; the largest radius found needs only {found}")));
        }
        if let Some(diagonal) = &design.diagonal {
            facts.push(("diagonal of the region", shown(diagonal)));
        }
        if let Some(along) = &design.along_ratio {
            let ratio = text::number(self.ratio.to_f64().value());
            facts.push(("slow radius along the ratio", format!("{} at 1:{ratio}", shown(along))));
        }
        if let Some(embedded) = &design.embedded {
            let order = design.method.claims().embedded_order.filter(|_| embedded.is_found());
            facts.push(("embedded weights", order.map_or("none".to_owned(), |order| format!("order {order}"))));
        }
        facts.push(("order conditions", proof(design)));
        let head = format!("{}: {}\n\n", design.method.id(), design.method.name());
        head + &text::table(&columns, rows) + "\n" + &text::entries(&facts) + "\n"
    }

    fn to_json(&self, design: &SspDesign) -> Value {
        let parts: Vec<Value> = (0..design.coefficients.len())
            .map(|k| {
                json!({
                    "name": design.method.partitions()[k].name,
                    "evaluations": design.evaluations[k],
                    "ssp_coefficient": design.coefficients[k].value(),
                    "bound": design.bounds[k].value(),
                })
            })
            .collect();
        let radius = |radius: &Option<MonotonicityRadius>| radius.as_ref().and_then(MonotonicityRadius::value);
        json!({
            "id": design.method.id(),
            "order": self.order,
            "requested_evaluations": self.evaluations,
            "partitions": parts,
            "ratio": self.ratio.to_f64().value(),
            "diagonal": radius(&design.diagonal),
            "along_ratio": radius(&design.along_ratio),
            "embedded_order": design.method.claims().embedded_order,
            "proof": proof(design),
        })
    }
}

fn shown(radius: &MonotonicityRadius) -> String {
    radius.value().map_or_else(|| "unbounded".to_owned(), |value| text::rounded(value, 6))
}

/// Returns the wording of the proof of the order conditions.
fn proof(design: &SspDesign) -> String {
    match (design.certificate.status, design.proof) {
        (ProofStatus::Verified { .. }, ProofStatus::Enclosed { radius, .. }) => {
            format!(
                "an exact solution of all order conditions lies within {} (the certificate states residuals)",
                bound_text(radius, 1)
            )
        }
        _ => wording::certificate(&design.certificate),
    }
}
