//! `hemiola converge`: error versus step size and cost.

mod page;

use clap::{Args, ValueEnum};
use hemiola::integrate;
use hemiola::plot::{PrecisionCurve, precision_figure};
use hemiola::report::results::{ConvergenceReport, convergence_csv, outcome_text};
use hemiola::study::StudyError;
use hemiola::study::convergence::{Convergence, ConvergenceResults, ConvergenceSeries, RunLimits};
use hemiola::tableau::library::Library;
use miette::Diagnostic;
use thiserror::Error;

use crate::arguments::figure::FigureArgs;
use crate::arguments::output_file::OutputFile;
use crate::arguments::{format, methods, model, number, source};
use crate::failure::{CommandOutcome, Failure, hinted};
use crate::output::interrupt::Interrupt;
#[cfg(feature = "plotters")]
use crate::output::preview::PreviewArgs;
use crate::output::progress::Monitor;
use crate::output::writer::{Output, expect_ending, write};

/// Model without a known solution and without a computable one.
#[derive(Debug, Error, Diagnostic)]
#[error("{model}: no reference solution: {outcome}")]
#[diagnostic(help(
    "the reference is computed with an explicit method, which takes too many steps for a stiff problem; try a shorter interval (--end)"
))]
struct NoReference {
    model: String,
    outcome: String,
}

hinted!(NoReference);

/// Run each METHOD on a MODEL with more and more equal steps: observed orders, work, precision
#[derive(Args)]
#[command(after_help = "\
METHOD and MODEL are written as for `hemiola simulate`. Each method begins with as many steps as bring its error \
below 0.1. The number of steps is then doubled until rounding, or the accuracy of the reference, hides the error, or \
until a limit is reached: --max-runs, --max-steps or --time-limit. The observed order is fitted to the last runs above \
that level whose slopes differ by at most 0.2; if there are no three such runs, it is the slope between the last two.

Exit code 1: an observed order is lower than the claimed one by more than 0.3, or all results of a method are not finite \
or have errors of more than 10⁶ times the solution.

Examples:
  hemiola converge kpr shome-haug-jay-2-5 hemiola-3-7 hemiola-4-8
  hemiola converge kepler rk4 dormand-prince-5 --x-axis work --output orders.svg
  hemiola converge planar-vehicle shome-haug-jay-2-5 hemiola-4-8 --end 1 --variables 1,2,3 --x-axis work --cost 20 --output cost.pdf
  hemiola converge van-der-pol gauss-2 linearized:gauss-2,q=1 linearized:gauss-2,q=2 --error 1e-6")]
pub(crate) struct Converge {
    /// Model with its parameters, machine file NAME.json, or linear system FILE@I,…
    ///
    /// FILE contains the Jacobian of the linear system; I, … are its slow variables.
    #[arg(value_name = "MODEL")]
    model: String,

    /// Library ids, method files or schemes
    #[arg(required = true, value_name = "METHOD")]
    schemes: Vec<String>,

    /// Final time [default: that of the model]
    #[arg(long, alias = "to", value_name = "T", value_parser = number::positive)]
    end: Option<f64>,

    /// Variables whose errors count, by name or number [default: all]
    #[arg(long, value_name = "NAME|I,…")]
    variables: Option<String>,

    /// Largest number of runs per method
    #[arg(long, alias = "levels", value_name = "K", default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..=40))]
    max_runs: u32,

    /// Largest number of steps per run
    ///
    /// Longer runs are skipped.
    #[arg(long, alias = "most-steps", value_name = "N", default_value_t = 1 << 22, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    max_steps: u64,

    /// Time limit in seconds for all runs of a method
    ///
    /// The reference solution has the same limit.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = number::positive)]
    time_limit: f64,

    /// Horizontal axis of the figure
    #[arg(long, alias = "over", value_enum, value_name = "QUANTITY", default_value_t = XAxis::Steps)]
    x_axis: XAxis,

    /// Cost of an evaluation of the slow partition relative to the fast one, for `--x-axis work`
    #[arg(long, value_name = "C", default_value_t = 1.0, value_parser = number::positive)]
    cost: f64,

    /// Find the smallest number of steps that reaches this error
    #[arg(long, alias = "wanted", value_name = "E", value_parser = number::positive)]
    error: Option<f64>,

