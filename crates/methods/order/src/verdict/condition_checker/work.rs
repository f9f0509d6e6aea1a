//! Estimates of time and memory before a check begins.

use hemiola_tableau::Method;

use crate::engine::walk::small_order;
use crate::error::OrderError;
use crate::trees::grammar::Grammar;

/// Maximum number of multiplications. Doubles do at least some 10⁹ per second. If a method nearly satisfies all
/// conditions, each of them is evaluated with more digits. This takes a hundred to a thousand times longer, about an
/// hour.
const MOST_MULTIPLICATIONS: u128 = 40_000_000_000;
/// Maximum number of multiplications for orders that were not requested: a minute.
const MOST_UNASKED: u128 = MOST_MULTIPLICATIONS / 60;
/// Maximum number of multiplications for orders beyond those that were requested or follow from a claim: seconds.
const MOST_BEYOND: u128 = MOST_UNASKED / 20;
/// Maximum memory in bytes, less than a laptop has.
pub(super) const MOST_BYTES: u128 = 2_000_000_000;
/// Memory in bytes of a tree and its forest by themselves.
const NODE: u128 = 64;

/// The work of a check of all conditions up to an order, for a method with a number of stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CheckCost {
    order: usize,
    conditions: u128,
    stages: usize,
    /// The number of multiplications, one for each stage and condition.
    multiplications: u128,
    bytes: u128,
}

impl CheckCost {
    /// Estimates the work.
    ///
    /// # Errors
    /// Returns [`OrderError::OrderTooHigh`] and [`OrderError::TooManyColors`].
    pub(super) fn new(grammar: &Grammar, order: usize, stages: usize) -> Result<Self, OrderError> {
        let (conditions, size) = (grammar.total(order)?, stages as u128);
        // Each small tree and the forest below it have vectors over the stages: Ψ, AΨ, and both again as rows.
        let bytes = grammar.total(small_order(order))?.saturating_mul(24 * (size + 1) + NODE);
        Ok(Self { order, conditions, stages, multiplications: conditions.saturating_mul(size), bytes })
    }

    /// Checks the work against its limits.
    ///
    /// # Errors
    /// Returns [`OrderError::TooMuchWork`] and [`OrderError::TooMuchMemory`].
    pub(super) fn check_limits(self) -> Result<Self, OrderError> {
        let Self { order, conditions, stages, multiplications, bytes } = self;
        if multiplications > MOST_MULTIPLICATIONS {
            let most = MOST_MULTIPLICATIONS / (stages as u128).max(1);
            return Err(OrderError::TooMuchWork { order, conditions, stages, most });
        }
        if bytes > MOST_BYTES {
            return Err(OrderError::TooMuchMemory { order, stages, bytes, most: MOST_BYTES });
        }
        Ok(self)
    }
}

/// Returns the order up to which a claim of order `claimed` is checked.
///
/// This is one order above the claim, but at most 2s + 1 for s stages: no quadrature has an order above 2s, and
/// the order of one partition bounds that of the method.
///
/// # Errors
/// Returns [`OrderError::ClaimTooHigh`] if such a check would take longer than about a minute.
///
/// ```
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap();
/// assert_eq!(hemiola_order::order_to_check(&rk4, 4).unwrap(), 5);
/// assert_eq!(hemiola_order::order_to_check(&rk4, 25).unwrap(), 9);
/// ```
pub fn order_to_check(method: &Method, claimed: usize) -> Result<usize, OrderError> {
    let (stages, partitions) = (method.stages(), method.partitions().len());
    let order = claimed.min(2 * stages) + 1;
    let conditions = Grammar::partitioned(partitions).total(order)?;
    if conditions.saturating_mul(stages as u128) > MOST_UNASKED {
        return Err(OrderError::ClaimTooHigh { claimed, conditions, stages, most: MOST_UNASKED / stages as u128 });
    }
    Ok(order)
}

/// Returns the order up to which a check that goes on from `least` may go: at most 2s + 1 for s stages, where quadrature
/// fails at last, and as far as seconds allow. `effort` is the time of a condition relative to that of solved stages.
pub(crate) fn order_without_request(method: &Method, grammar: &Grammar, least: usize, effort: u128) -> usize {
    let effort = effort.saturating_mul(method.stages() as u128);
    let is_cheap =
        |order: &usize| grammar.total(*order).is_ok_and(|conditions| conditions.saturating_mul(effort) <= MOST_BEYOND);
    (least + 1..=2 * method.stages() + 1).take_while(is_cheap).last().unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_stages_are_more_work_and_more_memory() {
        let grammar = Grammar::partitioned(2);
        let work = |order, stages| CheckCost::new(&grammar, order, stages).and_then(CheckCost::check_limits);
        assert_eq!(work(12, 10).unwrap().conditions, 13_170_920);
        // 64 · 10⁶ conditions of order 13: a thousand stages are too many.
        assert!(work(13, 100).is_ok());
        let refused = work(13, 1000).unwrap_err();
        assert!(matches!(refused, OrderError::TooMuchWork { order: 13, most: 40_000_000, .. }), "{refused}");
        assert!(matches!(work(40, 2).unwrap_err(), OrderError::TooMuchWork { order: 40, .. }));
    }

    #[test]
    fn claims_beyond_quadrature_are_refuted_by_less() {
        let method = |id: &str| hemiola_tableau::library::method(id).unwrap();
        assert_eq!(order_to_check(&method("gauss-3"), 6).unwrap(), 7);
        assert_eq!(order_to_check(&method("explicit-euler"), 100).unwrap(), 3);
        // Ten stages might have order 20, which would take hours to check.
        let pair = method("mprk-p3");
        assert_eq!(pair.stages(), 10);
        assert!(matches!(order_to_check(&pair, 25), Err(OrderError::ClaimTooHigh { claimed: 25, .. })));
    }

    #[test]
    fn few_conditions_may_need_much_memory() {
        // Many stages make the tables of small trees large even if the limit on multiplications is not reached.
        let work = CheckCost::new(&Grammar::partitioned(2), 14, 700).unwrap();
        assert!(work.bytes > 20_000_000 && work.bytes < MOST_BYTES, "{work:?}");
        let refused = CheckCost { multiplications: 0, bytes: 3_000_000_000, ..work }.check_limits().unwrap_err();
        assert!(matches!(refused, OrderError::TooMuchMemory { bytes: 3_000_000_000, .. }), "{refused}");
    }
}
