//! The choice among pairs whose errors are nearly the smallest.

use hemiola_number::{Progress, parallel};

use crate::error::DesignError;
use crate::optimize::descent::Minimum;
use crate::optimize::profile_merit::profile;
use crate::refinement::design::{Design, PreferredChoice, PreferredPair};
use crate::search::multistart::{Candidate, Search};
use crate::search::part::SearchShare;
use crate::search::progress::{DESCENTS, MeritCounter};
use crate::search::recurrence::formulation::{FoundPair, RecurrenceSearch, best_distinct};
use crate::specification::preference::Preference;

/// Largest number of minima from which the profile is raised, and the number that is followed at once.
const MINIMA: usize = 6;
const AT_ONCE: usize = 2;
/// Ratio to the smallest error below which a raised pair ends the search.
const CLOSE: f64 = 1.01;
/// Name of the value that the descents report.
const ERROR: &str = "error norm";

/// A pair with the values that the rule compares.
struct JudgedPair {
    candidate: Candidate,
    values: PreferredPair,
    is_allowed: bool,
}

impl Search<'_> {
    /// Returns the design that the rule chooses among the minima of the error and the pairs with raised profiles.
    pub(crate) fn preferred(
        &self,
        recurrence: &RecurrenceSearch,
        progress: &dyn Progress,
    ) -> Result<Design, DesignError> {
        let &crate::Specification { starts, seed, .. } = self.specification;
        let is_hasty = self.try_starts(SearchShare::WHOLE, starts, progress);
        let done = self.done();
        let solutions: Vec<(usize, Vec<f64>)> =
            done.into_iter().filter_map(|start| Some((start.number % self.choices.len(), start.solution?))).collect();
        let merits =
            parallel::map(solutions.len(), |k| (solutions[k].0, recurrence.merit(solutions[k].0, &solutions[k].1)));
        let best: Vec<usize> = best_distinct(&merits, MINIMA);
        let solved = solutions.len();
        let minima: Vec<(usize, Vec<f64>)> = best.iter().map(|&k| solutions[k].clone()).collect();
        let mut pairs: Vec<FoundPair> = minima.iter().map(|(choice, x)| recurrence.pair(*choice, x)).collect();
        let least = pairs.first().map(|pair| pair.error).ok_or(DesignError::NotFound { starts, seed, solved })?;
        if is_hasty {
            self.cut();
        } else {
            pairs.extend(self.raised(recurrence, &minima, least, progress));
        }
        let most = least * (1.0 + recurrence.preference.margin);
        let judged = parallel::map(pairs.len(), |k| self.judged(recurrence, &pairs[k], most));
        self.chosen(recurrence, judged, solved)
    }

    /// Raises the profile from the minima, some at a time, until a pair with the wanted profile costs little error.
    fn raised(
        &self,
        recurrence: &RecurrenceSearch,
        minima: &[(usize, Vec<f64>)],
        least: f64,
        progress: &dyn Progress,
    ) -> Vec<FoundPair> {
        let counter = MeritCounter::new(progress, DESCENTS, minima.len(), ERROR);
        let most = least * (1.0 + recurrence.preference.margin);
        let mut found: Vec<FoundPair> = Vec::new();
        for some in minima.chunks(AT_ONCE) {
            let raised = parallel::map(some.len(), |k| {
                let pairs = recurrence.raised(some[k].0, &some[k].1, most);
                let error = pairs.first().map_or(f64::INFINITY, |pair| pair.error);
                let _ = counter.report(error);
                pairs
            });
            found.extend(raised.into_iter().flatten());
            if counter.is_stopped() {
                self.cut();
                break;
            }
            if found.iter().any(|pair| pair.is_raised && pair.error <= CLOSE * least) {
                break;
            }
        }
        found
    }

    fn judged(&self, recurrence: &RecurrenceSearch, pair: &FoundPair, most: f64) -> JudgedPair {
        let unknowns = &self.unknowns[pair.choice];
        let x: Vec<f64> = unknowns.positions(&pair.at).map(|place| pair.at.entries[place]).collect();
        let Preference { gamma, amplification, .. } = recurrence.preference;
        let damping = Preference::damping(recurrence.axis());
        let reached = profile(self.specification, unknowns, &x, damping, &[gamma]);
        let values = PreferredPair {
            slow_stages: self.choices[pair.choice].clone(),
            error: pair.error,
            profile: reached.map_or(0.0, |found| found.values[0].practical.value),
            amplification: recurrence.amplification(&pair.at),
        };
        let is_allowed = pair.error <= most
            && values.amplification <= amplification
            && recurrence.has_abscissae(&pair.at)
            && unknowns.is_within(&x);
        let minimum = Minimum { x, merit: pair.error, converged: true };
        JudgedPair { candidate: Candidate { start: pair.choice, choice: pair.choice, minimum }, values, is_allowed }
    }

    /// Completes the best allowed pair.
    fn chosen(
        &self,
        recurrence: &RecurrenceSearch,
        mut judged: Vec<JudgedPair>,
        solved: usize,
    ) -> Result<Design, DesignError> {
        let Preference { tie, .. } = recurrence.preference;
        // The first pair has the smallest error among those that satisfy all bounds.
        let smallest = judged.first().map(|pair| pair.values.clone());
        judged.retain(|pair| pair.is_allowed);
        let highest = judged.iter().map(|pair| pair.values.profile).fold(0.0, f64::max);
        let is_best = |pair: &JudgedPair| pair.values.profile >= highest * (1.0 - tie);
        judged.sort_by(|x, y| {
            is_best(y).cmp(&is_best(x)).then_with(|| match is_best(x) {
                true => x.values.amplification.total_cmp(&y.values.amplification),
                false => y.values.profile.total_cmp(&x.values.profile),
            })
        });
        let candidates: Vec<Candidate> = judged.iter().map(|pair| pair.candidate.clone()).collect();
        let (mut design, minimum) = self.first_proved(&candidates, solved)?;
        let values = |candidate: &Candidate| {
            judged.iter().find(|pair| pair.candidate.minimum.x == candidate.minimum.x).map(|pair| pair.values.clone())
        };
        if let (Some(chosen), Some(smallest)) = (values(minimum), smallest) {
            let is_other = |pair: &&JudgedPair| pair.values.slow_stages != chosen.slow_stages;
            design.preferred = Some(PreferredChoice {
                preference: recurrence.preference,
                axis: recurrence.axis(),
                sets: self.choices.len(),
                neighbor: judged.iter().find(is_other).map(|pair| pair.values.clone()),
                chosen,
                smallest,
            });
        }
        Ok(design)
    }
}

