//! `hemiola reproduce`: published results of a paper, recomputed.

use std::path::PathBuf;

use clap::Args;
use hemiola::report::{self, ReportError};
use hemiola::tableau::library::Library;

use crate::arguments::figure::FigureArgs;
use crate::arguments::usage::OptionError;
use crate::failure::{CommandError, CommandOutcome, Failure};
use crate::output::progress::Monitor;
use crate::output::writer::{Output, write};

impl CommandError for ReportError {}

/// Recompute the results of each PAPER: a report in Markdown with figures
#[derive(Args)]
#[command(after_help = "\
Papers, by author and year (default: all):
  shome-haug-jay-2004           dual-rate methods: largest steps, vehicles, comparison with our own methods
  gil-sanfelice-nikravesh-2013  singular-perturbation scheme: local errors, a pendulum with a particle
  jack-adaptive-rk4             step doubling with RK4: a flexible beam
  gerdts-2003                   linearized implicit methods: observed and predicted orders, cost
  pan-he                        iterative refinement in vehicle dynamics: counts, cost model, accuracy

Repeated runs write identical bytes. Each report takes between some seconds and some minutes.

Examples:
  hemiola reproduce jack-adaptive-rk4
  hemiola reproduce --folder reports")]
pub(crate) struct Reproduce {
    /// Names of the papers
    #[arg(value_name = "PAPER")]
    papers: Vec<String>,

    /// Folder for reports and figures
    #[arg(long, value_name = "DIR", default_value = ".")]
    folder: PathBuf,

    #[command(flatten)]
    figure: FigureArgs,
}

impl Reproduce {
    pub(crate) fn run(&self, _: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        self.figure.check("--folder", None)?;
        self.figure.expect_no_labels()?;
        if !self.folder.is_dir() {
            return Err(OptionError::NoFolder { option: "--folder", folder: self.folder.clone() }.into());
        }
        let all = || report::names().map(str::to_owned).collect();
        let papers: Vec<String> = if self.papers.is_empty() { all() } else { self.papers.clone() };
        // Unknown names are reported before anything is computed.
        let is_known = |paper: &&String| report::names().any(|name| name == paper.as_str());
        if let Some(unknown) = papers.iter().find(|paper| !is_known(paper)) {
            report::report(unknown, &())?;
        }
        // Files are written atomically: Ctrl-C may end the program at any time.
        let monitor = Monitor::new();
        for paper in &papers {
            let report = report::report(paper, &monitor)?;
            monitor.announce("figures");
            for (name, drawing) in report.figures.iter().cloned() {
                self.figure.write("--folder", &self.folder.join(name), drawing, &[])?;
            }
            let file = self.folder.join(format!("{paper}.md"));
            write(&file, report.text.as_bytes())?;
            let figures = crate::output::text::counted(report.figures.len(), "figure");
            output.line(&format!("wrote {} with {figures}", file.display()))?;
            output.flush()?;
        }
        monitor.finish();
        Ok(CommandOutcome::Done)
    }
}
