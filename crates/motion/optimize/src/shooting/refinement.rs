//! Refinement from coarse grids to fine grids.

use hemiola_number::Progress;

use super::layout::ControlGrid;
use super::solution::ControlOptimum;
use super::transcription::Transcription;
use crate::problem::{ControlProblem, Guess, ProblemError};
use crate::sqp::{SolverOptions, Status};
use crate::steps::StepRule;

/// Smallest number of points of a coarse grid.
const FEWEST_POINTS: usize = 20;

/// Solves a problem on a sequence of grids. Each grid has twice as many intervals as the preceding one and starts from
/// its solution; the last is the requested grid. An interrupted or unsuccessful coarse solution serves as a guess for
/// the next grid.
///
/// ```
/// use hemiola_optimize::sqp::{SolverOptions, Status};
/// use hemiola_optimize::{ControlGrid, LaneChange, ShootingNodes, StepRule, solve_refined};
/// use hemiola_tableau::{Scheme, library};
/// let find = |id: &str| -> Result<_, Box<dyn std::error::Error>> { Ok(library::method(id)?) };
/// let rule = StepRule::new(&Scheme::parse("linearized:radau-iia-2", find)?, &[7])?;
/// let lane = LaneChange::default();
/// let grid = ControlGrid { points: 51, steps: 2, shooting: ShootingNodes::Multiple, is_linear: true };
/// let optimum = solve_refined(&lane.problem(), &rule, grid, &lane.guess(), SolverOptions::default(), &())?;
/// assert_eq!(optimum.solution.status, Status::Optimal);
/// assert!((optimum.found.duration - 7.711037).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ProblemError`] as for [`Transcription`].
pub fn solve_refined(
    problem: &ControlProblem,
    rule: &StepRule,
    grid: ControlGrid,
    guess: &Guess,
    options: SolverOptions,
    progress: &dyn Progress,
) -> Result<ControlOptimum, ProblemError> {
    let mut sizes = vec![grid.points];
    while let Some(&last) = sizes.last()
        && last.saturating_sub(1) / 2 + 1 >= FEWEST_POINTS
    {
        sizes.push((last - 1) / 2 + 1);
    }
    let mut guess = guess.clone();
    for points in sizes.into_iter().skip(1).rev() {
        let coarse = Transcription::new(problem.clone(), rule.clone(), ControlGrid { points, ..grid })?;
        let optimum = coarse.solve(&guess, options, progress)?;
        if matches!(optimum.solution.status, Status::Optimal | Status::Interrupted | Status::IterationLimit) {
            guess = optimum.found;
        }
    }
    Transcription::new(problem.clone(), rule.clone(), grid)?.solve(&guess, options, progress)
}
