//! Methods in low-storage forms: `hemiola design --storage …`.

use std::path::Path;

use clap::Args;
use hemiola::atlas::wording;
use hemiola::design::{StorageDesign, StorageSpecification, design_storage};
use hemiola::number::bound_text;
use hemiola::tableau::low_storage::StorageClass;
use serde_json::{Value, json};

use crate::arguments::figure::FigureArgs;
use crate::arguments::usage::OptionError;
use crate::commands::design::direct::SharedOptions;
use crate::commands::design::direct::files::{MethodFiles, paths, wrote};
use crate::commands::design::error::DesignInterrupted;
use crate::commands::design::family::FamilyArgs;
use crate::commands::polynomial::spectrum;
use crate::failure::Failure;
use crate::output::interrupt::Interrupt;
use crate::output::progress::Monitor;
use crate::output::text;

/// Options of a low-storage design.
#[derive(Args)]
#[command(next_help_heading = "Low storage")]
pub(crate) struct StorageArgs {
    /// Design a method with one partition in a low-storage form: 2N, 2S or 3S*
    ///
    /// The conditions are equations for the coefficients of the form. With --spectrum, the method has the stability
    /// polynomial with the longest step on it; --step-fraction gives up a part of this step for smaller errors. The method
    /// file has the coefficients of the form and names the command that reproduces it.
    #[arg(long, value_name = "FORM", group = "spectral", requires = "order", requires = "stages",
        conflicts_with_all = [
            "files", "Polynomials", "Shape", "Made", "error_weights", "scaled_step", "coefficient_weight", "profile",
            "dense", "slow_stages", "set", "pareto", "tune", "resume", "part", "effort", "chain",
        ])]
    storage: Option<StorageClass>,
}

impl StorageArgs {
    pub(crate) fn is_asked_for(&self) -> bool {
        self.storage.is_some()
    }

    /// Returns the requested design, if any.
    pub(crate) fn specification(
        &self,
        shared: &SharedOptions<'_>,
        stages: Option<usize>,
        family: &FamilyArgs,
    ) -> Result<Option<StorageSpecification>, Failure> {
        let (Some(class), Some(stages), Some(order)) = (self.storage, stages, shared.order) else { return Ok(None) };
        let shape = family.spectrum.as_deref();
        if family.step_fraction.is_some() && shape.is_none() {
            return Err(OptionError::Contradiction { option: "--step-fraction", with: "--spectrum" }.into());
        }
        let default = StorageSpecification::new(class, stages, order);
        let specification = StorageSpecification {
            spectrum: shape.map(|text| spectrum(text).map(|(spectrum, _)| spectrum)).transpose()?,
            spectrum_text: shape.map(str::to_owned),
            share: family.step_fraction.unwrap_or(default.share),
            embedded: shared.embedded,
            internal: shared.internal_weight.unwrap_or(default.internal),
            seed: shared.seed.unwrap_or(default.seed),
            starts: shared.starts.unwrap_or(default.starts),
            ..default
        };
        specification.validate()?;
        Ok(Some(specification))
    }
}

/// Low-storage design with its output file.
pub(crate) struct StorageJob {
    specification: StorageSpecification,
    files: MethodFiles,
}

impl StorageJob {
    /// Prepares a job. A method of different origin is overwritten only with `force`.
    pub(crate) fn new(
        specification: StorageSpecification,
        output: Option<&Path>,
        force: bool,
        look: FigureArgs,
    ) -> Result<Self, Failure> {
        let names = (output, specification.default_id());
        let files = MethodFiles::new(names, &specification.command(), force, look)?;
        Ok(Self { specification, files })
    }

    /// Designs the method and writes its files. Returns the page and the JSON of the results.
    pub(crate) fn run(&self, interrupt: &Interrupt) -> Result<(String, Value), Failure> {
        let monitor = Monitor::stopped_by(interrupt);
        let found = design_storage(&self.specification, self.files.id(), &monitor);
        monitor.finish();
        // A search that ended early gives another method than its command.
        if interrupt.is_requested() {
            return Err(DesignInterrupted::Direct { option: "--storage" }.into());
        }
        let design = found?;
        let files = self.files.write(&design.to_json(), &design.method, &design.certificate)?;
        Ok((page(&design) + &wrote(&files), self.to_json(&design, &paths(&files))))
    }

    fn to_json(&self, design: &StorageDesign, files: &[String]) -> Value {
        json!({
            "id": design.method.id(),
            "form": self.specification.class.to_string(),
            "stages": self.specification.stages,
            "order": self.specification.order,
            "principal_error_norm": design.error_norm,
            "limit": design.limit,
            "optimum": design.optimum,
            "amplification": design.amplification,
            "registers": design.form.registers,
            "registers_with_embedded": design.form.registers_with_embedded,
            "embedded_order": design.method.claims().embedded_order,
            "proof": proof(design),
            "command": self.specification.command(),
            "files": files,
        })
    }
}

fn page(design: &StorageDesign) -> String {
    let mut facts = vec![("principal error norm", format!("{:.3e}", design.error_norm))];
    if let (Some(limit), Some(optimum)) = (design.limit, design.optimum) {
        let share = 100.0 * limit / optimum;
        facts.push(("limit on the spectrum", format!("{limit:.6}, {share:.2} % of the largest possible")));
    }
    if let Some(amplification) = design.amplification {
        facts.push(("internal amplification up to the limit", text::rounded(amplification, 2)));
    }
    facts.push(("registers", design.form.registers.to_string()));
    match (design.method.claims().embedded_order, design.form.registers_with_embedded, &design.embedded) {
        (Some(order), Some(registers), _) => {
            facts.push(("embedded weights", format!("order {order}, {registers} registers")));
        }
        (_, _, Some(_)) => facts.push(("embedded weights", "none".to_owned())),
        _ => {}
    }
    facts.push(("order conditions", proof(design)));
    let head = format!("{}: {}\n\n", design.method.id(), design.method.name());
    head + &text::entries(&facts) + "\n"
}

/// Returns the wording of the proof.
fn proof(design: &StorageDesign) -> String {
    match design.proof {
        Some(proof) => {
            format!(
                "an exact solution in the same form lies within {} (the certificate states residuals)",
                bound_text(proof.radius, 1)
            )
        }
        None => wording::certificate(&design.certificate),
    }
}
