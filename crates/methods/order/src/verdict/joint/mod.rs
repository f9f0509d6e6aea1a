//! Joint explanation of all residuals by a single change of the coefficients, and the least such change.
//!
//! The precision of the coefficients may explain each residual by itself although no single choice of coefficients
//! within that precision satisfies all conditions. This reveals misprints in coefficients with little weight. To first
//! order, the module searches for changes e with |e_k| ≤ δ_k and Ge = −r, where the rows of G are the gradients of the
//! conditions ([`LinearizedSystem`]). The test of errors in last digits is the same with their δ.

mod least_change;

use hemiola_number::parallel;

use crate::engine::gradient::entries;
use crate::trees::tree::Tree;
use crate::verdict::cell::{Cell, TableauPosition};
use crate::verdict::condition::{Condition, OrderSummary};
use crate::verdict::joint::least_change::{ConditionRow, ExplanationStatus, LinearizedSystem};
use crate::verdict::uncertainty::{Uncertainties, Uncertainty};

/// Residuals relative to the explained part below which they count as zero and need no joint explanation.
const NEGLIGIBLE: f64 = 0.01;
/// Maximum number of derivatives; beyond it, conditions of the highest orders are omitted.
const MOST_SLOPES: usize = 4_000_000;
/// A change of few coefficients is reported if its largest component exceeds the smallest possible one by at most this
/// factor.
const FURTHER: f64 = 4.0;
/// Largest change in units of the last digit that rounding explains: half a unit and a margin.
const ROUNDED: f64 = 0.5 + 1e-3;

/// The changes of a numerically valid tableau with which all conditions up to its order hold as stated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DigitsOff {
    /// Coefficients whose last digits must change by more than rounding, largest change first, in units of the last
    /// digit as written (of the last bit if the text is a printed double). If a change of few coefficients suffices,
    /// only these are listed; otherwise the change minimizes the largest component. Empty if no change of last digits
    /// suffices, as in a tableau without decimals.
    pub cells: Vec<(Cell, f64)>,
    /// The largest change of a coefficient.
    pub largest_change: f64,
}

/// The conditions of one order, if all of them hold.
#[derive(Default)]
pub(crate) struct HoldingConditions {
    /// The first conditions, up to a maximum number.
    conditions: Vec<Condition>,
    count: usize,
    /// Whether some residual is not negligible.
    matters: bool,
}

impl HoldingConditions {
    /// Adds a condition, which is stored only among the first `kept`.
    pub(crate) fn add(&mut self, condition: Condition, kept: usize) {
        self.count += 1;
        self.matters |= condition.residual.abs() > NEGLIGIBLE * condition.explained;
        if self.conditions.len() < kept {
            self.conditions.push(condition);
        }
    }

    /// Appends the conditions that follow.
    pub(crate) fn append(&mut self, others: Self, kept: usize) {
        self.count += others.count;
        self.matters |= others.matters;
        let left = kept.saturating_sub(self.conditions.len());
        self.conditions.extend(others.conditions.into_iter().take(left));
    }
}

/// Returns the maximum number of conditions in a joint explanation.
pub(crate) fn most_conditions(uncertainties: &Uncertainties) -> usize {
    MOST_SLOPES / places(uncertainties).len().max(1)
}

/// Returns the indices of the nonzero entries, in the order of [`entries`].
fn places(uncertainties: &Uncertainties) -> Vec<usize> {
    let slacks: Vec<f64> = entries(&uncertainties.slack.deltas).copied().collect();
    (0..slacks.len()).filter(|&k| slacks[k] > 0.0).collect()
}

/// The conditions that hold in the orders of a check, with their derivatives.
pub(crate) struct JointConditions<'a> {
    uncertainties: &'a Uncertainties,
    /// The indices of the nonzero entries, in the order of [`entries`].
    places: Vec<usize>,
    rows: Vec<ConditionRow>,
    /// The number of rows of orders 1 to k, for each k.
    ends: Vec<usize>,
}

/// Records in the summaries which orders hold together. `held` contains the conditions that hold, order by order.
pub(crate) fn decide_together(
    orders: &mut [OrderSummary],
    held: Vec<HoldingConditions>,
    uncertainties: &Uncertainties,
) -> Option<DigitsOff> {
    let reached = orders.iter().take_while(|summary| summary.failed() == 0).count();
    let stated = orders[..reached].iter().take_while(|summary| summary.numerically == 0).count();
    if !held[..reached].iter().any(|held| held.matters) {
        return None;
    }
    let joint = JointConditions::new(held, reached, uncertainties);
    let stated = joint
        .highest_joint_order(&uncertainties.stated, 0, stated, |explained| explained.holds_as_stated(uncertainties));
    let reached = joint
        .highest_joint_order(&uncertainties.slack, stated, reached, |explained| explained == ExplanationStatus::Yes);
    for (k, summary) in orders.iter_mut().enumerate().filter(|(_, summary)| summary.failed() == 0) {
        summary.together &= k < reached || joint.ends.len() <= k;
        summary.together_as_stated &= k < stated || summary.numerically > 0 || joint.ends.len() <= k;
    }
    (stated < reached).then(|| joint.digits_off(reached))
}

