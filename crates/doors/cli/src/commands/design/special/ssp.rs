//! Methods and pairs with large SSP coefficients: `hemiola design --ssp …`.

use std::path::{Path, PathBuf};

use clap::Args;
use dashu::rational::RBig;
use hemiola::atlas::wording;
use hemiola::design::{ProofStatus, SspDesign, SspSpecification, design_ssp};
use hemiola::number::{bound_text, parse_number};
use hemiola::plot::stability_figure;
use hemiola::stability::monotonicity::MonotonicityRadius;
use serde_json::{Value, json};

use crate::arguments::figure::FigureArgs;
use crate::arguments::number::NumberError;
use crate::commands::design::error::DesignInterrupted;
use crate::commands::design::special::method_file::MethodFile;
use crate::commands::design::special::shared::SharedOptions;
use crate::failure::Failure;
use crate::output::certificate::write_certificate;
use crate::output::interrupt::Interrupt;
use crate::output::progress::Monitor;
use crate::output::text::{self, Column};
use crate::output::writer::write;

/// Options of an SSP design.
#[derive(Args)]
#[command(next_help_heading = "Strong stability preservation")]
pub(crate) struct SspArgs {
    /// Maximize the SSP coefficient, the radius of absolute monotonicity
    ///
    /// --stages gives a method with one partition, --slow and --fast a pair. The method file names the command that
    /// reproduces it.
    #[arg(long, group = "single", requires = "order", conflicts_with_all = [
        "files", "levels", "Polynomials", "Small", "Made", "dense", "largest", "first_same_as_last",
        "non_negative_weights", "abscissae_in_step", "increasing_abscissae", "fast_chain", "sparsity", "bounds", "set",
        "pareto", "tune", "resume", "part", "effort",
    ])]
    ssp: bool,

    /// Number of stages of a method with one partition
    #[arg(long, value_name = "S", requires = "single", conflicts_with_all = [
        "slow", "fast", "ratio", "by_parts", "slow_stages", "shared_abscissae", "shared_weights",
    ])]
    pub(crate) stages: Option<usize>,

    /// Ratio of the fast partition's radius to that of the slow one [default: that of the evaluations]
    #[arg(long, value_name = "M", requires = "ssp", value_parser = ratio)]
    ratio: Option<RBig>,

    /// Maximize the SSP coefficient of each partition by itself
    ///
    /// Steps keep maximum norms and bounds of systems whose partitions are disjoint sets of variables. By default the
    /// pair is monotone in every norm for sums of a slow and a fast term.
    #[arg(long, requires = "ssp")]
    by_parts: bool,
}

impl SspArgs {
    pub(crate) fn is_asked_for(&self) -> bool {
        self.ssp
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

fn ratio(text: &str) -> Result<RBig, NumberError> {
    let value = parse_number(text.trim()).ok().and_then(|value| value.as_rational().cloned());
    value.ok_or_else(|| NumberError::NotRational(text.to_owned()))
}

/// SSP design with its output file.
pub(crate) struct SspJob {
    specification: SspSpecification,
    file: MethodFile,
    look: FigureArgs,
}

impl SspJob {
    /// Prepares a job. A method of different origin is overwritten only with `force`.
    pub(crate) fn new(
        specification: SspSpecification,
        output: Option<&Path>,
        force: bool,
        look: FigureArgs,
    ) -> Result<Self, Failure> {
        let file = MethodFile::new(&specification.default_id(), &specification.command(), output, force)?;
        Ok(Self { specification, file, look })
    }

    /// Designs the method and writes its files. Returns the page and the JSON of the results.
    pub(crate) fn run(&self, interrupt: &Interrupt) -> Result<(String, Value), Failure> {
        let monitor = Monitor::stopped_by(interrupt);
        let found = design_ssp(&self.specification, &self.file.id, &monitor);
        monitor.finish();
        // A search that ended early gives another method than its command.
        if interrupt.is_requested() {
            return Err(DesignInterrupted::Single { option: "--ssp" }.into());
        }
        let design = found?;
        let method = &self.file.path;
        write(method, design.method.to_json().as_bytes())?;
        let proof = method.with_extension("certificate.json");
        write_certificate(&proof, &design.certificate)?;
        let figure = method.with_extension("svg");
        self.look.write("--output", &figure, stability_figure(&design.method)?, &[])?;
        let files = [method, &proof, &figure].map(PathBuf::as_path);
        Ok((self.page(&design, &files), self.to_json(&design, &files)))
    }

    fn page(&self, design: &SspDesign, files: &[&Path]) -> String {
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
        if let Some(diagonal) = &design.diagonal {
            facts.push(("diagonal of the region", shown(diagonal)));
        }
        if let Some(along) = &design.along_ratio {
            let ratio = text::number(self.specification.ratio.to_f64().value());
            facts.push(("slow radius along the ratio", format!("{} at 1:{ratio}", shown(along))));
        }
        if let Some(embedded) = &design.embedded {
            let order = design.method.claims().embedded_order.filter(|_| embedded.is_found());
            facts.push(("embedded weights", order.map_or("none".to_owned(), |order| format!("order {order}"))));
        }
        facts.push(("order conditions", proof(design)));
        let head = format!("{}: {}\n\n", design.method.id(), design.method.name());
        let wrote: String = files.iter().map(|file| format!("wrote {}\n", file.display())).collect();
        head + &text::table(&columns, rows) + "\n" + &text::entries(&facts) + "\n" + &wrote
    }

    fn to_json(&self, design: &SspDesign, files: &[&Path]) -> Value {
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
            "order": self.specification.order,
            "partitions": parts,
            "ratio": self.specification.ratio.to_f64().value(),
            "diagonal": radius(&design.diagonal),
            "along_ratio": radius(&design.along_ratio),
            "embedded_order": design.method.claims().embedded_order,
            "proof": proof(design),
            "command": self.specification.command(),
            "files": files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
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