    /// Draw the errors
    ///
    /// A triangle beside the curves shows each observed order.
    #[arg(long, value_name = format::VALUE_NAME)]
    output: Option<OutputFile>,

    /// Write all runs
    #[arg(long, value_name = "F.csv")]
    data: Option<OutputFile>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    figure: FigureArgs,

    #[cfg(feature = "plotters")]
    #[command(flatten)]
    preview: PreviewArgs,
}

/// Horizontal axis of the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum XAxis {
    /// Equal steps
    Steps,
    /// Evaluations of the slow partition
    Slow,
    /// Evaluations of the fast partition
    Fast,
    /// Evaluations of both partitions, the slow ones weighted by their cost
    Work,
}

impl XAxis {
    fn label(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Slow => "slow evaluations",
            Self::Fast => "fast evaluations",
            Self::Work => "work in fast evaluations",
        }
    }
}

impl Converge {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        self.figure.check("--output", self.output.as_deref())?;
        expect_ending("--data", self.data.as_deref(), ".csv")?;
        let model = model::read(&self.model)?;
        let schemes = methods::each(&source::all(&self.schemes)?, |text| source::integrator(text, library))?;
        let all = || (0..model.initial.len()).collect();
        let variables = self.variables.as_deref().map_or_else(|| Ok(all()), |text| model::variables(&model, text))?;
        let end = self.end.unwrap_or(model.duration);
        let convergence =
            Convergence { model: &model, name: &self.model, end, variables, wanted: self.error, caps: self.caps() };
        let monitor = Monitor::stopped_by(&Interrupt::listen());
        let results = match convergence.run(&schemes, &monitor) {
            Err(failure @ StudyError::InterruptedReference) => {
                output.report(failure)?;
                return Ok(CommandOutcome::Interrupted);
            }
            Err(StudyError::NoReference { outcome }) => return Err(self.no_reference(outcome).into()),
            results => results?,
        };
        monitor.finish();
        if self.json {
            output.json(&ConvergenceReport::new(&results))?;
        } else {
            output.text(&page::page(&results))?;
        }
        let (description, names) =
            (format!("Errors on {} over {}", model.title, self.x_axis.label()), methods::run_labels(&schemes));
        let drawn = || precision_figure(self.x_axis.label(), &self.curves(&results), self.error, &description);
        #[cfg(feature = "plotters")]
        self.preview.show(&self.figure, || drawn().into(), &names, output)?;
        if let Some(file) = &self.output {
            self.figure.write("--output", file, drawn(), &names)?;
        }
        if let Some(file) = &self.data {
            write(file, convergence_csv(&results).as_bytes())?;
        }
        if !self.json {
            output.wrote(&[&self.output, &self.data])?;
        }
        let is_well = results.orders_match_claims() && !results.has_unstable();
        Ok(match (results.is_interrupted, is_well) {
            (true, _) => CommandOutcome::Interrupted,
            (false, true) => CommandOutcome::Done,
            (false, false) => CommandOutcome::CheckFailed,
        })
    }

    fn no_reference(&self, outcome: integrate::Outcome) -> NoReference {
        let late = || format!("it takes longer than {} s (--time-limit)", self.time_limit);
        let is_late = outcome == integrate::Outcome::Stopped;
        let outcome = if is_late { late() } else { outcome_text(outcome, None) };
        NoReference { model: self.model.clone(), outcome }
    }

    fn caps(&self) -> RunLimits {
        RunLimits { levels: self.max_runs, most_steps: self.max_steps, seconds: self.time_limit }
    }

    fn curves(&self, results: &ConvergenceResults<'_>) -> Vec<PrecisionCurve> {
        let curve = |row: &ConvergenceSeries| {
            let points = row.samples.iter().map(|sample| {
                let [slow, fast] = [sample.evaluations.first(), sample.evaluations.last()]
                    .map(|count| count.map_or(0.0, |count| *count as f64));
                let work = match self.x_axis {
                    XAxis::Steps => sample.steps as f64,
                    XAxis::Slow => slow,
                    XAxis::Fast => fast,
                    XAxis::Work if sample.evaluations.len() == 1 => fast,
                    XAxis::Work => self.cost * slow + fast,
                };
                [work, sample.error]
            });
            PrecisionCurve { label: row.label.clone(), points: points.collect(), order: row.order }
        };
        results.ladders.iter().map(curve).collect()
    }
}