/// Returns whether all conditions, which hold individually, hold together: as stated or, with `numerically`, by
/// changes of last digits.
pub(crate) fn hold_together(
    orders: &[OrderSummary],
    held: Vec<HoldingConditions>,
    uncertainties: &Uncertainties,
    numerically: bool,
) -> bool {
    if !held.iter().any(|held| held.matters) {
        return true;
    }
    let order = orders.len();
    let joint = JointConditions::new(held, order, uncertainties);
    let together = |spread, suffices: &dyn Fn(ExplanationStatus) -> bool| {
        joint.system(spread, order).is_none_or(|system| suffices(system.is_explained()))
    };
    let are_stated = orders.iter().all(|summary| summary.numerically == 0);
    are_stated && together(&uncertainties.stated, &|explained| explained.holds_as_stated(uncertainties))
        || numerically && together(&uncertainties.slack, &|explained| explained == ExplanationStatus::Yes)
}

impl ExplanationStatus {
    /// Returns whether the answer suffices for the precision. A stated precision is a fact, so conditions hold unless
    /// the explanation is refuted. The presumed rounding of few digits is only a hypothesis, which requires a positive
    /// answer.
    fn holds_as_stated(self, uncertainties: &Uncertainties) -> bool {
        if uncertainties.is_presumed { self == Self::Yes } else { self != Self::No }
    }
}

impl<'a> JointConditions<'a> {
    fn new(held: Vec<HoldingConditions>, reached: usize, uncertainties: &'a Uncertainties) -> Self {
        let (places, most) = (places(uncertainties), most_conditions(uncertainties));
        let ends = held[..reached].iter().scan(0, |end, held| {
            *end += held.count;
            Some((*end).min(most))
        });
        let ends = ends.collect();
        let conditions: Vec<Condition> =
            held.into_iter().take(reached).flat_map(|held| held.conditions).take(most).collect();
        let slopes = parallel::map(conditions.len(), |k| slopes(&conditions[k].tree, uncertainties, &places));
        let row = |(Condition { tree, residual, .. }, slopes)| ConditionRow { slopes, residual, tree };
        let rows = conditions.into_iter().zip(slopes).map(row).collect();
        Self { uncertainties, places, rows, ends }
    }

    /// Returns the highest order up to `highest` that holds together, given that order `known` does.
    fn highest_joint_order(
        &self,
        spread: &Uncertainty,
        known: usize,
        highest: usize,
        suffices: impl Fn(ExplanationStatus) -> bool,
    ) -> usize {
        let together = |order: &usize| self.system(spread, *order).is_none_or(|system| suffices(system.is_explained()));
        (known + 1..=highest).rev().find(together).unwrap_or(known)
    }

    fn system(&self, spread: &Uncertainty, order: usize) -> Option<LinearizedSystem> {
        let rows = &self.rows[..order.checked_sub(1).map_or(0, |k| self.ends[k])];
        LinearizedSystem::new(rows, |tree| spread.beyond_first_order(tree), &self.deltas(spread))
    }

    fn deltas(&self, spread: &Uncertainty) -> Vec<f64> {
        let deltas: Vec<f64> = entries(&spread.deltas).copied().collect();
        self.places.iter().map(|&place| deltas[place]).collect()
    }

    /// Returns the smallest change that satisfies the conditions up to an order: of as few decimals as possible or, if
    /// decimals do not suffice, of all coefficients.
    fn digits_off(&self, order: usize) -> DigitsOff {
        let (stated, slack) = (self.deltas(&self.uncertainties.stated), self.deltas(&self.uncertainties.slack));
        let in_units = self.system(&self.uncertainties.stated, order);
        let is_allowed =
            |changes: &Vec<f64>| changes.iter().zip(&stated).zip(&slack).all(|((z, d), s)| (z * d).abs() <= *s);
        let least = in_units.as_ref().and_then(LinearizedSystem::least_change).filter(is_allowed);
        let further = FURTHER * least.as_deref().map_or(f64::INFINITY, |changes| size(changes).max(1.0));
        let few = in_units.as_ref().and_then(LinearizedSystem::sparse_change).filter(is_allowed);
        if let Some(changes) = few.filter(|changes| size(changes) <= further).or(least) {
            let units = self.places.iter().zip(&changes).map(|(&place, change)| (place, 0.5 * change.abs()));
            let off = units.filter(|(_, units)| *units > ROUNDED);
            let cells = off.filter_map(|(place, units)| Some((self.cell(place)?, units)));
            let mut cells: Vec<(Cell, f64)> = cells.collect();
            cells.sort_by(|x, y| y.1.total_cmp(&x.1));
            return DigitsOff { cells, largest_change: largest(&changes, &stated) };
        }
        let least = self.system(&self.uncertainties.slack, order).and_then(|system| system.least_change());
        DigitsOff { cells: Vec::new(), largest_change: least.map_or(0.0, |changes| largest(&changes, &slack)) }
    }

    /// Returns the cell at an index in the order of [`entries`]; `None` for an abscissa.
    fn cell(&self, place: usize) -> Option<Cell> {
        let s = self.uncertainties.nearest().stages();
        let (partition, place) = (place / (s * (s + 2)), place % (s * (s + 2)));
        let place = match (place / s, place % s) {
            (row, column) if row < s => TableauPosition::Matrix { row, column },
            (row, column) if row == s => TableauPosition::Weight { column },
            _ => return None,
        };
        Some(Cell { partition, place })
    }
}

fn size(changes: &[f64]) -> f64 {
    changes.iter().fold(0.0, |largest, change| largest.max(change.abs()))
}

fn largest(changes: &[f64], deltas: &[f64]) -> f64 {
    changes.iter().zip(deltas).map(|(change, delta)| (change * delta).abs()).fold(0.0, f64::max)
}

fn slopes(tree: &Tree, uncertainties: &Uncertainties, places: &[usize]) -> Vec<f64> {
    let all = uncertainties.gradient(tree);
    places.iter().map(|&place| all[place]).collect()
}
