//! The search: descents from many starts.

use hemiola_number::{Counter, Progress, parallel};

use crate::error::DesignError;
use crate::implicit::descent::{descend, restore};
use crate::implicit::problem::Problem;
use crate::implicit::specification::ImplicitSpecification;
use crate::implicit::start::start;

/// Steps of a restoration from a start.
const RESTORATION: usize = 120;
/// Numbers of steps of the first descents and of the descents of the best candidates.
const FIRST: usize = 60;
const FULL: usize = 1200;
/// Number of candidates that are followed to the end.
const FOLLOWED: usize = 4;

/// A local minimum.
#[derive(Clone, Debug)]
pub(crate) struct Minimum {
    pub(crate) problem: Problem,
    pub(crate) x: Vec<f64>,
    pub(crate) merit: f64,
}

/// Returns the minima that the starts lead to, best first, with the number of starts that satisfied the equations.
pub(crate) fn search(
    specification: &ImplicitSpecification,
    choices: &[Vec<Vec<usize>>],
    progress: &dyn Progress,
) -> Result<(Vec<Minimum>, usize), DesignError> {
    let problems = choices.iter().map(|evaluated| Problem::new(specification, evaluated.clone()));
    let problems: Vec<Problem> = problems.collect::<Result<_, _>>()?;
    let starts = specification.starts;
    let counter = Counter::new(progress, "starts", Some(starts));
    let found = parallel::map(starts, |index| {
        counter.run(|| {
            let mut problem = problems[index % problems.len()].clone();
            let from = specification.start.as_ref();
            let x = start(&problem.layout, from, specification.seed, index);
            let x = restore(&problem, x, RESTORATION)?;
            problem.error_scale = scale(&problem, &x);
            let x = descend(&problem, x, FIRST);
            problem.error_scale = 1.0 / reference(specification.order);
            let merit = problem.merit(&x);
            Some(Minimum { problem, x, merit })
        })
    });
    let mut minima: Vec<Minimum> = found.into_iter().flatten().flatten().collect();
    let solved = minima.len();
    minima.sort_by(|one, other| one.merit.total_cmp(&other.merit));
    minima.truncate(FOLLOWED);
    let counter = Counter::new(progress, "descents", Some(minima.len()));
    let followed = parallel::map(minima.len(), |k| counter.run(|| followed(minima[k].clone(), FULL)));
    let mut followed: Vec<Minimum> = followed.into_iter().flatten().collect();
    followed.sort_by(|one, other| one.merit.total_cmp(&other.merit));
    Ok((followed, solved))
}

/// Descends with the error scaled to its size.
pub(crate) fn followed(minimum: Minimum, steps: usize) -> Minimum {
    let Minimum { mut problem, mut x, .. } = minimum;
    let last = problem.error_scale;
    for _ in 0..3 {
        problem.error_scale = scale(&problem, &x);
        x = descend(&problem, x, steps / 3);
    }
    problem.error_scale = last;
    let merit = problem.merit(&x);
    Minimum { problem, x, merit }
}

fn scale(problem: &Problem, x: &[f64]) -> f64 {
    1.0 / problem.error_norm(x).clamp(1e-6, 1.0)
}

/// Returns a typical error norm of an order, which serves to compare candidates.
fn reference(order: usize) -> f64 {
    [0.3, 0.1, 0.05, 0.01, 0.01][order.clamp(1, 5) - 1]
}
