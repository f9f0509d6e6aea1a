//! Families with several rates: `hemiola design --levels …`, and their design files.

mod properties;
mod report;

use std::path::{Path, PathBuf};

use clap::Args;
use hemiola::design::{
    Certificate, DesignError, Family, FamilyFile, FamilyLevel, FamilySpecification, LeastRatio, design_family,
};
#[cfg(feature = "motion")]
use hemiola::integrate::System;
use hemiola::plot::stability_figure;
use hemiola::stability::BlockSystem;
#[cfg(feature = "motion")]
use hemiola::study::stable_steps::linearized;
use hemiola::tableau::is_id;
use serde_json::{Value, json};

use crate::arguments::figure::FigureArgs;
use crate::arguments::methods;
#[cfg(feature = "motion")]
use crate::arguments::model;
use crate::arguments::number;
use crate::arguments::usage::OptionError;
use crate::commands::design::error::{DesignInterrupted, DesignJobError};
use crate::commands::polynomial::{of_model, spectrum};
use crate::failure::Failure;
use crate::output::certificate::write_certificate;
use crate::output::file_lock::FileLock;
use crate::output::interrupt::Interrupt;
use crate::output::progress::Monitor;
use crate::output::text::{self, Column};
use crate::output::writer::{WriteError, write};

use properties::Properties;

/// Options of a family.
#[derive(Args)]
#[command(next_help_heading = "Families")]
pub(crate) struct FamilyArgs {
    /// Design a family of many rates instead of a pair
    ///
    /// The numbers are the evaluations of each level, in decreasing order. Any two levels may be neighbors on a mesh.
    #[arg(long, value_name = "E,E,…", value_delimiter = ',', groups = ["spectral", "of_levels"], requires = "order", conflicts_with_all = [
        "slow", "fast", "Polynomials", "Shape", "Small", "validation", "error", "variables", "end", "fast_limit",
        "keep_polynomial", "candidates", "rounds", "slow_stages", "embedded", "dense", "pareto", "tune", "resume",
    ])]
    levels: Option<Vec<usize>>,

    /// Spectrum for which steps are maximized [default for --levels: dg:3]
    ///
    /// A shape or an operator such as waves-2d:dg=3 as in `hemiola polynomial`, or a file of eigenvalues. dg:3 is advection
    /// on a line by discontinuous Galerkin methods of degree three.
    #[arg(long, value_name = "SHAPE|FILE", requires = "spectral")]
    pub(crate) spectrum: Option<String>,

    /// Model whose Jacobian at the initial state has the eigenvalues for which the steps of all levels are maximized
    #[arg(long, value_name = "MODEL", requires = "of_levels", conflicts_with = "spectrum")]
    spectrum_of: Option<String>,

    /// Fraction of its optimal step that every level or method must keep [default: 0.95, for --storage 1]
    ///
    /// The remaining fraction may be given up for smaller errors.
    #[arg(long, alias = "share", value_name = "F", requires = "spectral", value_parser = number::real)]
    pub(crate) step_fraction: Option<f64>,

    /// Require every stage to use only the first and the previous stage
    #[arg(long, requires = "of_levels")]
    chain: bool,
}

impl FamilyArgs {
    pub(crate) fn is_asked_for(&self) -> bool {
        self.levels.is_some()
    }

    /// Returns the requested family, if any.
    pub(crate) fn file(
        &self,
        order: Option<usize>,
        seed: Option<u64>,
        starts: Option<usize>,
        systems: &[String],
    ) -> Result<Option<FamilyFile>, Failure> {
        let (Some(levels), Some(order)) = (&self.levels, order) else { return Ok(None) };
        let (spectrum, shape) = match (&self.spectrum, &self.spectrum_of) {
            (None, Some(model)) => (of_model(model)?, None),
            (None, None) => ("dg:3".parse()?, Some("dg:3".to_owned())),
            (Some(text), _) => match spectrum(text)? {
                (spectrum, None) => (spectrum, Some(text.clone())),
                (spectrum, Some(_)) => (spectrum, None),
            },
        };
        let default = FamilySpecification::new(levels.clone(), order, spectrum);
        let specification = FamilySpecification {
            share: self.step_fraction.unwrap_or(default.share),
            systems: systems.to_vec(),
            chain: self.chain,
            seed: seed.unwrap_or(default.seed),
            starts: starts.unwrap_or(default.starts),
            ..default
        };
        specification.validate()?;
        Ok(Some(FamilyFile::new(specification, shape)))
    }
}

/// Family to design and its output file.
pub(crate) struct FamilyJob {
    file: FamilyFile,
    method: PathBuf,
    /// Appearance of the figure.
    look: FigureArgs,
    /// Lock that is held while the job exists.
    _claim: FileLock,
}

