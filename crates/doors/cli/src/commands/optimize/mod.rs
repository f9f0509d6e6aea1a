//! `hemiola optimize`: optimal control problems.

mod file;
mod lane_change;
mod options;
mod page;
mod results;
mod warm_start;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use hemiola::tableau::library::Library;
use thiserror::Error;

use crate::commands::optimize::lane_change::LaneChangeCommand;
use crate::commands::optimize::options::SolveArgs;
use crate::commands::optimize::results::ResultArgs;
use crate::failure::{CommandError, CommandOutcome, Failure};
use crate::output::writer::Output;

/// Command without a problem.
#[derive(Debug, Error)]
#[error("no problem to optimize; expected lane-change or a file")]
struct NoProblem;

impl CommandError for NoProblem {}

/// Solve an optimal control problem by shooting with exact derivatives of the steps
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
A file in the format hemiola-control/1 contains a model of the library with controls, bounds, constraints and an \
objective; problems/schema.json describes the format, with examples beside it.

The problem becomes a nonlinear program on a grid of controls, which is solved by sequential quadratic programming \
with exact Hessians. The status is one of: optimal, locally infeasible, stalled, iteration limit, interrupted. Ctrl-C \
ends the iterations and keeps the best iterate; its output with --json can be given to --start.

Exit codes: 0 optimal, 1 another status, 2 invalid usage or input, 130 interrupted.

Examples:
  hemiola optimize lane-change
  hemiola optimize lane-change --points 201 --output lane.svg
  hemiola optimize lane-change --gear 3 --speed 20 --pedal 0.5 --data drive.csv
  hemiola optimize lane-change --method gauss-2 --shooting single --points 26
  hemiola optimize problems/van-der-pol.json --output course.svg
  hemiola optimize problems/bryson-denham.json --points 181 --json > result.json
  hemiola optimize problems/bryson-denham.json --points 361 --start result.json"
)]
pub(crate) struct Optimize {
    #[command(subcommand)]
    problem: Option<Problem>,

    /// Problem in the format hemiola-control/1
    #[arg(value_name = "FILE.json")]
    file: Option<PathBuf>,

    #[command(flatten)]
    solve: SolveArgs,

    #[command(flatten)]
    results: ResultArgs,
}

#[derive(Subcommand)]
enum Problem {
    LaneChange(Box<LaneChangeCommand>),
}

impl Optimize {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        match (&self.problem, &self.file) {
            (Some(Problem::LaneChange(command)), _) => command.run(library, output),
            (None, Some(file)) => file::run(file, &self.solve, &self.results, library, output),
            (None, None) => Err(NoProblem.into()),
        }
    }
}
