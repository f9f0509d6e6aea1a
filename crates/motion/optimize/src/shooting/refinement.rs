//! Refinement from coarse grids to fine grids.

use super::layout::Grid;
use super::solution::Optimum;
use super::transcription::Transcription;
use crate::problem::{ControlProblem, Guess, ProblemError};
use crate::sqp::{Options, Status, Watch};
use crate::steps::StepRule;

/// Smallest number of points of a coarse grid.
const FEWEST_POINTS: usize = 20;

/// Solves a problem on a sequence of grids. Each grid has twice as many intervals as the preceding one and starts from
/// its solution; the last is the requested grid. An interrupted or unsuccessful coarse solution serves as a guess for
/// the next grid.
///
/// ```
/// use hemiola_optimize::sqp::{Options, Status};
/// use hemiola_optimize::{Grid, LaneChange, Shooting, StepRule, solve_refined};
/// use hemiola_tableau::{Scheme, library};
/// let find = |id: &str| -> Result<_, Box<dyn std::error::Error>> { Ok(library::method(id)?) };
/// let rule = StepRule::new(&Scheme::parse("linearized:radau-iia-2", find)?, &[7])?;
/// let lane = LaneChange::default();
/// let grid = Grid { points: 51, steps: 2, shooting: Shooting::Multiple, is_linear: true };
/// let optimum = solve_refined(&lane.problem(), &rule, grid, &lane.guess(), Options::default(), &mut ())?;
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
    grid: Grid,
    guess: &Guess,
    options: Options,
    watch: &mut dyn Watch,
) -> Result<Optimum, ProblemError> {
    let mut sizes = vec![grid.points];
    while let Some(&last) = sizes.last()
        && last.saturating_sub(1) / 2 + 1 >= FEWEST_POINTS
    {
        sizes.push((last - 1) / 2 + 1);
    }
    let mut guess = guess.clone();
    for points in sizes.into_iter().skip(1).rev() {
        let coarse = Transcription::new(problem.clone(), rule.clone(), Grid { points, ..grid })?;
        let optimum = coarse.solve(&guess, options, watch)?;
        if matches!(optimum.solution.status, Status::Optimal | Status::Interrupted | Status::IterationLimit) {
            guess = optimum.found;
        }
    }
    Transcription::new(problem.clone(), rule.clone(), grid)?.solve(&guess, options, watch)
}
