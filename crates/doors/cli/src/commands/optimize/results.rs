//! Output of an optimum: a page or JSON, a figure, a table of values.

use std::time::Instant;

use clap::Args;
use hemiola::figure::Figure;
use hemiola::optimize::ControlOptimum;
use hemiola::report::results::{OptimumReport, optimum_csv};
use hemiola::tableau::library::Library;

use crate::arguments::figure::FigureArgs;
use crate::arguments::format;
use crate::arguments::output_file::OutputFile;
use crate::commands::optimize::options::{SolveArgs, SolveTask};
use crate::commands::optimize::page::{outcome, page};
use crate::failure::{CommandOutcome, Failure};
use crate::output::interrupt::Interrupt;
use crate::output::progress::Monitor;
use crate::output::writer::{Output, expect_ending, write};

/// Destinations of results.
#[derive(Args)]
pub(crate) struct ResultArgs {
    /// Draw the states, the controls and the convergence history
    #[arg(long, value_name = format::VALUE_NAME)]
    output: Option<OutputFile>,

    /// Write times, states and controls at the grid points
    #[arg(long, value_name = "F.csv")]
    data: Option<OutputFile>,

    /// Measure the solution time
    #[arg(long)]
    time: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    figure: FigureArgs,
}

/// Presentation of an optimum of a problem.
pub(crate) struct OptimumPresentation<'a> {
    pub(crate) name: &'a str,
    pub(crate) states: &'a [String],
    pub(crate) controls: &'a [String],
    /// Further entries of the page.
    pub(crate) entries: &'a dyn Fn(&ControlOptimum) -> Vec<(&'static str, String)>,
    pub(crate) figure: &'a dyn Fn(&ControlOptimum) -> Figure,
}

impl ResultArgs {
    /// Checks the options before the problem is solved.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.figure.check("--output", self.output.as_deref())?;
        expect_ending("--data", self.data.as_deref(), ".csv")
    }

    /// Solves a problem and shows its optimum.
    pub(crate) fn solve(
        &self,
        solve: &SolveArgs,
        task: &SolveTask<'_>,
        show: &OptimumPresentation<'_>,
        library: &Library,
        output: &mut Output,
    ) -> Result<CommandOutcome, Failure> {
        let monitor = Monitor::stopped_by(&Interrupt::listen());
        let start = Instant::now();
        let (optimum, method) = solve.solve(task, library, &monitor)?;
        let seconds = self.time.then(|| start.elapsed().as_secs_f64());
        monitor.finish();
        let report = OptimumReport::new([show.name, &method], show.controls, solve.grid(task.grid), &optimum, seconds);
        if self.json {
            output.json(&report)?;
        } else {
            output.text(&page(&report, &(show.entries)(&optimum)))?;
        }
        if let Some(file) = &self.data {
            write(file, optimum_csv(&optimum, show.states, show.controls).as_bytes())?;
        }
        if let Some(file) = &self.output {
            self.figure.write("--output", file, (show.figure)(&optimum), &[])?;
        }
        if !self.json {
            output.wrote(&[&self.data, &self.output])?;
        }
        Ok(outcome(optimum.solution.status))
    }
}
