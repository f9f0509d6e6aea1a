//! The search for one design, with a weight of internal stability that costs little error.
//!
//! Minima of the error alone may amplify rounding by many orders of magnitude, although nearby pairs, or others with
//! the same error, do not. If the amplification exceeds its bound, the weight is increased until it no longer does, or
//! until the error grows too much.

use hemiola_number::Progress;
use hemiola_polynomial::Axis;
use hemiola_stability::{spectral_amplification, stability_limit};
use hemiola_tableau::Exact;
use num_complex::Complex64;

use crate::error::DesignError;
use crate::optimize::problem::IN_FULL;
use crate::pair::partitions::{FAST, SLOW};
use crate::proof::gap::ProofGap;
use crate::refinement::design::{Design, InternalBalance, InternalTradeOff, SlowBalance};
use crate::search::multistart::{Candidate, Search};
use crate::search::plan::basins;
use crate::search::slow_limit::LimitedMinima;
use crate::specification::definition::Specification;
use crate::specification::method::{ExtraWeights, method};
use crate::specification::objective::Objective;
use crate::terms::internal_stability::InternalStability;

/// Largest ratio of the errors with and without robustness.
const PRICE: f64 = 1.02;
/// Weights in units of the error: the weighted amplification is compared with the error in the objective.
const LADDER: [f64; 4] = [1e-3, 1e-2, 3e-2, 1e-1];
/// Numbers of minima of the error alone that are followed into the basins of another objective, and of those followed
/// to its minimum.
const FOLLOWED: [usize; 2] = [8, 2];
/// Largest ratio of the errors of a proved pair and an unproved one that it replaces.
const PROOF_PRICE: f64 = 1.001;
/// Largest number of minima after the first whose proof is tried.
const ALTERNATIVES: usize = 2;
/// Largest difference of coefficients between two descents to the same minimum. They end within 1e-5 of each other where
/// the minimum is flat; distinct minima differ by about one.
const SAME: f64 = 1e-3;
/// Largest order at which proofs of several pairs are tried: at order six, each takes ten seconds.
const PROVED_AGAIN: usize = 5;
/// Largest number of fast evaluations at which proofs of several pairs are tried: beyond, the size of the equations decides.
const MOST_PROVED_AGAIN: usize = 16;
/// Number of points at which the amplification is sampled.
const SAMPLES: usize = 2000;
/// Largest desired amplification of up to nine fast stages, and of more.
const BOUNDS: [f64; 2] = [30.0, 100.0];

/// Finds the pair with the smallest objective over all starts.
///
/// `progress` counts [`STARTS`](crate::search::STARTS), then [`DESCENTS`](crate::search::DESCENTS). Its value is the
/// smallest √(2 × objective) so far, which is the principal error norm if the objective has no other terms. If it stops
/// the search, the best pair so far is completed. An uninterrupted search gives the same result on any number of
/// threads.
///
/// # Errors
/// Returns [`DesignError::NotFound`] if no start leads to a method with the requested structure, and the errors of
/// [`Specification::validate`].
///
/// ```
/// use hemiola_design::{Specification, design};
/// let specification = Specification { starts: 8, ..Specification::new(1, 3, None)? };
/// let design = design(&specification, &())?;
/// assert!(design.largest_coefficient <= 1.0);
/// # Ok::<(), hemiola_design::DesignError>(())
/// ```
pub fn design(specification: &Specification, progress: &dyn Progress) -> Result<Design, DesignError> {
    Search::new(specification, Vec::new())?.run(progress)
}

/// The minima of one weight.
struct WeightedMinima {
    specification: Specification,
    balance: InternalBalance,
    candidates: Vec<Candidate>,
}

