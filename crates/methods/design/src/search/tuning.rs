//! The outer search for coupled profiles, over the damping, the requested profile and its weight.
//!
//! The profile is a minimum over many first exits and hence neither smooth nor continuous in the coefficients. The
//! objective only steers toward it. The outer search optimizes this steering over a few parameters by the simplex
//! method of Nelder & Mead (1965).

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

use argmin::core::checkpointing::{Checkpoint, CheckpointingFrequency};
use argmin::core::{CostFunction, Error, Executor, IterState, State};
use argmin::solver::neldermead::NelderMead;
use hemiola_number::{Progress, Update, parallel};

use crate::error::{DesignError, require};
use crate::optimize::descent::Minimum;
use crate::optimize::problem::{Formulation, IN_FULL, NOT_AT_ALL};
use crate::optimize::profile_merit::{profile, profile_merit};
use crate::optimize::restore::{RESTORE_ITERATIONS, restore};
use crate::optimize::solver::minimize;
use crate::pair::partitions::FAST;
use crate::search::multistart::Search;
use crate::search::progress::TUNING;
use crate::specification::definition::Specification;
use crate::specification::objective::{Coupling, Objective};
use crate::specification::stability::Stability;
use crate::unknowns::free_entries::Unknowns;

/// Number of minima of the error alone from which every descent starts.
const POOL: usize = 8;
/// Steps and relative gain of a descent, which need only distinguish parameters.
const DESCENT: (usize, f64) = (100, 1e-5);
/// Range of the weight: smaller weights have no effect, larger ones only hide the errors.
const LEAST_WEIGHT: f64 = 0.01;
const MOST_WEIGHT: f64 = 100.0;

/// Largest number of iterations; a simplex converges much earlier.
const MOST_ITERATIONS: u64 = 1_000_000;

/// The limits of the outer search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuningLimits {
    /// The factor by which the error norm may exceed that of the design with the smallest error.
    pub price: f64,
    /// Iterations of the simplex method, with one or two evaluations each.
    pub iterations: u64,
}

type Simplex = NelderMead<Vec<f64>, f64>;
type Iteration = IterState<Vec<f64>, (), (), (), (), f64>;

/// Finds the damping of the fast partition's polynomial, the requested profile and its weight that give the best
/// coupled profile at the strengths γ of a specification's [`Coupling`]. Their values in the specification are the
/// starting point.
///
/// The objective is the mean over γ of the profile, times the fast limit relative to that of the design with the
/// smallest error. `progress` counts the starts and descents of the search for that design, then the iterations in the
/// phase [`TUNING`], and receives the objective. If it stops the search, the best result so far is returned. Before
/// each report of an iteration, `save` receives a checkpoint from which another call continues.
///
/// ```
/// use hemiola_design::{Coupling, Specification, TuningLimits, tune};
/// use hemiola_number::Update;
/// use std::{ops::ControlFlow, sync::Mutex};
/// let mut specification = Specification { starts: 12, ..Specification::new(2, 4, None)? };
/// specification.objective.coupling =
///     Some(Coupling { damping: 0.05, gammas: vec![0.2], profile: vec![0.99], weight: 1.0 });
/// let tuning = TuningLimits { price: 1.5, iterations: 2 };
/// let best = Mutex::new(Vec::new());
/// let progress = |update: Update<'_>| {
///     if update.phase == "tuning" {
///         best.lock().unwrap().push(update.values[0].1);
///     }
///     ControlFlow::Continue(())
/// };
/// let tuned = tune(&specification, tuning, None, &|_| (), &progress)?;
/// assert_eq!(tuned.objective.coupling.map(|wish| wish.gammas), Some(vec![0.2]));
/// let best = best.into_inner().unwrap();
/// assert!(best.len() == 2 && best[0] > 0.5 && best[1] >= best[0]);
/// # Ok::<(), hemiola_design::DesignError>(())
/// ```
///
/// # Errors
/// Returns [`DesignError::OutOfRange`] if the specification has no coupling, its fast partition has no optimal
/// polynomial or the checkpoint is invalid, and the errors of [`design`](crate::design).
pub fn tune(
    specification: &Specification,
    tuning: TuningLimits,
    checkpoint: Option<&[u8]>,
    save: &dyn Fn(&[u8]),
    progress: &dyn Progress,
) -> Result<Specification, DesignError> {
    specification.validate()?;
    require(tuning.price >= 1.0 && tuning.price.is_finite(), "the price", &tuning.price, "a factor of at least 1")?;
    let iterations = (1..=MOST_ITERATIONS).contains(&tuning.iterations);
    require(iterations, "the number of iterations", &tuning.iterations, "1 to 1 million")?;
    let start = Parameters::of(specification)?;
    let wish = specification.objective.coupling.clone().unwrap_or_default();
    let simple = Specification {
        objective: Objective { coupling: None, ..specification.objective.clone() },
        ..specification.clone()
    };
    let pool = SolutionPool::new(&simple, wish.damping, progress)?;
    if pool.is_cut {
        // A simplex on the pool of an interrupted search could not be continued later.
        return Ok(specification.clone());
    }
    let store = MemoryCheckpoint::default();
    store.0.borrow_mut().checkpoint = checkpoint.map(<[u8]>::to_vec);
    let reporter = Reporter { store: store.clone(), iterations: tuning.iterations, save, progress };
    let problem = ProfileCost { specification, pool: &pool, price: tuning.price, reporter: &reporter };
    let corners = start.simplex();
    let refused = |found: String| DesignError::OutOfRange {
        name: "the checkpoint of the outer search",
        found,
        expected: "a checkpoint written by this search",
    };
    let earlier = store.load().map_err(|error| refused(error.to_string()))?;
    let count = corners.len() - 1;
    let is_other = |(_, state): &(Simplex, Iteration)| state.param.as_ref().is_none_or(|x| x.len() != count);
    if earlier.as_ref().is_some_and(is_other) {
        return Err(refused("a checkpoint with other parameters".to_owned()));
    }
    let result =
        Executor::new(problem, NelderMead::new(corners).with_sd_tolerance(1e-4).map_err(|error| unexpected(&error))?)
            .configure(|state| state.max_iters(tuning.iterations))
            .checkpointing(store)
            .run();
    let best = match result {
        Ok(result) => {
            // At the end of the search, a request to stop has no effect.
            let _ = reporter.report();
            result.state.best_param
        }
        // An interrupted search ends with an error; return its best result.
        Err(_) => reporter.store.0.borrow().best.as_ref().map(|(x, _)| x.clone()),
    };
    Ok(best.map_or_else(|| specification.clone(), |x| Parameters(x).applied_to(specification)))
}

