//! The multistart search.

use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

use rayon::prelude::*;

use crate::descent::{Minimum, minimize, restore};
use crate::equations::{Conditions, Equations};
use crate::error::DesignError;
use crate::finish::{Design, finish};
use crate::pattern::Pattern;
use crate::specification::Specification;
use crate::start::random_start;

/// Iterations in which a start must satisfy the conditions; successful ones take some 15, order 5 up to a thousand.
const RESTORE_ITERATIONS: usize = 1000;
/// Steps of the first descent, which only has to rank the starts, and the gain for which a step is worth it.
const RANKING: (usize, f64) = (50, 1e-4);
/// The same for the final descent, which ends when twelve digits of the norm stand.
const FINAL: (usize, f64) = (500, 1e-12);
/// How many of the ranked starts are followed to their minimum.
const FOLLOWED: usize = 12;

/// A start that satisfied all conditions.
struct Candidate {
    start: usize,
    choice: usize,
    minimum: Minimum,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The starts that are done.
    pub done: usize,
    /// All starts.
    pub starts: usize,
    /// The smallest principal error norm so far, before the last descents; infinite where there is none yet.
    pub best_norm: f64,
}

/// Finds the pair with the smallest principal error norm over all starts.
///
/// `progress` hears of every start that is done, possibly from several threads; once it breaks, the starts that remain
/// are left out and the best so far is finished. A search that is not cut short gives the same result on any number of
/// threads.
///
/// # Errors
/// [`DesignError::NotFound`] where no start leads to a method with coefficients within the bound,
/// [`DesignError::OutOfRange`] where the specification contradicts itself.
///
/// ```
/// use hemiola_design::{Specification, design};
/// use hemiola_polynomial::Axis;
/// use std::ops::ControlFlow;
/// let mut specification = Specification::new(1, 3, None, Axis::Imaginary).unwrap();
/// specification.starts = 8;
/// let design = design(&specification, |_| ControlFlow::Continue(())).unwrap();
/// assert!(design.largest_coefficient <= 1.0);
/// ```
pub fn design(
    specification: &Specification,
    progress: impl Fn(Progress) -> ControlFlow<()> + Sync,
) -> Result<Design, DesignError> {
    specification.validate()?;
    let conditions = Conditions::new(specification)?;
    let choices = specification.slow_stage_choices();
    let patterns: Vec<Pattern> = choices.iter().map(|choice| Pattern::new(specification.fast, choice)).collect();
    let (done, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    // Positive doubles are ordered as their bits are.
    let best_norm = AtomicU64::new(f64::INFINITY.to_bits());
    let report = |minimum: Option<&Minimum>| {
        let norm = minimum.map_or(f64::INFINITY, |minimum| minimum.norm).to_bits();
        let best_norm = f64::from_bits(best_norm.fetch_min(norm, Relaxed).min(norm));
        let done = done.fetch_add(1, Relaxed) + 1;
        if progress(Progress { done, starts: specification.starts, best_norm }).is_break() {
            stopped.store(true, Relaxed);
        }
    };
    let from_start = |start: usize| {
        if stopped.load(Relaxed) {
            return None;
        }
        let choice = start % patterns.len();
        let equations = Equations::new(&conditions, patterns[choice].clone());
        let x = random_start(&patterns[choice], specification.slow, specification.seed, start);
        let minimum = restore(&equations, &x, RESTORE_ITERATIONS)
            .and_then(|x| minimize(&equations, &x, specification.largest_coefficient, RANKING));
        report(minimum.as_ref());
        minimum.map(|minimum| Candidate { start, choice, minimum })
    };
    let mut candidates: Vec<Candidate> = (0..specification.starts).into_par_iter().filter_map(from_start).collect();
    let solved = candidates.len();
    let rank = |x: &Candidate, y: &Candidate| compare(x, y, specification.largest_coefficient);
    candidates.sort_by(rank);
    candidates.truncate(FOLLOWED);
    let mut best: Vec<Candidate> = candidates
        .into_par_iter()
        .map(|candidate| {
            let equations = Equations::new(&conditions, patterns[candidate.choice].clone());
            let minimum = minimize(&equations, &candidate.minimum.x, specification.largest_coefficient, FINAL);
            Candidate { minimum: minimum.unwrap_or(candidate.minimum), ..candidate }
        })
        .collect();
    best.sort_by(rank);
    let within = |candidate: &&Candidate| largest(&candidate.minimum.x) <= specification.largest_coefficient;
    let Some(best) = best.iter().find(within) else {
        let &Specification { starts, seed, largest_coefficient: largest, .. } = specification;
        return Err(DesignError::NotFound { starts, seed, largest });
    };
    let equations = Equations::new(&conditions, patterns[best.choice].clone());
    finish(specification, &equations, &choices[best.choice], &best.minimum, (done.into_inner(), solved))
}

/// Within the bound first, then by the norm, then by the largest coefficient: some coefficients do not enter the norm.
/// The number of the start decides ties, so that threads do not.
fn compare(x: &Candidate, y: &Candidate, bound: f64) -> Ordering {
    // The first descent ends near the bound, not on its right side.
    let exceeds = |candidate: &Candidate| largest(&candidate.minimum.x) > 1.05 * bound;
    // Descents to one minimum end within 1e-9 of each other.
    let norm = |candidate: &Candidate| (candidate.minimum.norm * 1e8).round();
    exceeds(x)
        .cmp(&exceeds(y))
        .then(norm(x).total_cmp(&norm(y)))
        .then(largest(&x.minimum.x).total_cmp(&largest(&y.minimum.x)))
        .then(x.start.cmp(&y.start))
}

pub(crate) fn largest(x: &[f64]) -> f64 {
    x.iter().map(|x| x.abs()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu::rational::RBig;
    use hemiola_order::{CheckOptions, Grammar, OrderCheck, Stages, Trees, Weights, principal_error_norm};
    use hemiola_polynomial::Axis;
    use hemiola_tableau::{Exact, dot};

    fn designed(specification: &Specification) -> Design {
        design(specification, |_| ControlFlow::Continue(())).unwrap()
    }

    #[test]
    fn the_main_job_beats_the_published_pair() {
        let design = designed(&Specification::new(2, 5, None, Axis::Imaginary).unwrap());
        assert!(design.largest_coefficient <= 1.0 && design.converged);
        // Where the descents of other seeds end, too.
        assert!((design.error_norm - 0.189_714_245_397).abs() < 1e-11);
        let norm = principal_error_norm(&design.method.to_f64(), 2).unwrap();
        assert!((norm - design.error_norm).abs() < 1e-12);
        let check = OrderCheck::new(&design.method, CheckOptions { highest_order: 3, ..Default::default() }).unwrap();
        assert_eq!(check.order(), 2);
        // Forty decimals leave at most some 1e-39 in a condition.
        assert!(check.orders()[..2].iter().all(|order| order.max_residual < 1e-38));
        assert_eq!(design.method.exact().partitions[0].evaluated_stages().len(), 2);
    }

    #[test]
    fn the_polynomial_is_met_to_forty_decimals() {
        let specification = Specification::new(4, 6, None, Axis::Imaginary).unwrap();
        let design = designed(&Specification { starts: 6, ..specification.clone() });
        let fast = &design.method.exact().partitions[1];
        let mut power = vec![Exact::from(1); 6];
        for beta in &specification.polynomial[1..] {
            let residual = dot(&fast.b, &power) - Exact::from(RBig::clone(beta));
            assert!(residual.to_f64().abs() < 1e-38);
            power = fast.times(&power);
        }
        let check = OrderCheck::new(&design.method, CheckOptions { highest_order: 5, ..Default::default() }).unwrap();
        assert_eq!(check.order(), 4);
        let norm = principal_error_norm(&design.method.to_f64(), 4).unwrap();
        assert!((norm - design.error_norm).abs() < 1e-12);
    }

    #[test]
    fn conditions_of_order_five_are_satisfied() {
        let mut specification = Specification::new(6, 8, None, Axis::Imaginary).unwrap();
        specification.slow_stages = Some(vec![0, 1, 3, 4, 6, 7]);
        let conditions = Conditions::new(&specification).unwrap();
        let pattern = Pattern::new(8, &[0, 1, 3, 4, 6, 7]);
        let equations = Equations::new(&conditions, pattern.clone());
        let found = (0..24).find_map(|start| {
            let x = random_start(&pattern, 6, 1, start);
            restore(&equations, &x, RESTORE_ITERATIONS)
        });
        let x = found.unwrap();
        let tableau = pattern.tableau(&x);
        let trees = Trees::new(&Grammar::partitioned(2), 6).unwrap();
        let mut weights = Weights::new(&trees, &tableau, Stages::Solved);
        let largest = |order: usize, weights: &mut Weights<f64>| {
            trees.of_order(order).into_iter().map(|id| weights.residual(id).abs()).fold(0.0, f64::max)
        };
        assert_eq!((1..=5).map(|order| trees.of_order(order).len()).sum::<usize>(), 286);
        // The bound at which a restoration stops, and the rounding of another way to sum.
        assert!((1..=5).all(|order| largest(order, &mut weights) < 2e-13));
        assert!(largest(6, &mut weights) > 1e-4);
    }

    #[test]
    fn threads_do_not_change_the_result() {
        let specification =
            Specification { starts: 12, seed: 7, ..Specification::new(2, 5, None, Axis::Imaginary).unwrap() };
        let with_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| designed(&specification).method.to_json())
        };
        assert_eq!(with_threads(1), with_threads(3));
        let other = Specification { seed: 8, ..specification.clone() };
        assert_ne!(designed(&other).method.to_json(), with_threads(1));
    }

    #[test]
    fn an_interrupted_search_keeps_its_best() {
        let specification = Specification::new(2, 5, None, Axis::Imaginary).unwrap();
        let after_ten =
            |progress: Progress| if progress.done < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        let design = design(&specification, after_ten).unwrap();
        assert!(design.tried < 20 && design.solved <= design.tried && design.error_norm < 0.5);
        assert!(design.method.source().note.as_ref().unwrap().contains("interrupted"));
    }

    #[test]
    fn contradictions_are_refused() {
        let specification = Specification::new(2, 5, None, Axis::Imaginary).unwrap();
        for broken in [
            Specification { starts: 0, ..specification.clone() },
            Specification { slow_stages: Some(vec![3, 1]), ..specification.clone() },
            Specification { slow_stages: Some(vec![1, 5]), ..specification.clone() },
            Specification { largest_coefficient: f64::NAN, ..specification.clone() },
            Specification { polynomial: vec![RBig::ONE; 6], ..specification.clone() },
        ] {
            assert!(matches!(design(&broken, |_| ControlFlow::Continue(())), Err(DesignError::OutOfRange { .. })));
        }
        let tight = Specification { largest_coefficient: 0.1, starts: 4, ..specification };
        let tight = design(&tight, |_| ControlFlow::Continue(()));
        assert!(matches!(tight, Err(DesignError::NotFound { starts: 4, .. })));
    }
}
