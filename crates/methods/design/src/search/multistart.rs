//! The multistart search.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use hemiola_number::{Progress, parallel};
use serde::{Deserialize, Serialize};

use crate::error::DesignError;
use crate::optimize::descent::Minimum;
use crate::optimize::problem::{Formulation, IN_FULL, NOT_AT_ALL, Problem};
use crate::optimize::profile_merit::profile_merit;
use crate::optimize::restore::restore;
use crate::optimize::solver::minimize;
use crate::optimize::sparsify::sparsified;
use crate::refinement::design::{Design, SearchCounts, refined_design};
use crate::search::part::SearchShare;
use crate::search::plan::{COARSE, Heat, SearchPlan};
use crate::search::progress::{DESCENTS, MeritCounter, STARTS};
use crate::search::recurrence::formulation::RecurrenceSearch;
use crate::search::task_executor::{LocalThreads, SearchTask, TaskExecutor, TaskOwner};
use crate::specification::definition::Specification;
use crate::terms::slow_limit::SlowLimit;
use crate::unknowns::free_entries::Unknowns;

/// Tolerance of bounds after the first descent, which may end slightly on either side of a bound.
const SLACK: f64 = 0.05;

/// Name of the value that starts and descents report.
const OBJECTIVE: &str = "objective";

/// A finished start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The number of the start.
    pub number: usize,
    /// The unknowns that satisfy all conditions, if the start led to a solution.
    pub solution: Option<Vec<f64>>,
}

/// A solution of all conditions.
#[derive(Clone)]
pub(crate) struct Candidate {
    pub(crate) start: usize,
    /// The index of the choice of slow stages.
    pub(crate) choice: usize,
    pub(crate) minimum: Minimum,
}

/// A search for the pair with the smallest objective over all starts.
///
/// ```
/// use hemiola_design::{Search, Specification};
/// let specification = Specification { starts: 8, ..Specification::new(1, 3, None)? };
/// let search = Search::new(&specification, Vec::new())?;
/// let design = search.run(&())?;
/// // A search that goes on from what another has done comes to the same result.
/// let resumed = Search::new(&specification, search.done()[..4].to_vec())?;
/// assert_eq!(resumed.run(&())?.method, design.method);
/// # Ok::<(), hemiola_design::DesignError>(())
/// ```
pub struct Search<'a> {
    pub(crate) specification: &'a Specification,
    pub(crate) formulation: Formulation,
    pub(crate) plan: SearchPlan,
    pub(crate) choices: Vec<Vec<usize>>,
    pub(crate) unknowns: Vec<Unknowns>,
    /// The search in coordinates of a recurrence, which its starts have, if the specification has a preference.
    pub(crate) recurrence: Option<RecurrenceSearch>,
    done: Mutex<Vec<Start>>,
    pub(crate) executor: &'a dyn TaskExecutor,
    /// The slow limit that a pair must have.
    slow_limit: Option<SlowLimit>,
    /// Whether a run skipped a part of the work.
    cut: AtomicBool,
}

impl<'a> Search<'a> {
    /// Creates a search that does not repeat finished starts.
    ///
    /// # Errors
    /// Returns the errors of [`Specification::validate`], and [`DesignError::OutOfRange`] if `done` does not belong
    /// to this search.
    pub fn new(specification: &'a Specification, done: Vec<Start>) -> Result<Self, DesignError> {
        specification.validate()?;
        let formulation = Formulation::new(specification)?;
        let plan = SearchPlan::new(specification, formulation.has_others());
        let recurrence = RecurrenceSearch::new(specification, formulation.conditions())?;
        let choices = specification.slow_stage_choices();
        let unknowns = |choice: &Vec<usize>| Unknowns::new(specification.fast, choice, &specification.structure);
        let unknowns: Vec<Unknowns> = choices.iter().map(unknowns).collect();
        for Start { number, solution } in &done {
            let choice = number % unknowns.len();
            let count = recurrence.as_ref().map_or(unknowns[choice].places().len(), |search| search.count(choice));
            let fits = solution.as_ref().is_none_or(|x| x.len() == count && x.iter().all(|x| x.is_finite()));
            if !fits || *number >= specification.starts {
                let expected = "a start of this search, with the right number of unknowns, all finite";
                return Err(DesignError::OutOfRange { name: "a start", found: number.to_string(), expected });
            }
        }
        let (done, cut, executor) = (Mutex::new(done), AtomicBool::new(false), &LocalThreads);
        let slow_limit = SlowLimit::of(specification)?;
        #[rustfmt::skip]
        let search = Self { specification, formulation, plan, choices, unknowns, recurrence, done, executor, slow_limit, cut };
        Ok(search)
    }

