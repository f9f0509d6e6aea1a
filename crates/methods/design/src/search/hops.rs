//! Hops from the best minima of a race to better ones nearby.
//!
//! Good minima have good neighbors: a displaced minimum returns to the conditions more often than a random start, and
//! descends from there into basins that random starts rarely reach (basin hopping; Wales & Doye 1997).

use hemiola_number::{Progress, parallel};

use crate::optimize::descent::Minimum;
use crate::optimize::problem::IN_FULL;
use crate::optimize::restore::restore;
use crate::search::multistart::{Candidate, Search};
use crate::search::plan::Hops;
use crate::unknowns::start::displaced;

/// Standard deviations of the displacements, in turn.
const DEVIATIONS: [f64; 4] = [0.05, 0.1, 0.2, 0.3];
/// Relative difference of the objectives of different minima.
const DIFFERENT: f64 = 1e-4;

impl Search<'_> {
    /// Returns candidates, best first, together with those that rounds of hops reach from the best of them.
    pub(crate) fn hopped(
        &self,
        mut candidates: Vec<Candidate>,
        hops: &Hops,
        progress: &dyn Progress,
    ) -> Vec<Candidate> {
        let mut number = self.specification.starts;
        for _ in 0..hops.rounds {
            let parents = self.best_distinct(&candidates, hops.parents);
            let displaced: Vec<Option<Candidate>> =
                parallel::map(parents.len() * hops.each, |k| self.displaced(&parents[k / hops.each], k, number + k));
            number += displaced.len();
            let reached = self.descended(displaced.into_iter().flatten().collect(), &[hops.heat], progress);
            if self.is_cut() {
                break;
            }
            candidates.extend(reached);
            candidates.sort_by(|x, y| self.compare(x, y, 0.0));
        }
        candidates
    }

    /// Returns a candidate displaced and restored to the conditions; `None` if that fails.
    fn displaced(&self, parent: &Candidate, turn: usize, number: usize) -> Option<Candidate> {
        let problem = self.problem(parent.choice, IN_FULL);
        let deviation = DEVIATIONS[turn % DEVIATIONS.len()];
        let x = displaced(&parent.minimum.x, deviation, self.specification.seed, number);
        let x = restore(&problem.equations, &x, self.plan.iterations)?;
        let merit = problem.merit(&x);
        Some(Candidate { start: number, choice: parent.choice, minimum: Minimum { x, merit, converged: false } })
    }

    /// Returns the first candidates within the bounds whose objectives differ.
    fn best_distinct(&self, candidates: &[Candidate], most: usize) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        for candidate in candidates.iter().filter(|candidate| self.is_within(candidate)) {
            let merit = candidate.minimum.merit;
            if found.iter().all(|other| (other.minimum.merit - merit).abs() > DIFFERENT * merit) {
                found.push(candidate.clone());
            }
            if found.len() == most {
                break;
            }
        }
        found
    }
}