impl Search<'_> {
    /// Runs the search to its end, or until `progress` stops it.
    ///
    /// # Errors
    /// Returns the errors of [`design`].
    pub fn run(&self, progress: &dyn Progress) -> Result<Design, DesignError> {
        match self.found(progress) {
            Err(DesignError::NotFound { .. } | DesignError::NoWeights { .. })
                if (self.plan.is_race || self.recurrence.is_some()) && !self.is_cut() =>
            {
                self.run_without_race(progress)
            }
            found => found,
        }
    }

    /// Searches with all choices of slow stages and follows every start: a few iterations and even distances may not
    /// suffice for unusual requirements.
    fn run_without_race(&self, progress: &dyn Progress) -> Result<Design, DesignError> {
        let given = self.specification;
        let starts = Specification::new(given.slow, given.fast, Some(given.order))?.starts.max(given.starts);
        let thorough = Specification { effort: None, preference: None, starts, ..given.clone() };
        Search::new(&thorough, Vec::new())?.with_executor(self.executor).run(progress)
    }

    /// Returns the design from the minima of the error alone, or from minima with a larger slow limit and better
    /// internal stability if these cost little error.
    fn found(&self, progress: &dyn Progress) -> Result<Design, DesignError> {
        if let Some(recurrence) = &self.recurrence {
            return self.preferred(recurrence, progress);
        }
        let (minima, solved) = self.minima(progress);
        let objective = &self.specification.objective;
        // The cost is measured in errors alone, so objectives with other terms are excluded.
        if objective.coefficients > 0.0 || objective.coupling.is_some() {
            return self.first_finished(&minima, solved);
        }
        let Some(LimitedMinima { specification, candidates, mut found }) = self.limited_minima(&minima, progress)?
        else {
            return Ok(self.balanced(&minima, solved, progress)?.0);
        };
        let (mut design, error) = match candidates {
            Some(candidates) => {
                let limited = self.continued(&specification)?;
                let design = limited.balanced(&candidates, solved, progress);
                if limited.is_cut() {
                    self.cut();
                }
                design?
            }
            None => self.balanced(&minima, solved, progress)?,
        };
        // Internal stability or a proof may have changed the pair since its balance was computed.
        let direction = if found.axis == Axis::Imaginary { Complex64::I } else { -Complex64::ONE };
        let limit = stability_limit(&design.method, SLOW, direction)?.value();
        match &mut found.wished {
            Some(wished) if found.is_chosen => *wished = SlowBalance { error, limit },
            _ => found.plain.limit = limit,
        }
        design.slow_limit = Some(found);
        Ok(design)
    }

    /// Completes the first minimum within the bounds that has all requested weights.
    pub(crate) fn first_finished(&self, minima: &[Candidate], solved: usize) -> Result<Design, DesignError> {
        Ok(self.first_proved(minima, solved)?.0)
    }

    /// Completes the first minimum within the bounds that has all requested weights, or a proved one that is nearly as
    /// good: its error is at most a thousandth larger, and it keeps slow limit and amplification as far as they are
    /// desired. Also returns the minimum.
    pub(crate) fn first_proved<'a>(
        &self,
        minima: &'a [Candidate],
        solved: usize,
    ) -> Result<(Design, &'a Candidate), DesignError> {
        let &Specification { starts, seed, .. } = self.specification;
        let mut missing = DesignError::NotFound { starts, seed, solved };
        let mut within = minima.iter().filter(|candidate| self.is_within(candidate));
        let (design, first) = loop {
            let candidate = within.next().ok_or(missing)?;
            match self.finished(candidate, solved) {
                // Some solutions have no further weights for their stages.
                Err(none @ DesignError::NoWeights { .. }) => missing = none,
                result => break (result?, candidate),
            }
        };
        if !design.gap.is_some_and(ProofGap::depends_on_the_pair)
            || self.specification.order > PROVED_AGAIN
            || self.specification.fast > MOST_PROVED_AGAIN
            // Each alternative would repeat the whole elimination of coefficients.
            || self.specification.structure.sparsity > 0.0
        {
            return Ok((design, first));
        }
        let mut distinct = vec![first];
        for other in within {
            if distinct.iter().all(|known| !is_same(other, known)) {
                distinct.push(other);
            }
        }
        let (error, amplification) = (self.error(first), self.amplification(first).max(self.largest_amplification()));
        // No pair is refused for the size of its rounding errors.
        let negligible = self.specification.objective.negligible_error();
        let is_nearly_as_good = |other: &Candidate| {
            !self.is_cut()
                && other.minimum.merit <= (PROOF_PRICE * first.minimum.merit).max(negligible)
                && self.error(other) <= (PROOF_PRICE * error).max(negligible)
                && self.keeps_slow_limit(other, first)
                && self.amplification(other) <= amplification
        };
        let alternatives = distinct[1..].iter().copied().filter(|other| is_nearly_as_good(other)).take(ALTERNATIVES);
        let mut proved = alternatives.filter_map(|other| Some((self.finished(other, solved).ok()?, other)));
        Ok(proved.find(|(design, _)| design.gap.is_none()).unwrap_or((design, first)))
    }

    /// Returns the errors of a minimum: √(2 × their share of the objective).
    fn error(&self, candidate: &Candidate) -> f64 {
        let [errors, _] = self.problem(candidate.choice, IN_FULL).shares(&candidate.minimum.x);
        (2.0 * errors).sqrt()
    }

    /// Returns the amplification of a minimum, infinite if its polynomial has no stable interval.
    fn amplification(&self, candidate: &Candidate) -> f64 {
        self.balance(candidate, 0.0).map_or(f64::INFINITY, |balance| balance.amplification)
    }

    /// Returns the largest desired amplification.
    fn largest_amplification(&self) -> f64 {
        BOUNDS[usize::from(self.specification.fast > 9)]
    }

    /// Returns the design from the minima of the error alone, or from those with the smallest sufficient weight of
    /// internal stability, together with its error.
    fn balanced(
        &self,
        minima: &[Candidate],
        solved: usize,
        progress: &dyn Progress,
    ) -> Result<(Design, f64), DesignError> {
        let unbalanced = || {
            let (design, minimum) = self.first_proved(minima, solved)?;
            Ok((design, self.error(minimum)))
        };
        if self.specification.objective.internal.is_some() {
            return unbalanced();
        }
        let first = minima.iter().find(|candidate| self.is_within(candidate));
        let plain = first.and_then(|first| self.balance(first, 0.0));
        let most = self.largest_amplification();
        // An interrupted search has no time for a second objective.
        let Some(plain) = plain.filter(|plain| plain.amplification > most && !self.is_cut()) else {
            return unbalanced();
        };
        let (mut best, mut refused): (Option<WeightedMinima>, _) = (None, None);
        for share in LADDER {
            let weight = two_digits(share * plain.error);
            let Some(found) = self.weighted_minima(minima, weight, progress)? else { break };
            let balance = found.balance;
            if balance.error > (PRICE * plain.error).max(self.specification.objective.negligible_error()) {
                refused = Some(balance);
                break;
            }
            if balance.amplification < best.as_ref().map_or(plain, |best| best.balance).amplification {
                best = Some(found);
            }
            if balance.amplification <= most {
                break;
            }
        }
        let (mut design, chosen) = match &best {
            None => {
                let (design, minimum) = self.first_proved(minima, solved)?;
                (design, self.balance(minimum, 0.0).unwrap_or(plain))
            }
            Some(best) => {
                let search = self.continued(&best.specification)?;
                if self.is_cut() {
                    search.cut();
                }
                let (design, minimum) = search.first_proved(&best.candidates, solved)?;
                (design, search.balance(minimum, best.balance.weight).unwrap_or(best.balance))
            }
        };
        let refused =
            refused.filter(|refused| chosen.amplification > most && refused.amplification < 0.5 * chosen.amplification);
        design.internal = Some(InternalTradeOff { bound: most, plain, chosen, refused });
        Ok((design, chosen.error))
    }

    /// Follows minima of the error alone to those with a weight of internal stability; `None` if there is none within
    /// the bounds, or if `progress` stops the search.
    fn weighted_minima(
        &self,
        minima: &[Candidate],
        weight: f64,
        progress: &dyn Progress,
    ) -> Result<Option<WeightedMinima>, DesignError> {
        let objective = Objective { internal: Some(weight), ..self.specification.objective.clone() };
        let specification = Specification { objective, ..self.specification.clone() };
        let search = self.continued(&specification)?;
        let mut candidates = minima.to_vec();
        for Candidate { choice, minimum, .. } in &mut candidates {
            minimum.merit = search.problem(*choice, IN_FULL).merit(&minimum.x);
        }
        let candidates = search.descended(candidates, &basins(FOLLOWED), progress);
        if search.is_cut() {
            self.cut();
            return Ok(None);
        }
        let first = candidates.iter().find(|candidate| search.is_within(candidate));
        let balance = first.and_then(|first| search.balance(first, weight));
        Ok(balance.map(|balance| WeightedMinima { balance, candidates, specification: specification.clone() }))
    }

    /// Computes error and amplification of a minimum; `None` if its polynomial has no stable interval.
    fn balance(&self, candidate: &Candidate, weight: f64) -> Option<InternalBalance> {
        // Use the limit of the prescribed polynomial: with rounded coefficients, |R| could exceed 1 where it touches 1.
        let places = InternalStability::new(1.0, self.specification).ok()?.points(SAMPLES);
        let problem = self.problem(candidate.choice, IN_FULL);
        let x: Vec<Exact> = candidate.minimum.x.iter().filter_map(|&x| Exact::from_f64(x)).collect();
        let method =
            method(self.specification, &problem.unknowns().tableau(&x), &ExtraWeights::default(), None).ok()?;
        let amplification = spectral_amplification(&method, FAST, &places);
        Some(InternalBalance { weight, error: self.error(candidate), amplification })
    }
}

