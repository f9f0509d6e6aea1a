//! Larger stability limits of the slow partition at a small cost in error.
//!
//! Minima of the error alone often leave the slow partition without any imaginary limit, although a small change of a
//! free coefficient gives most of the optimal limit.

use hemiola_number::Progress;
use hemiola_polynomial::Axis;

use crate::error::DesignError;
use crate::optimize::descent::FINAL;
use crate::optimize::problem::IN_FULL;
use crate::pair::partitions::{FAST, SLOW};
use crate::refinement::design::{SlowBalance, SlowTradeOff};
use crate::search::multistart::{Candidate, Search};
use crate::search::plan::{COARSE, Heat, SECOND_HEAT};
use crate::specification::definition::Specification;
use crate::specification::stability::{Stability, optimal_limit};
use crate::terms::slow_limit::SlowLimit;

/// Smallest desired fraction of the optimal limit.
const FRACTION: f64 = 0.8;
/// Number of minima of the error alone in the first round of descents with this objective; the starts with the smallest
/// errors fill up the round.
const MINIMA: usize = 4;
/// The rounds at the lowest level of effort; the last two lead into the basins and to the minima.
const HEATS: [Heat; 3] =
    [Heat { most: 12, effort: SECOND_HEAT }, Heat { most: 4, effort: COARSE }, Heat { most: 2, effort: FINAL }];
/// Largest ratio of the errors with and without the desired limit.
const PRICE: f64 = 1.25;

/// The minima with the desired slow limit, and their cost in error.
pub(crate) struct LimitedMinima {
    pub(crate) specification: Specification,
    /// The minima; `None` if they cost too much error.
    pub(crate) candidates: Option<Vec<Candidate>>,
    pub(crate) found: SlowTradeOff,
}

impl Search<'_> {
    /// Searches for minima with the desired slow limit, given the minima of the error alone. Returns `None` if the
    /// first of these already has the limit, if the limit is not free, or if the search is interrupted.
    pub(crate) fn limited_minima(
        &self,
        minima: &[Candidate],
        progress: &dyn Progress,
    ) -> Result<Option<LimitedMinima>, DesignError> {
        let Some((axis, optimum)) = free_limit(self.specification) else { return Ok(None) };
        let Some(first) = minima.iter().find(|candidate| self.is_within(candidate)) else { return Ok(None) };
        let plain = self.slow_balance(first, axis, optimum);
        if plain.limit >= FRACTION * optimum || self.is_cut() {
            return Ok(None);
        }
        let mut specification = self.specification.clone();
        specification.stability[SLOW] = Stability::AtLeast { axis, fraction: FRACTION };
        let search = self.continued(&specification)?;
        let level = self.specification.effort.unwrap_or(1);
        let mut candidates: Vec<Candidate> = minima
            .iter()
            .take(MINIMA.saturating_mul(level))
            .cloned()
            .chain(search.ranked(specification.starts).0)
            .collect();
        for Candidate { choice, minimum, .. } in &mut candidates {
            minimum.merit = search.problem(*choice, IN_FULL).merit(&minimum.x);
        }
        let heats = HEATS.map(|heat| Heat { most: heat.most.saturating_mul(level), ..heat });
        let candidates = search.descended(candidates, &heats, progress);
        if search.is_cut() {
            self.cut();
            return Ok(None);
        }
        let first = candidates.iter().find(|candidate| search.is_within(candidate));
        let wished = first.map(|first| search.slow_balance(first, axis, optimum));
        let is_wished = |wished: SlowBalance| {
            wished.limit >= FRACTION * optimum
                && wished.error <= (PRICE * plain.error).max(self.specification.objective.negligible_error())
        };
        let is_chosen = wished.is_some_and(is_wished);
        let found = SlowTradeOff { axis, optimum, fraction: FRACTION, plain, wished, is_chosen };
        Ok(Some(LimitedMinima {
            candidates: is_chosen.then_some(candidates),
            found,
            specification: specification.clone(),
        }))
    }

    /// Returns whether a minimum has the desired slow limit, or at least the limit of another minimum.
    pub(crate) fn keeps_slow_limit(&self, minimum: &Candidate, other: &Candidate) -> bool {
        let Some((axis, optimum)) = free_limit(self.specification) else { return true };
        let [limit, least] = [minimum, other].map(|candidate| self.slow_balance(candidate, axis, optimum).limit);
        limit >= least.min(FRACTION * optimum)
    }

    /// Computes error and slow limit of a minimum.
    fn slow_balance(&self, candidate: &Candidate, axis: Axis, optimum: f64) -> SlowBalance {
        let problem = self.problem(candidate.choice, IN_FULL);
        let [errors, _] = problem.shares(&candidate.minimum.x);
        let at = problem.unknowns().coefficients(&candidate.minimum.x);
        SlowBalance {
            error: (2.0 * errors).sqrt(),
            limit: SlowLimit::new(axis, self.specification, optimum).limit(&at),
        }
    }
}