    /// Replaces the threads of this machine by another executor of the starts and descents.
    #[must_use]
    pub fn with_executor(self, executor: &'a dyn TaskExecutor) -> Self {
        Self { executor, ..self }
    }

    /// Returns the finished starts, sorted by number.
    pub fn done(&self) -> Vec<Start> {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner).clone();
        done.sort_by_key(|start| start.number);
        done.dedup_by_key(|start| start.number);
        done
    }

    /// Returns whether a minimum satisfies the bounds of its coefficients and has the required slow limit.
    pub(crate) fn is_within(&self, candidate: &Candidate) -> bool {
        let (unknowns, x) = (&self.unknowns[candidate.choice], &candidate.minimum.x);
        let has_limit = |limit: &SlowLimit| limit.holds(&unknowns.coefficients(x));
        unknowns.is_within(x) && self.slow_limit.as_ref().is_none_or(has_limit)
    }

    /// Creates a search for another objective from the starts of this one.
    pub(crate) fn continued<'b>(&'b self, specification: &'b Specification) -> Result<Search<'b>, DesignError> {
        Ok(Search::new(specification, self.done())?.with_executor(self.executor))
    }

    pub(crate) fn finished(&self, candidate: &Candidate, solved: usize) -> Result<Design, DesignError> {
        let problem = self.problem(candidate.choice, IN_FULL);
        let (unknowns, minimum) = sparsified(&problem, &candidate.minimum, self.specification.structure.sparsity);
        let problem = problem.with_unknowns(unknowns);
        refined_design(self.specification, &problem, &self.choices[candidate.choice], &minimum, self.counts(solved))
    }

    /// Returns whether a part of the work was skipped.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut.load(Relaxed)
    }

    /// Records that a part of the work was skipped.
    pub(crate) fn cut(&self) {
        self.cut.store(true, Relaxed);
    }

    pub(crate) fn counts(&self, solved: usize) -> SearchCounts {
        SearchCounts { tried: self.done().len(), solved, interrupted: self.cut.load(Relaxed) }
    }

    /// Returns the minima reached from the best starts, best first, and the number of starts that satisfied the
    /// conditions.
    pub(crate) fn minima(&self, progress: &dyn Progress) -> (Vec<Candidate>, usize) {
        let first = self.first_minima(progress);
        self.minima_after(first, progress)
    }

    /// Returns the minima of the race like [`Self::minima`], given those of its `first` starts.
    pub(crate) fn minima_after(&self, mut first: Vec<Candidate>, progress: &dyn Progress) -> (Vec<Candidate>, usize) {
        if let Some(less) = self.less_effort() {
            first = self.minima_of(&less, first, progress);
        }
        let in_haste = self.try_starts(SearchShare::WHOLE, self.specification.starts, progress);
        let (candidates, solved) = self.ranked(self.specification.starts);
        let hasty = SearchPlan::in_haste();
        let mut candidates = self.descended(candidates, if in_haste { &hasty } else { &self.plan.heats }, progress);
        candidates.extend(first);
        candidates.sort_by(|x, y| self.compare(x, y, 0.0));
        if in_haste {
            self.cut();
        } else if let Some((hops, last)) = &self.plan.hops
            && !self.is_cut()
        {
            candidates = self.descended(self.hopped(candidates, hops, progress), &[*last], progress);
        }
        (candidates, solved)
    }

    /// Returns the candidates of the finished starts below a given number in the order in which they are followed, and
    /// their number.
    pub(crate) fn ranked(&self, end: usize) -> (Vec<Candidate>, usize) {
        let done = self.done();
        let numbered = done.iter().filter(|start| start.number < end);
        let mut candidates: Vec<Candidate> = numbered.filter_map(|start| self.candidate(start)).collect();
        let solved = candidates.len();
        candidates.sort_by(|x, y| self.compare(x, y, SLACK));
        if self.formulation.has_others() {
            self.alternate_choices(&mut candidates);
        }
        (candidates, solved)
    }

    /// Follows the first candidates through rounds of descents, each from the best of the previous round; returns the
    /// minima of the last round, best first.
    pub(crate) fn descended(
        &self,
        mut candidates: Vec<Candidate>,
        heats: &[Heat],
        progress: &dyn Progress,
    ) -> Vec<Candidate> {
        let total = heats.iter().map(|heat| heat.most.min(candidates.len())).sum();
        let counter = MeritCounter::new(progress, DESCENTS, total, OBJECTIVE);
        for &Heat { most, effort } in heats {
            candidates.truncate(most);
            self.follow(&mut candidates, effort, &counter);
            // Descents that will continue may end slightly on either side of a bound.
            let slack = if effort.0 < COARSE.0 { SLACK } else { 0.0 };
            candidates.sort_by(|x, y| self.compare(x, y, slack));
        }
        self.cut.fetch_or(counter.is_stopped(), Relaxed);
        let merit = |Candidate { choice, minimum, .. }: &Candidate| {
            profile_merit(self.specification, &self.problem(*choice, IN_FULL), &minimum.x).unwrap_or(minimum.merit)
        };
        let merits = parallel::map(candidates.len(), |k| merit(&candidates[k]));
        candidates.iter_mut().zip(merits).for_each(|(candidate, merit)| candidate.minimum.merit = merit);
        candidates.sort_by(|x, y| self.compare(x, y, 0.0));
        candidates
    }

    /// Reorders ranked candidates so that the choices of slow stages alternate: the ranking by errors does not
    /// predict the other terms of the objective.
    fn alternate_choices(&self, candidates: &mut [Candidate]) {
        let mut seen = vec![0; self.choices.len()];
        let turns: HashMap<usize, usize> = candidates
            .iter()
            .map(|candidate| {
                seen[candidate.choice] += 1;
                (candidate.start, seen[candidate.choice])
            })
            .collect();
        candidates.sort_by_key(|candidate| turns[&candidate.start]);
    }

    /// Tries the unfinished starts of a share, without descents. Returns whether all its starts are finished.
    ///
    /// ```
    /// use hemiola_design::{SearchShare, Search, Specification};
    /// let specification = Specification { starts: 8, ..Specification::new(1, 3, None)? };
    /// let whole = Search::new(&specification, Vec::new())?.run(&())?;
    /// // Two machines, and one that merges what they have done.
    /// let parts: Result<Vec<SearchShare>, String> = ["1/2", "2/2"].map(str::parse).into_iter().collect();
    /// let mut done = Vec::new();
    /// for part in parts? {
    ///     let search = Search::new(&specification, Vec::new())?;
    ///     assert!(search.run_part(part, &()));
    ///     done.extend(search.done());
    /// }
    /// assert_eq!(Search::new(&specification, done)?.run(&())?.method, whole.method);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_part(&self, part: SearchShare, progress: &dyn Progress) -> bool {
        let starts = part.count(self.specification.starts);
        self.try_starts(part, self.specification.starts, progress);
        self.done().iter().filter(|start| part.contains(start.number)).count() == starts
    }

    /// Tries the unfinished starts of a share with numbers below `end`. Returns whether `progress` stopped them.
    pub(crate) fn try_starts(&self, part: SearchShare, end: usize, progress: &dyn Progress) -> bool {
        let earlier = self.done();
        let is_new = |number: &usize| earlier.binary_search_by_key(number, |start| start.number).is_err();
        let numbers = (0..end).filter(|&number| part.contains(number)).filter(is_new);
        let numbers: Vec<usize> = numbers.collect();
        let counter = MeritCounter::new(progress, STARTS, numbers.len(), OBJECTIVE);
        let tasks: Vec<SearchTask> = numbers.iter().copied().map(SearchTask::Start).collect();
        self.executor.perform(self, &tasks, &|k, minimum| {
            let merit = minimum.as_ref().map_or(f64::INFINITY, |minimum| minimum.merit);
            let start = Start { number: numbers[k], solution: minimum.map(|minimum| minimum.x) };
            self.done.lock().unwrap_or_else(PoisonError::into_inner).push(start);
            counter.report(merit)
        });
        counter.is_stopped()
    }

    /// Follows candidates into their basins.
    fn follow(&self, candidates: &mut [Candidate], (steps, gain): (usize, f64), counter: &MeritCounter<'_>) {
        if counter.is_stopped() {
            return;
        }
        let task = |Candidate { choice, minimum, .. }: &Candidate| {
            let (choice, x) = (*choice, minimum.x.clone());
            SearchTask::Descent { choice, x, steps, gain }
        };
        let tasks: Vec<SearchTask> = candidates.iter().map(task).collect();
        let found: Mutex<Vec<Option<Minimum>>> = Mutex::new(vec![None; tasks.len()]);
        self.executor.perform(self, &tasks, &|k, minimum| {
            let merit = minimum.as_ref().unwrap_or(&candidates[k].minimum).merit;
            found.lock().unwrap_or_else(PoisonError::into_inner)[k] = minimum;
            counter.report(merit)
        });
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (candidate, minimum) in candidates.iter_mut().zip(found) {
            if let Some(minimum) = minimum {
                candidate.minimum = minimum;
            }
        }
    }

    /// Returns the optimization problem for one choice of slow stages.
    pub(crate) fn problem(&self, choice: usize, emphasis: f64) -> Problem<'_> {
        self.formulation.problem(self.unknowns[choice].clone(), emphasis)
    }

    fn solution(&self, number: usize) -> Option<Minimum> {
        if let Some(recurrence) = &self.recurrence {
            return recurrence.start(number);
        }
        let choice = number % self.unknowns.len();
        let problem = self.problem(choice, NOT_AT_ALL);
        let (_, x) = self.random_start(number);
        minimize(&problem, &restore(&problem.equations, &x, self.plan.iterations)?, self.plan.ranking)
    }

    fn candidate(&self, start: &Start) -> Option<Candidate> {
        let choice = start.number % self.unknowns.len();
        let x = start.solution.clone()?;
        let merit = self.problem(choice, NOT_AT_ALL).merit(&x);
        Some(Candidate { start: start.number, choice, minimum: Minimum { x, merit, converged: false } })
    }

    /// Compares candidates: first by whether they are within the bounds up to a slack, then by the objective, then by
    /// the largest coefficient, because some coefficients do not enter the objective.
    ///
    /// The number of the start breaks ties, so that the result does not depend on threads.
    pub(crate) fn compare(&self, x: &Candidate, y: &Candidate, slack: f64) -> Ordering {
        let exceeds = |candidate: &Candidate| self.unknowns[candidate.choice].worst(&candidate.minimum.x) > slack;
        // Descents to the same minimum end within 1e-9 of each other.
        let merit = |candidate: &Candidate| (candidate.minimum.merit * 1e8).round();
        exceeds(x)
            .cmp(&exceeds(y))
            .then(merit(x).total_cmp(&merit(y)))
            .then(x.minimum.largest_coefficient().total_cmp(&y.minimum.largest_coefficient()))
            .then(x.start.cmp(&y.start))
    }
}

