//! Methods and pairs with large SSP coefficients: `hemiola design --ssp …`.

use std::path::{Path, PathBuf};

use clap::Args;
use dashu::rational::RBig;
use hemiola::atlas::wording;
use hemiola::design::{ProofStatus, SspDesign, SspSpecification, design_ssp};
use hemiola::number::{bound_text, parse_number};
use hemiola::plot::stability_figure;
use hemiola::stability::monotonicity::MonotonicityRadius;
use hemiola::tableau::Method;
use serde_json::{Value, json};

use crate::arguments::figure::FigureArgs;
use crate::arguments::number::NumberError;
use crate::arguments::usage::OptionError;
use crate::commands::design::error::{DesignInterrupted, DesignJobError};
use crate::failure::Failure;
use crate::output::certificate::write_certificate;
use crate::output::file_lock::FileLock;
use crate::output::interrupt::Interrupt;
use crate::output::new_method::id;
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
    #[arg(long, requires = "order", conflicts_with_all = [
        "files", "levels", "Polynomials", "Small", "Made", "dense", "largest", "first_same_as_last",
        "non_negative_weights", "abscissae_in_step", "increasing_abscissae", "fast_chain", "sparsity", "bounds", "set",
        "pareto", "tune", "resume", "part", "effort",
    ])]
    ssp: bool,

    /// Number of stages of a method with one partition
    #[arg(long, value_name = "S", requires = "ssp", conflicts_with_all = [
        "slow", "fast", "ratio", "by_parts", "slow_stages", "shared_abscissae", "shared_weights",
    ])]
    stages: Option<usize>,

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

/// Options of a design that an SSP design shares with others.
pub(crate) struct SharedOptions<'a> {
    pub(crate) slow: Option<usize>,
    pub(crate) fast: Option<usize>,
    pub(crate) order: Option<usize>,
    pub(crate) slow_stages: Option<&'a [usize]>,
    pub(crate) embedded: Option<usize>,
    pub(crate) seed: Option<u64>,
    pub(crate) starts: Option<usize>,
    pub(crate) shared_weights: bool,
    pub(crate) shared_abscissae: bool,
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
    method: PathBuf,
    id: String,
    look: FigureArgs,
    /// Lock that is held while the job exists.
    _claim: FileLock,
}

impl SspJob {
    /// Prepares a job. A method of different origin is overwritten only with `force`.
    pub(crate) fn new(
        specification: SspSpecification,
        output: Option<&Path>,
        force: bool,
        look: FigureArgs,
    ) -> Result<Self, Failure> {
        let method = output.map_or_else(|| format!("{}.json", specification.default_id()).into(), Path::to_path_buf);
        let Some(id) = id(Some(&method))? else { return Err(OptionError::NoId { file: method }.into()) };
        let folder = method.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(OptionError::NoFolder { option: "--output", folder: folder.to_owned() }.into());
        }
        let claim = FileLock::new(&method)?;
        let is_same = || {
            let place = Method::read(&method).ok().and_then(|there| there.source().place.clone());
            place.is_some_and(|place| place == specification.command())
        };
        if method.exists() && !force && !is_same() {
            return Err(DesignJobError::OtherFamily { file: method }.into());
        }
        Ok(Self { specification, method, id, look, _claim: claim })
    }

    /// Designs the method and writes its files. Returns the page and the JSON of the results.
    pub(crate) fn run(&self, interrupt: &Interrupt) -> Result<(String, Value), Failure> {
        let monitor = Monitor::stopped_by(interrupt);
        let found = design_ssp(&self.specification, &self.id, &monitor);
        monitor.finish();
        // A search that ended early gives another method than its command.
        if interrupt.is_requested() {
            return Err(DesignInterrupted::Ssp.into());
        }
        let design = found?;
        write(&self.method, design.method.to_json().as_bytes())?;
        let proof = self.method.with_extension("certificate.json");
        write_certificate(&proof, &design.certificate)?;
        let figure = self.method.with_extension("svg");
        self.look.write("--output", &figure, stability_figure(&design.method)?, &[])?;
        let files = [&self.method, &proof, &figure].map(PathBuf::as_path);
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