fn unexpected(error: &Error) -> DesignError {
    DesignError::OutOfRange {
        name: "a number of the outer search",
        found: error.to_string(),
        expected: "a finite number",
    }
}

/// The parameters: damping η, the requested profile at every γ, and the logarithm of its weight.
struct Parameters(Vec<f64>);

impl Parameters {
    fn of(specification: &Specification) -> Result<Self, DesignError> {
        let missing = |name, expected| DesignError::OutOfRange { name, found: "none".to_owned(), expected };
        let Stability::Optimal { damping, .. } = &specification.stability[FAST] else {
            return Err(missing(
                "the fast partition's optimal polynomial",
                "an optimum on an axis, with a damping to tune",
            ));
        };
        let Some(coupling) = specification.objective.coupling.as_ref().filter(|coupling| coupling.weight > 0.0) else {
            return Err(missing(
                "the coupled profile",
                "coupling strengths, profiles and a positive weight to begin with",
            ));
        };
        require(
            (LEAST_WEIGHT..=MOST_WEIGHT).contains(&coupling.weight),
            "the initial weight of the profile in the outer search",
            &coupling.weight,
            "a number from 0.01 to 100",
        )?;
        let profile = coupling.profile.iter().copied();
        Ok(Self(std::iter::once(*damping).chain(profile).chain([coupling.weight.ln()]).collect()))
    }

    /// Returns the vertices of the first simplex.
    fn simplex(&self) -> Vec<Vec<f64>> {
        let last = self.0.len() - 1;
        let moved = |j: usize| {
            let mut corner = self.0.clone();
            corner[j] += match j {
                0 => 0.06,
                _ if j == last => 1.0,
                _ => -0.08,
            };
            corner
        };
        std::iter::once(self.0.clone()).chain((0..=last).map(moved)).collect()
    }

    /// Returns the specification with these parameters, rounded so that its file is readable.
    fn applied_to(&self, specification: &Specification) -> Specification {
        let rounded = |x: f64, digits: f64| (x * digits).round() / digits;
        let mut applied = specification.clone();
        let last = self.0.len() - 1;
        if let Stability::Optimal { damping, .. } = &mut applied.stability[FAST] {
            *damping = rounded(self.0[0].clamp(0.0, 0.9), 1e3);
        }
        if let Some(Coupling { profile, weight, .. }) = &mut applied.objective.coupling {
            profile.iter_mut().zip(&self.0[1..last]).for_each(|(part, x)| *part = rounded(x.clamp(0.01, 2.0), 1e3));
            *weight = rounded(self.0[last].clamp(LEAST_WEIGHT.ln(), MOST_WEIGHT.ln()).exp(), 1e2);
        }
        applied
    }
}