/// Returns the axis of the fast polynomial and the largest slow limit along it, if the search chooses the slow
/// polynomial and there is a choice.
fn free_limit(specification: &Specification) -> Option<(Axis, f64)> {
    let &Specification { slow, order, .. } = specification;
    let (Stability::Auto, Stability::Optimal { axis, .. }) =
        (&specification.stability[SLOW], &specification.stability[FAST])
    else {
        return None;
    };
    if slow <= order {
        return None;
    }
    // Without an optimum there is no limit to request.
    Some((*axis, optimal_limit(*axis, slow, order).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refinement::design::Design;
    use crate::search::one_design::design;
    use hemiola_stability::stability_limit;
    use num_complex::Complex64;

    fn designed([slow_stages, fast, order]: [usize; 3], axis: Axis, slow: Stability) -> Design {
        let whole = Specification::new(slow_stages, fast, Some(order)).unwrap();
        let mut specification = Specification { starts: 24, ..whole };
        specification.stability = [slow, Stability::Optimal { axis, damping: 0.0, band: 0.5 }];
        design(&specification, &()).unwrap()
    }

    #[test]
    fn slow_limits_are_kept_where_they_cost_little() {
        let mut chosen = 0;
        for (size, axis) in [([3, 5, 2], Axis::Imaginary), ([3, 5, 2], Axis::Real), ([3, 6, 1], Axis::Imaginary)] {
            let direction = if axis == Axis::Imaginary { Complex64::I } else { -Complex64::ONE };
            let design = designed(size, axis, Stability::Auto);
            let limit = stability_limit(&design.method, SLOW, direction).unwrap().value();
            let optimum = optimal_limit(axis, size[0], size[2]).unwrap();
            let plain = designed(size, axis, Stability::Free);
            assert!(plain.slow_limit.is_none());
            let Some(found) = design.slow_limit else {
                // The minimum of the error already has the limit.
                assert!(limit >= FRACTION * optimum && design.method.to_json() == plain.method.to_json());
                continue;
            };
            assert!((found.plain.error / plain.error_norm - 1.0).abs() < 1e-6, "{found:?} {}", plain.error_norm);
            assert!(found.plain.limit < FRACTION * optimum, "{found:?}");
            if found.is_chosen {
                chosen += 1;
                let wished = found.wished.unwrap();
                assert!(limit >= FRACTION * optimum && (limit / wished.limit - 1.0).abs() < 1e-6, "{limit} {found:?}");
                assert!((1.0..=PRICE).contains(&(wished.error / found.plain.error)), "{found:?}");
                // The same limit as a requirement leads to the same pair.
                let required = designed(size, axis, Stability::AtLeast { axis, fraction: FRACTION });
                assert!(required.slow_limit.is_none());
                assert!((required.error_norm / design.error_norm - 1.0).abs() < 0.02, "{}", required.error_norm);
            } else {
                assert_eq!(design.method.to_json(), plain.method.to_json());
            }
        }
        assert!(chosen > 0, "no case has a chosen limit");
    }

    #[test]
    fn determined_and_given_polynomials_stay() {
        let specification = |slow, order| {
            let mut specification = Specification::new(slow, 6, Some(order)).unwrap();
            specification.stability[SLOW] = Stability::Auto;
            specification
        };
        // As many evaluations as the order; order one with one free coefficient has the limit one.
        assert_eq!(free_limit(&specification(3, 3)), None);
        assert_eq!(free_limit(&specification(2, 1)).map(|(axis, _)| axis), Some(Axis::Imaginary));
        let free = Specification::new(5, 9, None).unwrap();
        assert_eq!(free_limit(&free), None);
        // 2√3 (Kinnmark & Gray 1984b).
        let (_, optimum) = free_limit(&Specification { slow: 5, ..specification(6, 4) }).unwrap();
        assert!((optimum - 12f64.sqrt()).abs() < 1e-9, "{optimum}");
    }
}
