//! `hemiola optimize`: optimal control problems.

mod lane_change;
mod options;
mod page;
mod progress;

use clap::{Args, Subcommand};
use hemiola::tableau::library::Library;

use crate::commands::optimize::lane_change::LaneChangeCommand;
use crate::failure::{Failure, Outcome};
use crate::output::writer::Output;

/// Solve an optimal control problem by shooting with exact derivatives of the steps
#[derive(Args)]
#[command(after_help = "\
The problem becomes a nonlinear program on a grid of controls, solved by sequential quadratic programming with exact Hessians. The status is one \
of: optimal, locally infeasible, stalled, iteration limit, interrupted. Ctrl-C ends the iterations and keeps the iterate.

Exit codes: 0 optimal, 1 another status, 2 invalid usage or input, 130 interrupted.

Examples:
  hemiola optimize lane-change
  hemiola optimize lane-change --points 201 --output lane.svg
  hemiola optimize lane-change --gear 3 --speed 20 --pedal 0.5 --data drive.csv
  hemiola optimize lane-change --method gauss-2 --shooting single --points 26")]
pub(crate) struct Optimize {
    #[command(subcommand)]
    problem: Problem,
}

#[derive(Subcommand)]
enum Problem {
    LaneChange(Box<LaneChangeCommand>),
}

impl Optimize {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<Outcome, Failure> {
        match &self.problem {
            Problem::LaneChange(command) => command.run(library, output),
        }
    }
}