impl TaskOwner for Search<'_> {
    fn specification(&self) -> &Specification {
        self.specification
    }

    fn perform(&self, task: &SearchTask) -> Option<Minimum> {
        match task {
            SearchTask::Start(number) => self.solution(*number),
            SearchTask::Descent { choice, x, steps, gain } => {
                let is_ours = self.unknowns.get(*choice).is_some_and(|unknowns| unknowns.places().len() == x.len());
                is_ours.then(|| minimize(&self.problem(*choice, IN_FULL), x, (*steps, *gain))).flatten()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimize::restore::RESTORE_ITERATIONS;
    use crate::unknowns::start::random_start;
    use crate::{Stability, Structure, design};
    use dashu::rational::RBig;
    use hemiola_number::Update;
    use hemiola_order::{CheckOptions, Grammar, OrderCheck, StageSolution, Trees, Weights, principal_error_norm};
    use hemiola_tableau::{Exact, dot};
    use std::ops::ControlFlow;

    fn designed(specification: &Specification) -> Design {
        design(specification, &()).unwrap()
    }

    #[test]
    fn the_main_job_beats_the_published_pair() {
        let design = designed(&Specification::new(2, 5, None).unwrap());
        assert!(design.largest_coefficient <= 1.0 && design.converged);
        // Descents from other seeds end at the same value.
        assert!((design.error_norm - 0.189_714_245_397).abs() < 1e-11);
        let norm = principal_error_norm(&design.method.exact(), 2).unwrap();
        assert!((norm - design.error_norm).abs() < 1e-12);
        let check = OrderCheck::new(&design.method, CheckOptions { highest_order: 3, ..Default::default() }).unwrap();
        assert_eq!(check.order(), 2);
        // Generous: fifty decimals leave about 1e-49 in a condition.
        assert!(check.orders()[..2].iter().all(|order| order.max_residual < 1e-38));
        assert_eq!(design.method.exact().partitions[0].evaluated_stages().len(), 2);
    }

    #[test]
    fn the_polynomial_is_met_to_forty_decimals() {
        let specification = Specification::new(4, 6, None).unwrap();
        let design = designed(&Specification { starts: 6, ..specification.clone() });
        let fast = &design.method.exact().partitions[1];
        let mut power = vec![Exact::from(1); 6];
        for beta in &specification.polynomials().unwrap()[1].as_ref().unwrap()[1..] {
            let residual = dot(&fast.b, &power) - Exact::from(RBig::clone(beta));
            assert!(residual.to_f64().abs() < 1e-38);
            power = fast.times(&power);
        }
        let check = OrderCheck::new(&design.method, CheckOptions { highest_order: 5, ..Default::default() }).unwrap();
        assert_eq!(check.order(), 4);
        let norm = principal_error_norm(&design.method.exact(), 4).unwrap();
        assert!((norm - design.error_norm).abs() < 1e-12);
    }

    #[test]
    fn conditions_of_order_five_are_satisfied() {
        let mut specification = Specification::new(6, 8, None).unwrap();
        specification.slow_stages = Some(vec![0, 1, 3, 4, 6, 7]);
        let formulation = Formulation::new(&specification).unwrap();
        let unknowns = Unknowns::new(8, &[0, 1, 3, 4, 6, 7], &specification.structure);
        let problem = formulation.problem(unknowns.clone(), IN_FULL);
        let found = (0..24).find_map(|start| {
            let x = random_start(&unknowns, 6, 1, start);
            restore(&problem.equations, &x, RESTORE_ITERATIONS)
        });
        let x = found.unwrap();
        let tableau = unknowns.tableau(&x);
        let trees = Trees::new(&Grammar::partitioned(2), 6).unwrap();
        let mut weights = Weights::new(&trees, &tableau, StageSolution::Solved);
        let largest = |order: usize, weights: &mut Weights<f64>| {
            trees.of_order(order).into_iter().map(|id| weights.residual(id).abs()).fold(0.0, f64::max)
        };
        assert_eq!((1..=5).map(|order| trees.of_order(order).len()).sum::<usize>(), 286);
        // The tolerance of a restoration, plus the rounding of a different summation order.
        assert!((1..=5).all(|order| largest(order, &mut weights) < 2e-13));
        assert!(largest(6, &mut weights) > 1e-4);
    }

    #[test]
    fn threads_do_not_change_the_result() {
        let specification = Specification { starts: 12, seed: 7, ..Specification::new(2, 5, None).unwrap() };
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
        let specification = Specification::new(2, 5, None).unwrap();
        let after_ten =
            |update: Update<'_>| if update.done < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        let design = design(&specification, &after_ten).unwrap();
        assert!(design.tried < 20 && design.solved <= design.tried && design.error_norm < 0.5);
        assert!(design.method.source().note.as_ref().unwrap().contains("interrupted"));
    }

    #[test]
    fn a_search_that_is_interrupted_in_its_descents_says_so() {
        let specification = Specification { starts: 12, ..Specification::new(2, 5, None).unwrap() };
        let no_descents = |update: Update<'_>| match update.phase {
            STARTS => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        let hurried = design(&specification, &no_descents).unwrap();
        assert!(hurried.interrupted && hurried.tried == 12);
        assert!(hurried.method.source().note.as_ref().unwrap().contains("interrupted"));
        assert!(!designed(&specification).interrupted);
    }

    #[test]
    fn what_leaves_nothing_free_is_designed() {
        // Euler's method in both partitions.
        let only = designed(&Specification { starts: 2, ..Specification::new(1, 1, None).unwrap() });
        assert!(only.converged && only.method.to_f64().partitions.iter().all(|part| part.b == [1.0]));
    }

    #[test]
    fn contradictions_are_refused() {
        let specification = Specification::new(2, 5, None).unwrap();
        let bounded = |largest_coefficient| Structure { largest_coefficient, ..Structure::default() };
        for broken in [
            Specification { starts: 0, ..specification.clone() },
            Specification { starts: 1_000_000_001, ..specification.clone() },
            Specification { slow_stages: Some(vec![3, 1]), ..specification.clone() },
            Specification { slow_stages: Some(vec![1, 5]), ..specification.clone() },
            Specification { structure: bounded(f64::NAN), ..specification.clone() },
            Specification {
                stability: [Stability::Free, Stability::Given(vec![RBig::ONE; 6])],
                ..specification.clone()
            },
        ] {
            assert!(matches!(design(&broken, &()), Err(DesignError::OutOfRange { .. })));
        }
        let tight = Specification { structure: bounded(0.5), starts: 4, ..specification };
        let tight = design(&tight, &());
        assert!(matches!(tight, Err(DesignError::NotFound { starts: 4, .. })));
    }
}
