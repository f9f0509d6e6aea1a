//! `hemiola merge`: the design that results from shares of a search.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use hemiola::design::{Checkpoint, DesignFile, Start};
use hemiola::tableau::library::Library;
use miette::Diagnostic;
use thiserror::Error;

use crate::arguments::figure::FigureArgs;
use crate::arguments::output_file::OutputFile;
use crate::commands::design::job::Job;
use crate::commands::design::origin::OutputKind;
use crate::commands::design::search;
use crate::failure::{CommandOutcome, Failure, hinted};
use crate::output::interrupt::Interrupt;
use crate::output::writer::Output;
use crate::ranks::Ranks;

/// Shares that do not form a complete search.
#[derive(Debug, Error, Diagnostic)]
enum ShareError {
    #[error("{file} and {first} belong to different searches")]
    #[diagnostic(help("shares of one search have the same design, starts and seed"))]
    OtherSearch { file: PathBuf, first: PathBuf },
    #[error("start {number} has a different result in {file} than in an earlier share")]
    #[diagnostic(help(
        "recompute one of the shares: the result of a start depends only on the design and on its number"
    ))]
    Disagreement { number: usize, file: PathBuf },
    #[error("{missing} of {all} starts are missing from the shares; the first is start {first}")]
    #[diagnostic(help("add the other shares, or compute the missing starts here with --finish"))]
    MissingStarts { missing: usize, all: usize, first: usize },
}

hinted!(ShareError);

/// Merge the shares of a search from several machines, and finish its design
#[derive(Args)]
#[command(after_help = "\
The result has the same bytes as that of a single uninterrupted `hemiola design` on one machine, even if shares \
failed, were resumed or were repeated. Shares may overlap, and those of different divisions may be combined: 1/2 with \
2/4 and 4/4.

Examples:
  hemiola design four-eight.design.json --part 1/2
  hemiola design four-eight.design.json --part 2/2
  hemiola merge four-eight.part-*.search.json")]
pub(crate) struct Merge {
    /// Share of a search, NAME.part-K-of-N.search.json
    #[arg(value_name = "PART")]
    first: PathBuf,

    /// Other shares
    #[arg(value_name = "PART")]
    others: Vec<PathBuf>,

    /// Method file to write [default: NAME.json beside the first share]
    ///
    /// The file name becomes the id of the method.
    #[arg(long, value_name = "F.json")]
    output: Option<OutputFile>,

    /// Compute the starts that are missing from all shares
    #[arg(long)]
    finish: bool,

    /// Overwrite files of another design
    ///
    /// Without this option, the new design gets a number: NAME-2.json.
    #[arg(long)]
    force: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    figure: FigureArgs,
}

impl Merge {
    pub(crate) fn run(&self, _: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let ranks = Ranks::join();
        if ranks.work() {
            return Ok(CommandOutcome::Done);
        }
        self.figure.check("--output", None)?;
        let (design, done) = self.union()?;
        let starts = design.specification.starts;
        let missing = (0..starts).filter(|number| !done.contains_key(number)).collect::<Vec<usize>>();
        if let Some(&first) = missing.first().filter(|_| !self.finish) {
            return Err(ShareError::MissingStarts { missing: missing.len(), all: starts, first }.into());
        }
        let beside = || self.first.with_file_name(format!("{}.json", design.id));
        let method = self.output.as_deref().map_or_else(beside, Path::to_path_buf);
        let making = (!self.force).then_some(OutputKind::Method);
        let job = Job::new(design, method, making, false, None)?.drawn(self.figure.clone());
        if !self.json {
            job.say_where(output)?;
        }
        let interrupt = Interrupt::listen();
        let found = job.merged(done.into_values().collect(), (&interrupt, &ranks))?;
        if self.json {
            output.json(&found.to_json())?;
        } else {
            output.text(&found.page())?;
        }
        Ok(if interrupt.is_requested() { CommandOutcome::Interrupted } else { CommandOutcome::Done })
    }

    /// Reads the common design of all shares, and their starts by number.
    fn union(&self) -> Result<(DesignFile, BTreeMap<usize, Start>), Failure> {
        let Checkpoint { design, .. } = search::read(&self.first)?;
        let mut done: BTreeMap<usize, Start> = BTreeMap::new();
        for file in std::iter::once(&self.first).chain(&self.others) {
            let Checkpoint { design: own, done: starts } = search::read(file)?;
            if design.specification != own.specification || design.id != own.id {
                return Err(ShareError::OtherSearch { file: file.clone(), first: self.first.clone() }.into());
            }
            for start in starts {
                let number = start.number;
                if done.insert(number, start.clone()).is_some_and(|earlier| earlier != start) {
                    return Err(ShareError::Disagreement { number, file: file.clone() }.into());
                }
            }
        }
        Ok((design, done))
    }
}