/// Returns whether two descents ended at the same minimum.
fn is_same(one: &Candidate, other: &Candidate) -> bool {
    let (x, y) = (&one.minimum.x, &other.minimum.x);
    one.choice == other.choice && x.iter().zip(y).all(|(x, y)| (x - y).abs() < SAME)
}

/// Rounds a positive number to two digits, so that texts show the weight exactly.
fn two_digits(x: f64) -> f64 {
    format!("{x:.1e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::progress::DESCENTS;
    use crate::specification::stability::Stability;
    use hemiola_number::Update;
    use hemiola_stability::internal_amplification;
    use std::ops::ControlFlow;

    fn designed(slow: usize, fast: usize, axis: Axis, internal: Option<f64>) -> Design {
        let mut specification = Specification { starts: 24, ..Specification::new(slow, fast, None).unwrap() };
        specification.stability[FAST] = Stability::Optimal { axis, damping: 0.0, band: 0.5 };
        specification.objective.internal = internal;
        design(&specification, &()).unwrap()
    }

    #[test]
    fn fragile_minima_are_avoided_where_they_cost_little() {
        let design = designed(2, 6, Axis::Real, None);
        let found = design.internal.unwrap();
        // The minimum of the error alone amplifies rounding a hundred times; others with the same error do not.
        assert!(found.plain.amplification > 100.0 && found.chosen.amplification < 30.0, "{found:?}");
        assert!(found.chosen.error <= 1.02 * found.plain.error && found.refused.is_none(), "{found:?}");
        let measured = internal_amplification(&design.method, FAST, (-1.0).into()).unwrap().unwrap();
        // The limit is rounded to a thousandth, and the refinement moves the coefficients a little.
        assert!((measured / found.chosen.amplification - 1.0).abs() < 1e-2, "{measured}, {found:?}");
        // The search with this weight from the beginning finds no smaller error.
        let again = designed(2, 6, Axis::Real, Some(found.chosen.weight));
        assert!((again.error_norm / design.error_norm - 1.0).abs() < 1e-3 && again.internal.is_none());
    }

    #[test]
    fn an_interruption_of_the_second_objective_is_recorded() {
        let mut specification = Specification { starts: 24, ..Specification::new(2, 6, None).unwrap() };
        specification.stability[FAST] = Stability::Optimal { axis: Axis::Real, damping: 0.0, band: 0.5 };
        specification.objective.internal = None;
        // The descents of the error alone are more than ten.
        let is_second = |update: Update<'_>| update.phase == DESCENTS && update.total == Some(10);
        let stop = |update: Update<'_>| {
            if is_second(update) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let stopped = design(&specification, &stop).unwrap();
        assert!(stopped.interrupted && stopped.internal.unwrap().chosen.weight == 0.0);
        assert!(stopped.method.source().note.as_ref().unwrap().contains("interrupted"));
        assert!(!design(&specification, &()).unwrap().interrupted);
    }

    #[test]
    fn robust_minima_stay() {
        let [chosen, plain] = [None, Some(0.0)].map(|weight| designed(2, 5, Axis::Imaginary, weight));
        assert_eq!(chosen.method.to_json(), plain.method.to_json());
        assert_eq!(chosen.internal, None);
    }

    #[test]
    fn weights_have_two_digits() {
        assert_eq!(two_digits(0.196_233), 0.2);
        assert_eq!(two_digits(1.234e-5), 1.2e-5);
    }
}
