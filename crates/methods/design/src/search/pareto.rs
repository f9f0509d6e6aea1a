//! Compromises between small errors and all other terms of an objective.

use hemiola_number::{Progress, parallel};

use crate::error::{DesignError, require};
use crate::optimize::descent::{FINAL, Minimum};
use crate::optimize::problem::IN_FULL;
use crate::optimize::solver::minimize;
use crate::refinement::design::{Design, refined_design};
use crate::search::multistart::{Candidate, Search};
use crate::specification::definition::Specification;
use crate::terms::objective::further_terms;

/// Smallest and largest emphasis on the terms other than errors.
const EMPHASES: [f64; 2] = [1e-3, 1e3];
/// Number of minima from which the search for each compromise starts.
const POOL: usize = 6;

/// A compromise that is not dominated by another.
#[derive(Clone, Debug)]
pub struct Compromise {
    /// The factor of the terms other than errors.
    pub emphasis: f64,
    /// √(2 × the share of the errors in the objective).
    pub error: f64,
    /// √(2 × the share of the other terms), without that factor.
    pub others: f64,
    /// The pair.
    pub design: Design,
}

/// Computes the Pareto front of errors and all other terms of a specification's objective.
///
/// It consists of the pairs with the smallest objectives found for `points` emphases from 10⁻³ to 10³, without
/// dominated compromises, ordered from small errors to small other terms.
///
/// Minima of a weighted sum give only the convex part of the front. `progress` counts the starts and descents of
/// the search from which all compromises begin.
///
/// # Errors
/// Returns [`DesignError::OutOfRange`] if the objective consists of errors alone or `points` is not between 2 and
/// 100, and the errors of [`design`](crate::design).
///
/// ```
/// use hemiola_design::{Specification, pareto};
/// let mut specification = Specification { starts: 12, ..Specification::new(2, 4, None)? };
/// specification.objective.coefficients = 0.1;
/// let front = pareto(&specification, 5, &())?;
/// assert!(front.windows(2).all(|pair| pair[0].error < pair[1].error && pair[0].others > pair[1].others));
/// # Ok::<(), hemiola_design::DesignError>(())
/// ```
pub fn pareto(
    specification: &Specification,
    points: usize,
    progress: &dyn Progress,
) -> Result<Vec<Compromise>, DesignError> {
    require((2..=100).contains(&points), "the number of points on the front", &points, "2 to 100")?;
    let has_others = !further_terms(specification)?.is_empty();
    require(has_others, "the objective", &"errors alone", "at least one further term")?;
    let search = Search::new(specification, Vec::new())?;
    let (minima, solved) = search.minima(progress);
    let counts = search.counts(solved);
    let emphasis = |k: usize| EMPHASES[0] * (EMPHASES[1] / EMPHASES[0]).powf(k as f64 / (points - 1) as f64);
    let pool: Vec<&Candidate> = minima.iter().take(POOL).collect();
    let best = |emphasis: f64| -> Option<(f64, usize, Minimum)> {
        let descents = pool.iter().filter_map(|candidate| {
            let problem = search.problem(candidate.choice, emphasis);
            let minimum = minimize(&problem, &candidate.minimum.x, FINAL)?;
            problem.unknowns().is_within(&minimum.x).then_some((emphasis, candidate.choice, minimum))
        });
        descents.min_by(|x, y| x.2.merit.total_cmp(&y.2.merit))
    };
    let found = parallel::map(points, |k| best(emphasis(k)));
    let found: Vec<(f64, usize, Minimum)> = found.into_iter().flatten().collect();
    let compromise = |(emphasis, choice, minimum): &(f64, usize, Minimum)| -> Result<Compromise, DesignError> {
        let problem = search.problem(*choice, IN_FULL);
        let [error, others] = problem.shares(&minimum.x).map(|share| (2.0 * share).sqrt());
        let design = refined_design(specification, &problem, &search.choices[*choice], minimum, counts)?;
        Ok(Compromise { emphasis: *emphasis, error, others, design })
    };
    let all = found.iter().map(compromise).collect::<Result<Vec<Compromise>, DesignError>>()?;
    let &Specification { starts, seed, .. } = specification;
    let front = not_excelled(all);
    if front.is_empty() { Err(DesignError::NotFound { starts, seed, solved }) } else { Ok(front) }
}

/// Returns the compromises that are not dominated, by increasing error.
fn not_excelled(mut all: Vec<Compromise>) -> Vec<Compromise> {
    all.sort_by(|x, y| x.error.total_cmp(&y.error).then(x.others.total_cmp(&y.others)));
    let mut front: Vec<Compromise> = Vec::new();
    for compromise in all {
        if front.last().is_none_or(|last| compromise.others < last.others) {
            front.push(compromise);
        }
    }
    front
}
