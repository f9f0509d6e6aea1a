//! Conditions of Runge–Kutta methods with solved stages: doubles identify clear failures, and exact arithmetic decides
//! the rest.

pub(crate) mod linearized;
mod work;

use std::sync::OnceLock;

use hemiola_number::Counter;
use hemiola_tableau::Method;

use crate::engine::arithmetic::Doubles;
use crate::engine::tables::ForestTables;
use crate::engine::walk::{small_order, walk};
use crate::error::OrderError;
use crate::trees::enumerate::Trees;
use crate::trees::grammar::Grammar;
use crate::verdict::condition::OrderSummary;
use crate::verdict::decision::Decisions;
use crate::verdict::forms::CoefficientForms;
use crate::verdict::high_precision::CloserForms;
use crate::verdict::joint::{DigitsOff, HoldingConditions, decide_together, hold_together, most_conditions};
use crate::verdict::screen::{Criterion, Screen, ScreenContext, ScreenTables};
use crate::verdict::uncertainty::Uncertainties;
use work::CheckCost;
pub use work::order_to_check;
pub(crate) use work::order_without_request;

/// Name of the units that a check counts.
pub(crate) const PHASE: &str = "conditions";

/// The extent of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckExtent {
    /// All requested orders.
    All,
    /// The orders up to the first in which a condition fails, which suffice to determine the order.
    UntilFailure,
}

/// A requested check.
#[derive(Clone, Copy)]
pub(crate) struct CheckRequest<'a> {
    pub(crate) method: &'a Method,
    pub(crate) grammar: &'a Grammar,
    /// The highest order.
    pub(crate) order: usize,
    /// Whether the check goes on beyond this order up to the first one that fails.
    pub(crate) goes_on: bool,
    pub(crate) tolerance: Option<f64>,
    /// The maximum number of failures listed with their trees.
    pub(crate) listed: usize,
    pub(crate) counter: &'a Counter<'a>,
}

/// Decides all conditions. If the order as stated is lower than the order, also determines the changes required for all
/// conditions of the order.
pub(crate) fn check(
    asked: CheckRequest,
    extent: CheckExtent,
) -> Result<(Vec<OrderSummary>, Option<DigitsOff>), OrderError> {
    let ends = |summary: &OrderSummary| extent == CheckExtent::UntilFailure && summary.failed() > 0;
    judge_orders(asked, ends, |mut orders, held, uncertainties| {
        // A tolerance applies to each condition by itself.
        let is_each = asked.tolerance.is_some();
        let digits_off = if is_each { None } else { decide_together(&mut orders, held, uncertainties) };
        (orders, digits_off)
    })
}

/// Returns whether all conditions hold together: as stated or, with `numerically`, with other last digits.
pub(crate) fn holds(asked: CheckRequest, numerically: bool) -> Result<bool, OrderError> {
    let fails = |summary: &OrderSummary| summary.failed() > 0 || !numerically && summary.numerically > 0;
    judge_orders(asked, fails, |orders, held, uncertainties| {
        !orders.iter().any(fails) && hold_together(&orders, held, uncertainties, numerically)
    })
}

/// Judges order by order, up to the first order for which `ends` is true, and passes the results to `then`. A check that
/// goes on ends at the first order from the requested one on at which any condition has failed.
fn judge_orders<T>(
    asked: CheckRequest,
    ends: impl Fn(&OrderSummary) -> bool,
    then: impl FnOnce(Vec<OrderSummary>, Vec<HoldingConditions>, &Uncertainties) -> T,
) -> Result<T, OrderError> {
    let CheckRequest { method, grammar, order, goes_on, tolerance, listed, counter } = asked;
    CheckCost::new(grammar, order, method.stages())?.check_limits()?;
    let highest = if goes_on { order_without_request(method, grammar, order, 1) } else { order };
    let counts = grammar.counts(highest)?;
    let trees = Trees::new(grammar, small_order(highest))?;
    let forms = CoefficientForms::new(method);
    let closer_forms = OnceLock::new();
    let judge = OrderJudge::new(&trees, &forms, &closer_forms, tolerance);
    let mut orders: Vec<OrderSummary> = Vec::with_capacity(highest);
    let mut left = listed;
    let mut held = Vec::with_capacity(highest);
    // The conditions beyond the requested order do not count.
    let beyond = Counter::new(counter, PHASE, None);
    let mut all_hold = true;
    for (k, count) in counts.iter().enumerate() {
        let kept = if all_hold { most_conditions(&forms.uncertainties) } else { 0 };
        let counter = if k < order { counter } else { &beyond };
        let (summary, conditions) = judge.order(k + 1, *count, left, kept, counter)?;
        left -= summary.failures.len();
        all_hold &= summary.failed() == 0;
        let is_last = ends(&summary) || (k + 1 >= order && !all_hold);
        orders.push(summary);
        held.push(conditions);
        if is_last {
            break;
        }
    }
    // Skipped conditions count as done.
    let skipped = counts.iter().take(order).skip(orders.len()).sum::<u128>();
    let _ = counter.advance(skipped as usize);
    Ok(then(orders, held, &forms.uncertainties))
}

struct OrderJudge<'a> {
    forms: &'a CoefficientForms,
    tolerance: Option<f64>,
    doubles: ForestTables<'a, Doubles>,
    values: ScreenTables,
    decisions: Decisions<'a>,
}

impl<'a> OrderJudge<'a> {
    fn new(
        trees: &'a Trees,
        forms: &'a CoefficientForms,
        closer_forms: &'a OnceLock<Option<CloserForms>>,
        tolerance: Option<f64>,
    ) -> Self {
        let doubles = ForestTables::new(&Doubles, trees, &forms.doubles);
        Self {
            forms,
            tolerance,
            values: ScreenTables::new(&doubles),
            doubles,
            decisions: Decisions::new(trees, forms, closer_forms, tolerance),
        }
    }

    /// Returns the verdicts on one order with the first failures, and the first conditions if all hold.
    fn order(
        &self,
        order: usize,
        count: u128,
        listed: usize,
        kept: usize,
        counter: &Counter<'_>,
    ) -> Result<(OrderSummary, HoldingConditions), OrderError> {
        let stages = self.forms.uncertainties.nearest().stages();
        // A path of products through the tree meets at most n(s + 3) roundings, including those of the
        // coefficients, and the expected value four more.
        let operations = order * (stages + 3) + 4;
        let known = ScreenContext {
            tables: &self.doubles,
            values: &self.values,
            decisions: &self.decisions,
            criterion: Criterion { rounding: rounding(operations), tolerance: self.tolerance },
            listed,
            kept,
            counter,
        };
        let findings = walk(&self.doubles, order, count, || Screen::new(known)).into_iter().map(Screen::findings);
        let mut summary = OrderSummary::new(order);
        let mut held = HoldingConditions::default();
        for part in findings {
            let part = part.ok_or(OrderError::Interrupted)?;
            summary.include(part.summary);
            summary.failures.extend(part.failures.into_iter().map(|(_, condition)| condition));
            held.append(part.held, kept);
        }
        summary.failures.truncate(listed);
        if summary.failed() > 0 {
            held = HoldingConditions::default();
        }
        Ok((summary, held))
    }
}

/// Bounds |fl(residual) − residual| relative to the size (Higham 2002, §3.1).
fn rounding(operations: usize) -> f64 {
    let part = operations as f64 * 0.5 * f64::EPSILON;
    part / (1.0 - part)
}
