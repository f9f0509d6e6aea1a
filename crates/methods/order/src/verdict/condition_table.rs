//! Tables of all conditions with their residuals and verdicts.
//!
//! This module evaluates the definition of a verdict directly. [`OrderCheck`](crate::OrderCheck) finds the same
//! verdicts much faster, but lists only the failing conditions.

use hemiola_tableau::Method;
use num_traits::Zero;

use crate::engine::weights::{StageSolution, Weights};
use crate::error::OrderError;
use crate::trees::enumerate::Trees;
use crate::trees::grammar::Grammar;
use crate::verdict::condition::{Allowance, Condition, Verdict};
use crate::verdict::uncertainty::Uncertainties;

/// Maximum number of conditions; longer tables are useless.
const MOST_CONDITIONS: u128 = 100_000;

/// Evaluates all conditions of orders 1 to `order` of a Runge–Kutta method, in the order of the trees.
///
/// A residual up to `tolerance` counts as holding to precision; `None` derives the bound of each condition from
/// the precision of the coefficients.
///
/// # Errors
/// Returns [`OrderError::TooManyTrees`] beyond a hundred thousand conditions, [`OrderError::OrderTooHigh`] and
/// [`OrderError::TooManyColors`] as for [`Trees`].
///
/// ```
/// use hemiola_order::{Grammar, Verdict, conditions};
/// let heun = hemiola_tableau::library::method("heun-2").unwrap();
/// let all = conditions(&heun, &Grammar::partitioned(1), 3, None).unwrap();
/// let verdicts: Vec<Verdict> = all.iter().map(|condition| condition.verdict).collect();
/// assert_eq!(verdicts, [Verdict::Exact, Verdict::Exact, Verdict::Fails, Verdict::Fails]);
/// assert_eq!(all[2].residual, 1.0 / 6.0); // Σ bᵢcᵢ² − 1/3
/// ```
pub fn conditions(
    method: &Method,
    grammar: &Grammar,
    order: usize,
    tolerance: Option<f64>,
) -> Result<Vec<Condition>, OrderError> {
    grammar.check_total(order, MOST_CONDITIONS)?;
    let trees = Trees::new(grammar, order)?;
    let exact = method.exact();
    let uncertainties = Uncertainties::of(method);
    let mut weights = Weights::new(&trees, &exact, StageSolution::Solved);
    let condition = |id| {
        let tree = trees.tree(id);
        let residual = weights.residual(id);
        if residual.is_zero() {
            return Condition::new(tree, 0.0, 0.0, Verdict::Exact);
        }
        let residual = residual.to_f64();
        let allowance = tolerance.map_or_else(|| uncertainties.allowance(&tree), Allowance::within);
        Condition::new(tree, residual, allowance.to_precision, Verdict::on(residual, allowance))
    };
    Ok((1..=order).flat_map(|order| trees.of_order(order)).map(condition).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CheckOptions, OrderCheck, OrderSummary, ProblemClass, Tree};
    use hemiola_tableau::library;

    /// Checks that the definition and the fast engine agree, count by count and tree by tree.
    #[test]
    fn verdicts_are_those_of_the_check() {
        for (id, order) in [("rk4", 6), ("gauss-2", 5), ("shome-haug-jay-2-5", 4), ("lobatto-iiia-iiib-3", 4)] {
            let method = library::method(id).unwrap();
            let partitions = method.partitions().len();
            for problem in [ProblemClass::General, ProblemClass::Separable] {
                let grammar = match problem {
                    ProblemClass::Separable => Grammar::separable(partitions),
                    _ => Grammar::partitioned(partitions),
                };
                let options = CheckOptions { highest_order: order, problem, ..CheckOptions::default() };
                let check = OrderCheck::new(&method, options).unwrap();
                let all = conditions(&method, &grammar, order, None).unwrap();
                let count = |verdict| all.iter().filter(|condition| condition.verdict == verdict).count() as u64;
                let sum = |of: fn(&OrderSummary) -> u64| check.orders().iter().map(of).sum::<u64>();
                let found = [Verdict::Exact, Verdict::ToPrecision, Verdict::Fails].map(count);
                assert_eq!(found, [sum(|s| s.exact), sum(|s| s.to_precision), sum(OrderSummary::failed)], "{id}");
                // The fast engine visits the trees in a different order.
                let sorted = |failing: Vec<&Condition>| {
                    let mut trees: Vec<Tree> = failing.into_iter().map(|condition| condition.tree.clone()).collect();
                    trees.sort();
                    trees
                };
                let mine = sorted(all.iter().filter(|condition| condition.verdict == Verdict::Fails).collect());
                let theirs = sorted(check.failures().collect());
                assert_eq!(mine, theirs, "{id}");
            }
        }
    }

    #[test]
    fn long_tables_are_refused() {
        let pair = library::method("stormer-verlet").unwrap();
        let refused = conditions(&pair, &Grammar::partitioned(2), 10, None).unwrap_err();
        assert!(matches!(refused, OrderError::TooManyTrees { order: 10, count: 547_404, .. }), "{refused}");
    }
}