impl FamilyJob {
    /// Prepares a job. The name of the method file must be a valid id; a file of different origin is overwritten only
    /// with `--force`.
    pub(crate) fn new(mut file: FamilyFile, method: PathBuf, force: bool, look: FigureArgs) -> Result<Self, Failure> {
        if method.extension().is_none_or(|ending| ending != "json") {
            return Err(WriteError::Ending { option: "--output", file: method, expected: ".json" }.into());
        }
        let stem = method.file_stem().and_then(|stem| stem.to_str()).filter(|stem| is_id(stem));
        let Some(stem) = stem else { return Err(OptionError::NoId { file: method }.into()) };
        stem.clone_into(&mut file.id);
        let folder = method.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(OptionError::NoFolder { option: "--output", folder: folder.to_owned() }.into());
        }
        let job = Self { file, _claim: FileLock::new(&method)?, method, look };
        let is_same =
            || FamilyFile::read(&job.design()).is_ok_and(|there| there.specification == job.file.specification);
        if job.method.exists() && !force && !is_same() {
            return Err(DesignJobError::OtherFamily { file: job.method }.into());
        }
        Ok(job)
    }

    fn design(&self) -> PathBuf {
        self.method.with_extension("family.json")
    }

    /// Designs the family and writes its files. Returns the page and the JSON of the results.
    pub(crate) fn run(&self, interrupt: &Interrupt) -> Result<(String, Value), Failure> {
        let monitor = Monitor::stopped_by(interrupt);
        let names = &self.file.specification.systems;
        let systems: Vec<BlockSystem> = names.iter().map(|name| system(name)).collect::<Result<_, Failure>>()?;
        let found = design_family(&self.file.specification, &systems, &monitor);
        monitor.finish();
        // An interrupted design is not written, since its design file would not reproduce it.
        if interrupt.is_requested() {
            return Err(DesignInterrupted::Family.into());
        }
        let mut family = found?;
        self.file.sign(&mut family)?;
        let design = self.design();
        write(&self.method, family.method.to_json().as_bytes())?;
        write(&design, self.file.to_json().as_bytes())?;
        let certificate =
            Certificate::new(&family.method, self.file.specification.order, &[]).map_err(DesignError::from)?;
        let proof = self.method.with_extension("certificate.json");
        write_certificate(&proof, &certificate)?;
        let [figure, report] = ["svg", "md"].map(|ending| self.method.with_extension(ending));
        self.look.write(
            "--output",
            &figure,
            stability_figure(&family.method)?,
            &methods::labels(std::slice::from_ref(&family.method)),
        )?;
        let properties = Properties { family: &family, certificate: &certificate, systems: names };
        write(&report, report::report(&properties, &self.file.id).as_bytes())?;
        let files = [&self.method, &design, &proof, &figure, &report].map(PathBuf::as_path);
        Ok((page(&properties, &files), to_json(&family, names, &files)))
    }
}

/// Linearizes a model with partitions at its initial state.
#[cfg(feature = "motion")]
fn system(name: &str) -> Result<BlockSystem, Failure> {
    let model = model::read(name)?;
    if model.sizes().len() < 2 {
        return Err(DesignJobError::NoParts { model: name.to_owned() }.into());
    }
    Ok(linearized(&model)?)
}

#[cfg(not(feature = "motion"))]
fn system(name: &str) -> Result<BlockSystem, Failure> {
    Err(OptionError::NoModels { subject: format!("--for {name}") }.into())
}

fn page(properties: &Properties<'_>, files: &[&Path]) -> String {
    let columns = Properties::HEADER.map(|name| (name, Column::Right));
    let method = &properties.family.method;
    let head = format!("{}: {}\n\n", method.id(), method.name());
    let wrote: String = files.iter().map(|file| format!("wrote {}\n", file.display())).collect();
    let levels = text::table(&columns, properties.levels().map(Vec::from));
    head + &levels + "\n" + &text::entries(&properties.facts()) + "\n" + &wrote
}

fn to_json(family: &Family, systems: &[String], files: &[&Path]) -> Value {
    let level = |level: &FamilyLevel| {
        json!({
            "evaluations": level.evaluations,
            "limit": level.limit,
            "optimum": level.optimum,
            "share": level.share(),
            "amplification": level.amplification,
            "polynomial": level.polynomial,
        })
    };
    let coupled = |(name, step): (&String, &LeastRatio)| {
        let levels: Vec<usize> = step.levels.iter().map(|&k| family.levels[k].evaluations).collect();
        json!({ "system": name, "ratio": step.ratio, "levels": levels })
    };
    let (norm, levels) = family.worst_pair;
    json!({
        "id": family.method.id(),
        "order": family.method.claims().order,
        "levels": family.levels.iter().map(level).collect::<Vec<_>>(),
        "principal_error_norm": family.error_norm,
        "worst_pair": { "levels": levels, "principal_error_norm": norm },
        "coupled_steps": systems.iter().zip(&family.coupled).map(coupled).collect::<Vec<_>>(),
        "largest_coefficient": family.largest_coefficient,
        "chain": family.is_chain,
        "files": files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
    })
}
