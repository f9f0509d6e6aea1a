//! Options of grids, methods and iterations.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use hemiola::number::Progress;
use hemiola::optimize::sqp::{self, Hessian};
use hemiola::optimize::{
    ControlGrid, ControlOptimum, ControlProblem, Guess, ProblemError, RuleError, ShootingNodes, StepRule,
    Transcription, solve_refined,
};
use hemiola::tableau::library::Library;

use crate::arguments::choice::{Choice, Choices, choice};
use crate::arguments::{number, source};
use crate::commands::optimize::warm_start::SavedResult;
use crate::failure::{CommandError, Failure};

impl CommandError for ProblemError {}

impl CommandError for RuleError {}

/// The grid, the method and the iterations.
#[derive(Args)]
pub(crate) struct SolveArgs {
    /// Number of grid points for the control [default: that of the file, or 101]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=20_000))]
    points: Option<u32>,

    /// Method or scheme of integration [default: that of the file, or linearized:radau-iia-2]
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,

    /// Number of steps between neighboring grid points [default: that of the file, or 2]
    #[arg(long, alias = "steps", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    steps_per_interval: Option<u32>,

    /// Grid points whose states are unknowns [default: that of the file, or multiple]
    ///
    /// single: both ends; multiple: every grid point; K: every K-th grid point.
    #[arg(long, value_name = "single|multiple|K")]
    shooting: Option<ShootingArg>,

    /// Shape of the controls between grid points [default: that of the problem]
    #[arg(long, value_name = "SHAPE")]
    control: Option<ControlShape>,

    /// `--control constant`
    #[arg(long, hide = true, conflicts_with = "control")]
    constant: bool,

    /// Solve on this grid only
    ///
    /// Without this option, the iteration starts from the solutions on coarser grids.
    #[arg(long, alias = "cold")]
    single_grid: bool,

    /// Start from a result that --json printed
    ///
    /// The result may have any grid. Its multipliers are used if the grid is the same.
    #[arg(long, value_name = "F.json", conflicts_with = "single_grid")]
    start: Option<PathBuf>,

    /// Second derivatives of the nonlinear program
    #[arg(long, value_name = "WHICH", default_value = "exact", value_parser = choice::<Hessian>())]
    hessian: Hessian,

    /// Tolerance on the residual of the optimality conditions
    #[arg(long, value_name = "E", default_value = "1e-6", value_parser = number::positive)]
    tolerance: f64,

    /// Largest number of iterations on each grid
    #[arg(long, value_name = "N", default_value = "300")]
    iterations: usize,
}

/// Controls between grid points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ControlShape {
    Constant,
    Linear,
}

impl Choices for Hessian {
    const ALL: &'static [Choice<Self>] = &[
        (Self::Exact, "exact", "Exact second derivatives of the discrete steps"),
        (Self::Bfgs, "bfgs", "Damped BFGS updates, block by block, from differences of gradients"),
    ];
}

/// Grid points whose states are variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ShootingArg(ShootingNodes);

impl FromStr for ShootingArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let every = || text.parse().ok().filter(|count| *count > 0).map(ShootingNodes::Every);
        let place = match text {
            "single" => Some(ShootingNodes::Single),
            "multiple" => Some(ShootingNodes::Multiple),
            _ => every(),
        };
        place.map(Self).ok_or_else(|| "expected `single`, `multiple` or a number of grid points such as 5".to_owned())
    }
}

/// Problem to solve, with default settings.
pub(crate) struct SolveTask<'a> {
    pub(crate) problem: &'a ControlProblem,
    /// Sizes of the partitions of the states.
    pub(crate) sizes: &'a [usize],
    pub(crate) guess: &'a Guess,
    pub(crate) grid: ControlGrid,
    pub(crate) method: &'a str,
}

impl SolveArgs {
    /// Returns the requested grid, with default values for everything that is not given.
    pub(crate) fn grid(&self, usual: ControlGrid) -> ControlGrid {
        ControlGrid {
            points: self.points.map_or(usual.points, |points| points as usize),
            steps: self.steps_per_interval.map_or(usual.steps, |steps| steps as usize),
            shooting: self.shooting.map_or(usual.shooting, |place| place.0),
            is_linear: !self.constant && self.control.map_or(usual.is_linear, |shape| shape == ControlShape::Linear),
        }
    }

    /// Solves a problem. Also returns the method's name.
    pub(crate) fn solve(
        &self,
        task: &SolveTask<'_>,
        library: &Library,
        progress: &dyn Progress,
    ) -> Result<(ControlOptimum, String), Failure> {
        let method = source::scheme(self.method.as_deref().unwrap_or(task.method), library)?;
        let rule = StepRule::new(&method, task.sizes)?;
        let options =
            sqp::SolverOptions { tolerance: self.tolerance, most_iterations: self.iterations, hessian: self.hessian };
        let (problem, grid) = (task.problem, self.grid(task.grid));
        let program = || Transcription::new(problem.clone(), rule.clone(), grid);
        let optimum = if let Some(file) = &self.start {
            let saved = SavedResult::read(file)?;
            program()?.solve_warm(&saved.guess(), &saved.multipliers, options, progress)?
        } else if self.single_grid {
            program()?.solve(task.guess, options, progress)?
        } else {
            solve_refined(problem, &rule, grid, task.guess, options, progress)?
        };
        Ok((optimum, rule.label().to_owned()))
    }
}