#[cfg(test)]
mod tests {
    use hemiola_polynomial::Axis;
    use hemiola_stability::coupled_profile;

    use crate::pair::partitions::FAST;
    use crate::proof::certificate::ProofStatus;
    use crate::refinement::design::Design;
    use crate::specification::stability::Stability;
    use crate::{DesignError, Specification, design};

    fn specification(slow: usize, fast: usize, axis: Axis) -> Specification {
        let mut specification = Specification::new(slow, fast, None).unwrap();
        let damping = if axis == Axis::Real { 0.05 } else { 0.0 };
        specification.stability[FAST] = Stability::Optimal { axis, damping, band: 0.5 };
        specification.with_default_preference().with_effort(1)
    }

    fn designed(slow: usize, fast: usize) -> Design {
        design(&specification(slow, fast, Axis::Imaginary), &()).unwrap()
    }

    #[test]
    fn the_profile_costs_little_error() {
        let found = designed(3, 7);
        // The smallest error of three slow evaluations is .0675.
        assert!(found.error_norm < 0.069, "{}", found.error_norm);
        let reached = coupled_profile(&found.method, 0.05, &[0.05, 0.1, 0.2]).unwrap();
        let reached: Vec<f64> = reached.values.iter().map(|at| at.practical.value).collect();
        assert!(reached[0] >= 0.99 && reached[1] >= 0.97 && reached[2] >= 0.86, "{reached:?}");
        assert!(matches!(found.certificate.status, ProofStatus::Enclosed { .. }), "{:?}", found.certificate.status);
        let preferred = found.preferred.unwrap();
        assert!((preferred.chosen.profile - reached[1]).abs() < 1e-6);
        assert!(preferred.chosen.amplification <= 30.0 && preferred.sets > 1);
        assert!(preferred.chosen.error <= preferred.smallest.error * 1.021);
        let abscissae = found.method.to_f64().partitions.iter().flat_map(|part| part.c.clone()).collect::<Vec<f64>>();
        assert!(abscissae.iter().all(|c| (-1e-12..=1.0 + 1e-12).contains(c)), "{abscissae:?}");
    }

    #[test]
    fn one_slow_evaluation_has_two_fast_ones() {
        // R = 1 + z + z² has the imaginary limit one.
        let found = designed(1, 2);
        let limit = hemiola_stability::stability_limit(&found.method, FAST, num_complex::Complex64::I).unwrap();
        assert!((limit.value() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn threads_do_not_change_the_choice() {
        let with_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| designed(2, 7).method.to_json())
        };
        assert_eq!(with_threads(1), with_threads(3));
    }

    #[test]
    fn rules_that_cannot_choose_are_refused() {
        let mut bounded = specification(3, 7, Axis::Imaginary);
        bounded.structure.shared_weights = true;
        let refused = bounded.validate().unwrap_err();
        assert!(matches!(refused, DesignError::OutOfRange { name: "the preference", .. }), "{refused}");
        let mut wide = specification(3, 7, Axis::Imaginary);
        wide.preference = wide.preference.map(|rule| crate::Preference { gamma: 0.7, ..rule });
        assert!(wide.validate().is_err());
        assert_eq!(specification(6, 9, Axis::Imaginary).preference, None);
        assert_eq!(specification(2, 5, Axis::Imaginary).preference, None);
    }
}
