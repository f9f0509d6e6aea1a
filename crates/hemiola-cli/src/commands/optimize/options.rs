//! Options of grids, methods and iterations.

use std::str::FromStr;

use clap::Args;
use hemiola::optimize::sqp::{self, Watch};
use hemiola::optimize::{ControlProblem, Grid, Guess, Optimum, Shooting, StepRule, Transcription, solve_refined};
use hemiola::tableau::library::Library;

use crate::arguments::{number, scheme};
use crate::failure::Failure;

/// The grid, the method and the iterations.
#[derive(Args)]
pub(crate) struct SolveArgs {
    /// The number of grid points for the control
    #[arg(long, value_name = "N", default_value = "101", value_parser = clap::value_parser!(u32).range(2..=20_000))]
    points: u32,

    /// The method or scheme that integrates
    #[arg(long, value_name = "METHOD", default_value = "linearized:radau-iia-2")]
    method: String,

    /// Its steps from grid point to grid point
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    steps: u32,

    /// Where states are variables: at both ends, at every grid point, or at every K-th
    #[arg(long, value_name = "single|multiple|K", default_value = "multiple")]
    shooting: Place,

    /// Keep the control constant from each grid point to the next, instead of linear
    #[arg(long)]
    constant: bool,

    /// Start on this grid, not from the solutions on coarser ones
    #[arg(long)]
    cold: bool,

    /// The largest residual of the optimality conditions
    #[arg(long, value_name = "E", default_value = "1e-6", value_parser = number::positive)]
    tolerance: f64,

    /// The most iterations on each grid
    #[arg(long, value_name = "N", default_value = "300")]
    iterations: usize,
}

/// Where states are variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place(Shooting);

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let every = || text.parse().ok().filter(|count| *count > 0).map(Shooting::Every);
        let place = match text {
            "single" => Some(Shooting::Single),
            "multiple" => Some(Shooting::Multiple),
            _ => every(),
        };
        place.map(Self).ok_or_else(|| "expected `single`, `multiple` or a number of grid points such as 5".to_owned())
    }
}

impl SolveArgs {
    /// The grid that was asked for.
    pub(crate) fn grid(&self) -> Grid {
        Grid {
            points: self.points as usize,
            steps: self.steps as usize,
            shooting: self.shooting.0,
            is_linear: !self.constant,
        }
    }

    /// Solves a problem whose partitions have these sizes.
    pub(crate) fn solve(
        &self,
        problem: &ControlProblem,
        sizes: &[usize],
        guess: &Guess,
        library: &Library,
        watch: &mut dyn Watch,
    ) -> Result<(Optimum, String), Failure> {
        let rule = StepRule::new(&scheme::read(&self.method, library)?, sizes).map_err(Failure::Rule)?;
        let options = sqp::Options { tolerance: self.tolerance, most_iterations: self.iterations };
        let optimum = if self.cold {
            Transcription::new(problem.clone(), rule.clone(), self.grid())?.solve(guess, options, watch)?
        } else {
            solve_refined(problem, &rule, self.grid(), guess, options, watch)?
        };
        Ok((optimum, rule.label().to_owned()))
    }
}