/// Solutions with small errors, the smallest error norm, and the fast limit of its design.
struct SolutionPool {
    solutions: Vec<(Unknowns, Vec<f64>)>,
    error: f64,
    fast_limit: f64,
    /// Whether the search for them was stopped.
    is_cut: bool,
}

impl SolutionPool {
    fn new(specification: &Specification, damping: f64, progress: &dyn Progress) -> Result<Self, DesignError> {
        let search = Search::new(specification, Vec::new())?;
        let (minima, solved) = search.minima(progress);
        let best = minima.first().map(|best| search.problem(best.choice, NOT_AT_ALL).error_norm(&best.minimum.x));
        let mut solutions: Vec<(Unknowns, Vec<f64>)> = Vec::new();
        let mut merits: Vec<f64> = Vec::new();
        for candidate in minima {
            let Minimum { x, merit, .. } = candidate.minimum;
            // Many starts lead to the same minimum.
            if merits.iter().all(|other| (other - merit).abs() > 1e-6 * merit) && solutions.len() < POOL {
                merits.push(merit);
                solutions.push((search.unknowns[candidate.choice].clone(), x));
            }
        }
        let &Specification { starts, seed, .. } = specification;
        let none = || DesignError::NotFound { starts, seed, solved };
        let ((unknowns, x), error) = solutions.first().zip(best).ok_or_else(none)?;
        let fast_limit = profile(specification, unknowns, x, damping, &[])?.fast_limit;
        Ok(Self { solutions, error, fast_limit, is_cut: search.is_cut() })
    }
}

/// The objective function of the outer search.
struct ProfileCost<'a> {
    specification: &'a Specification,
    pool: &'a SolutionPool,
    price: f64,
    reporter: &'a Reporter<'a>,
}

impl ProfileCost<'_> {
    /// Returns −(mean profile × fast limit) of the best design from the pool, plus a penalty for an error beyond
    /// the price.
    fn of(&self, specification: &Specification) -> Option<f64> {
        let formulation = Formulation::new(specification).ok()?;
        let descend = |k: usize| {
            let (unknowns, x) = &self.pool.solutions[k];
            let problem = formulation.problem(unknowns.clone(), IN_FULL);
            let minimum = minimize(&problem, &restore(&problem.equations, x, RESTORE_ITERATIONS)?, DESCENT)?;
            let merit = profile_merit(specification, &problem, &minimum.x)?;
            unknowns.is_within(&minimum.x).then(|| (merit, problem.error_norm(&minimum.x), k, minimum.x))
        };
        let minima = parallel::map(self.pool.solutions.len(), descend);
        let (_, error, k, x) = minima.into_iter().flatten().min_by(|x, y| x.0.total_cmp(&y.0))?;
        let wish = specification.objective.coupling.as_ref()?;
        let found = profile(specification, &self.pool.solutions[k].0, &x, wish.damping, &wish.gammas).ok()?;
        let mean = found.values.iter().map(|at| at.practical.value).sum::<f64>() / found.values.len() as f64;
        let excess = (error / (self.price * self.pool.error)).ln().max(0.0);
        Some(excess - mean * found.fast_limit / self.pool.fast_limit)
    }
}

impl CostFunction for ProfileCost<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, Error> {
        if self.reporter.report().is_break() {
            return Err(Error::msg("interrupted"));
        }
        // A value worse than the objective of any design.
        const NONE: f64 = 10.0;
        let cost = self.of(&Parameters(x.clone()).applied_to(self.specification)).unwrap_or(NONE);
        let mut state = self.reporter.store.0.borrow_mut();
        if state.best.as_ref().is_none_or(|(_, least)| cost < *least) {
            state.best = Some((x.clone(), cost));
        }
        Ok(cost)
    }
}

/// The state of the outer search after its last iteration.
#[derive(Default)]
struct TuningState {
    /// Solver and iteration as bytes, since JSON cannot represent infinite numbers.
    checkpoint: Option<Vec<u8>>,
    best: Option<(Vec<f64>, f64)>,
    /// The number of iterations, if not yet reported.
    unreported: Option<u64>,
}

impl TuningState {
    fn reach(&mut self, iteration: &Iteration) {
        self.unreported = Some(iteration.get_iter());
        // The best result before a checkpoint is restored without another evaluation.
        if let Some(best) = iteration.get_best_param() {
            self.best = Some((best.clone(), iteration.get_best_cost()));
        }
    }
}

/// The checkpoint in memory; the caller decides where to store it.
#[derive(Clone, Default)]
struct MemoryCheckpoint(Rc<RefCell<TuningState>>);

