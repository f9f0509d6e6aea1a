//! `hemiola identify`: parameters of a model from measurements.

mod page;
mod text;

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use hemiola::integrate::System;
use hemiola::models::{Model, ModelError};
use hemiola::optimize::StepRule;
use hemiola::optimize::identification::{FitStatus, Identification, IdentificationError, LibraryModel, Measurements};
use hemiola::optimize::sqp::Ranges;
use hemiola::plot::fit_figure;
use hemiola::report::results::{FitReport, ellipses, fitted_variables};
use hemiola::tableau::library::Library;
use miette::Diagnostic;
use thiserror::Error;

use crate::arguments::figure::FigureArgs;
use crate::arguments::output_file::OutputFile;
use crate::arguments::{format, measurements, model, number, source};
use crate::commands::identify::text::NamedValue;
use crate::failure::{CommandError, CommandOutcome, Failure, hinted};
use crate::output::interrupt::Interrupt;
use crate::output::progress::Monitor;
use crate::output::writer::{Output, expect_ending};

/// Parameters or deviations that do not fit the model.
#[derive(Debug, Error, Diagnostic)]
enum FitArgumentError {
    #[error("--free: {0}")]
    #[diagnostic(help("`hemiola models NAME` lists the parameters of a library model"))]
    Parameter(ModelError),
    #[error("--deviations: no value for {variable}; expected one for each measured variable, or one for all")]
    NoDeviation { variable: String },
}

hinted!(FitArgumentError);

impl CommandError for IdentificationError {}

/// Fit parameters of a MODEL to measurements, with covariance and χ² test
#[derive(Args)]
#[command(after_help = "\
F.csv has a header `t,NAME,…` with names of the model's variables (`hemiola models NAME` lists them) and one line per \
time. The model starts from its initial state at t = 0. The initial guesses of the parameters are the values in \
MODEL.

With standard deviations of the measurements, a χ² test shows whether the model explains them: the fit fails, with \
exit code 1, if the probability that a correct model leaves such large residuals is below --significance. Without \
standard deviations, equal ones are assumed and estimated from the residuals.

Exit codes: 0 converged and not rejected, 1 otherwise, 2 invalid usage or input, 130 interrupted.

Examples:
  hemiola identify single-track --measurements drive.csv --free yaw-inertia,front-peak,rear-peak --deviations 1e-3
  hemiola identify quarter-car:suspension-stiffness=1e4 --measurements car.csv --free suspension-stiffness,suspension-damping \\
    --bounds suspension-damping=100..5000 --output fit.svg")]
pub(crate) struct Identify {
    /// Model with its parameters, NAME[:KEY=VALUE,…]
    #[arg(value_name = "MODEL")]
    model: String,

    /// Measurements
    #[arg(long, alias = "data", value_name = "F.csv")]
    measurements: PathBuf,

    /// Parameters to fit
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', required = true)]
    free: Vec<String>,

    /// Bounds of the parameters
    #[arg(long, value_name = "NAME=A..B,…", value_delimiter = ',', value_parser = text::bounds)]
    bounds: Vec<NamedValue<(f64, f64)>>,

    /// Standard deviations of the measurements
    ///
    /// A single number for all, or one for each measured variable.
    #[arg(long, value_name = "S|NAME=S,…", value_delimiter = ',', value_parser = text::deviation)]
    deviations: Vec<NamedValue<f64>>,

    /// Probability below which the χ² test rejects the model
    #[arg(long, value_name = "P", default_value = "0.01", value_parser = number::positive)]
    significance: f64,

    /// Method or scheme of integration
    #[arg(long, value_name = "METHOD", default_value = "linearized:radau-iia-2")]
    method: String,

    /// Number of steps between consecutive measurements
    #[arg(long, alias = "steps", value_name = "N", default_value = "4", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    steps_per_interval: u32,

    /// Largest number of iterations
    #[arg(long, value_name = "N", default_value = "100")]
    iterations: usize,

    /// Draw the fit, the residuals and the confidence ellipses
    #[arg(long, value_name = format::VALUE_NAME)]
    output: Option<OutputFile>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    figure: FigureArgs,
}

impl Identify {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        self.figure.check("--output", self.output.as_deref())?;
        expect_ending("--measurements", Some(&self.measurements), ".csv")?;
        let model = model::read(&self.model)?;
        let mut data = measurements::read(&self.measurements, &model)?;
        data.deviations = self.known_deviations(&model, &data)?;
        let free: Vec<&str> = self.free.iter().map(|name| name.trim()).collect();
        let (equations, start) = LibraryModel::new(&model, &free).map_err(FitArgumentError::Parameter)?;
        let rule = StepRule::new(&source::scheme(&self.method, library)?, model.sizes())?;
        let (equations, bounds) = (Arc::new(equations), self.ranges(&free)?);
        let initial = Arc::clone(&equations);
        let identification = Identification {
            dynamics: equations,
            initial: Arc::new(move |p| initial.initial(p).ok()),
            rule,
            steps: self.steps_per_interval as usize,
            bounds,
        };
        let monitor = Monitor::stopped_by(&Interrupt::listen());
        let fit = identification.run(&data, &start, self.iterations, &monitor);
        monitor.finish();
        let fit = fit?;
        let report = FitReport::new(&self.model, &free, &fit);
        if self.json {
            output.json(&report)?;
        } else {
            output.text(&page::page(&report, &model, &free, &fit))?;
        }
        if let Some(file) = &self.output {
            let description = format!("Parameters of {} from measurements", model.title);
            // If the finer steps of the trajectory fail, the fitted values are drawn instead.
            let course = identification.trajectory_points(&data, &fit.parameters);
            let course = course.unwrap_or_else(|_| (data.times.clone(), fit.fitted.clone()));
            let figure =
                fit_figure(&fitted_variables(&model, &data, &fit, &course), &ellipses(&free, &fit), &description);
            self.figure.write("--output", file, figure, &[])?;
            if !self.json {
                output.wrote(&[&self.output])?;
            }
        }
        Ok(match (fit.ending, fit.probability()) {
            (FitStatus::Interrupted, _) => CommandOutcome::Interrupted,
            (FitStatus::Converged, probability) if probability.is_none_or(|p| p >= self.significance) => {
                CommandOutcome::Done
            }
            _ => CommandOutcome::CheckFailed,
        })
    }

    /// Returns the standard deviation of each measured variable; empty if none is given.
    fn known_deviations(&self, model: &Model, data: &Measurements) -> Result<Vec<f64>, Failure> {
        let names: Vec<&str> = data.states.iter().map(|&k| model.variables[k].name.as_str()).collect();
        text::expect_names("--deviations", &self.deviations, &names)?;
        if self.deviations.is_empty() {
            return Ok(Vec::new());
        }
        let of = |name: &&str| {
            let matches = |one: &&NamedValue<f64>| one.name.as_deref().is_none_or(|known| known == *name);
            let missing = || FitArgumentError::NoDeviation { variable: (*name).to_owned() };
            self.deviations.iter().rev().find(matches).map(|one| one.value).ok_or_else(missing)
        };
        Ok(names.iter().map(of).collect::<Result<_, _>>()?)
    }

    fn ranges(&self, free: &[&str]) -> Result<Ranges, Failure> {
        text::expect_names("--bounds", &self.bounds, free)?;
        let of = |name: &&str| {
            let found = self.bounds.iter().find(|one| one.name.as_deref() == Some(*name));
            found.map_or((f64::NEG_INFINITY, f64::INFINITY), |one| one.value)
        };
        let (lower, upper) = free.iter().map(of).unzip();
        Ok(Ranges { lower, upper })
    }
}
