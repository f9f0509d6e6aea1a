//! Methods in low-storage forms: `hemiola design --storage …`.

use std::path::PathBuf;

use clap::Args;
use hemiola::atlas::wording;
use hemiola::design::{DesignError, StorageDesign, StorageSpecification, design_storage};
use hemiola::number::{Progress, bound_text};
use hemiola::tableau::low_storage::StorageClass;
use serde_json::{Value, json};

use crate::commands::design::direct::SharedOptions;
use crate::commands::design::direct::files::MethodFiles;
use crate::commands::design::direct::job::DirectDesign;
use crate::commands::design::family::FamilyArgs;
use crate::commands::polynomial::spectrum;
use crate::failure::Failure;
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
            "dense", "slow_stages", "set", "pareto", "tune", "resume", "part", "effort", "solver", "chain",
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

impl DirectDesign for StorageSpecification {
    type Found = StorageDesign;
    const OPTION: &'static str = "--storage";

    fn id(&self) -> String {
        self.default_id()
    }

    fn text(&self) -> String {
        self.command()
    }

    fn search(&self, id: &str, progress: &dyn Progress) -> Result<StorageDesign, DesignError> {
        design_storage(self, id, progress)
    }

    fn write(found: &StorageDesign, files: &MethodFiles) -> Result<Vec<PathBuf>, Failure> {
        files.write(&found.to_json(), &found.method, &found.certificate)
    }

    fn page(&self, design: &StorageDesign) -> String {
        page(design)
    }

    fn to_json(&self, design: &StorageDesign) -> Value {
        json!({
            "id": design.method.id(),
            "form": self.class.to_string(),
            "stages": self.stages,
            "order": self.order,
            "principal_error_norm": design.error_norm,
            "limit": design.limit,
            "optimum": design.optimum,
            "amplification": design.amplification,
            "form_amplification": design.form_amplification,
            "registers": design.form.registers,
            "registers_with_embedded": design.form.registers_with_embedded,
            "embedded_order": design.method.claims().embedded_order,
            "radius": design.proof.map(|proof| proof.radius),
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
    facts.push(("amplification of rounding errors by the form", text::rounded(design.form_amplification, 2)));
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
        // A method with zero residuals is exact.
        Some(proof) if proof.radius > f64::MIN_POSITIVE * 1e8 => {
            format!("an exact method of the same form lies within {}", bound_text(proof.radius, 1))
        }
        _ => wording::certificate(&design.certificate),
    }
}