impl Checkpoint<Simplex, Iteration> for MemoryCheckpoint {
    fn save(&self, solver: &Simplex, iteration: &Iteration) -> Result<(), Error> {
        let mut state = self.0.borrow_mut();
        state.checkpoint = Some(postcard::to_stdvec(&(solver, iteration))?);
        state.reach(iteration);
        Ok(())
    }

    fn load(&self) -> Result<Option<(Simplex, Iteration)>, Error> {
        let mut state = self.0.borrow_mut();
        let Some(bytes) = &state.checkpoint else { return Ok(None) };
        let found: (Simplex, Iteration) = postcard::from_bytes(bytes)?;
        state.reach(&found.1);
        Ok(Some(found))
    }

    fn frequency(&self) -> CheckpointingFrequency {
        CheckpointingFrequency::Always
    }
}

/// Reports the iterations. The solver owns the checkpoint and lives longer than `save` and `progress`, so the next
/// evaluation of the objective function reports an iteration.
struct Reporter<'a> {
    store: MemoryCheckpoint,
    iterations: u64,
    save: &'a dyn Fn(&[u8]),
    progress: &'a dyn Progress,
}

impl Reporter<'_> {
    fn report(&self) -> ControlFlow<()> {
        let mut state = self.store.0.borrow_mut();
        let Some(done) = state.unreported.take() else { return ControlFlow::Continue(()) };
        (self.save)(state.checkpoint.as_deref().unwrap_or_default());
        let best = state.best.as_ref().map(|(_, cost)| ("coupled limit over the fast limit", -cost));
        self.progress.report(Update {
            phase: TUNING,
            done: done as usize,
            total: Some(self.iterations as usize),
            values: best.as_slice(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::progress::STARTS;
    use crate::{Design, design};
    use hemiola_stability::coupled_profile;

    fn specification(fast: usize, wanted: f64) -> Specification {
        let mut specification = Specification { starts: 12, ..Specification::new(2, fast, None).unwrap() };
        specification.objective.coupling =
            Some(Coupling { damping: 0.05, gammas: vec![0.2], profile: vec![wanted], weight: 1.0 });
        specification
    }

    #[test]
    fn tuned_profiles_are_better_at_a_price() {
        let specification = specification(7, 0.9);
        let tuning = TuningLimits { price: 1.5, iterations: 6 };
        let tuned = tune(&specification, tuning, None, &|_| (), &()).unwrap();
        let simple = Specification { objective: Objective::default(), ..specification.clone() };
        let [plain, begun, tuned] = [&simple, &specification, &tuned].map(|wish| design(wish, &()).unwrap());
        let coupled_step = |design: &Design| {
            let profile = coupled_profile(&design.method, 0.05, &[0.2]).unwrap();
            profile.values[0].practical.value * profile.fast_limit
        };
        assert!(coupled_step(&begun) > coupled_step(&plain) && coupled_step(&tuned) > coupled_step(&begun) + 0.01);
        assert!(coupled_step(&tuned) > 1.03 * coupled_step(&plain));
        assert!(tuned.error_norm < 1.6 * plain.error_norm && tuned.error_norm > plain.error_norm);
    }

    #[test]
    fn an_outer_search_goes_on_from_its_checkpoint() {
        let specification = Specification { starts: 4, ..specification(4, 0.99) };
        let tuning = TuningLimits { price: 1.5, iterations: 4 };
        let whole = tune(&specification, tuning, None, &|_| (), &()).unwrap();
        let kept = RefCell::new(Vec::new());
        let keep = |checkpoint: &[u8]| drop(kept.replace(checkpoint.to_vec()));
        let until = |phase: &'static str, done: usize| {
            move |update: Update<'_>| {
                let goes_on = update.phase != phase || update.done < done;
                if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            }
        };
        let interrupted = tune(&specification, tuning, None, &keep, &until(TUNING, 2)).unwrap();
        let checkpoint = kept.borrow().clone();
        let resumed = tune(&specification, tuning, Some(&checkpoint), &keep, &()).unwrap();
        assert_eq!(resumed, whole);
        // The best result is available without another iteration.
        let again = tune(&specification, tuning, Some(&checkpoint), &keep, &until(TUNING, 0)).unwrap();
        assert_eq!(again, interrupted);
        assert_eq!(*kept.borrow(), checkpoint);
        // The result of an interrupted search is not tuned.
        let refuse = |_: &[u8]| panic!("an iteration");
        let hurried = tune(&specification, tuning, None, &refuse, &until(STARTS, 0));
        assert_eq!(hurried.unwrap(), specification);
        let nonsense = tune(&specification, tuning, Some(b"{}"), &refuse, &());
        assert!(matches!(nonsense, Err(DesignError::OutOfRange { .. })));
    }
}
