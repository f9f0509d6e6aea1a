//! Conditions of linearized implicit methods, evaluated by the plain engine because orders stay small.

use hemiola_tableau::{Butcher, Exact, MOST_ITERATIONS, Tableau};
use num_dual::Dual64;
use num_traits::Zero;

use crate::engine::gradient::entries;
use crate::engine::jet::Jet;
use crate::engine::weights::{StageSolution, Weights};
use crate::error::OrderError;
use crate::trees::enumerate::{TreeId, Trees};
use crate::trees::grammar::Grammar;
use crate::verdict::condition::{Allowance, Condition, NUMERICALLY, OrderSummary, Verdict};
use crate::verdict::condition_checker::CheckRequest;
use crate::verdict::condition_checker::work::{MOST_BYTES, order_without_request};
use crate::verdict::uncertainty::Uncertainties;

/// Time of a condition in the plain engine, in exact arithmetic, relative to one of solved stages in doubles.
const EFFORT: u128 = 1000;

/// Decides all conditions of the requested orders with `iterations` Newton iterations.
pub(crate) fn check(asked: CheckRequest, iterations: usize) -> Result<Vec<OrderSummary>, OrderError> {
    let CheckRequest { method, grammar, order, goes_on, .. } = asked;
    if !(1..=MOST_ITERATIONS).contains(&iterations) {
        return Err(OrderError::Iterations { found: iterations, most: MOST_ITERATIONS });
    }
    let effort = EFFORT * (iterations as u128 + 1);
    let most = if goes_on { order_without_request(method, grammar, order, effort) } else { order };
    // The tables contain all trees, so each further order has tables of its own.
    for highest in order..=most {
        let orders = orders(asked, iterations, highest)?;
        if highest == most || orders.iter().any(|summary| summary.failed() > 0) {
            return Ok(orders);
        }
    }
    Ok(Vec::new())
}

/// Decides all conditions of orders 1 to `highest`.
fn orders(asked: CheckRequest, iterations: usize, highest: usize) -> Result<Vec<OrderSummary>, OrderError> {
    let CheckRequest { method, grammar, tolerance, listed, .. } = asked;
    check_memory(grammar, highest, method.stages(), iterations)?;
    let trees = Trees::new(grammar, highest)?;
    let exact = method.exact();
    let uncertainties = Uncertainties::of(method);
    let stages = StageSolution::Linearized { iterations };
    let mut judge = LinearizedJudge {
        trees: &trees,
        stages,
        tolerance,
        uncertainties: &uncertainties,
        doubles: Weights::new(&trees, uncertainties.nearest(), stages),
        stated: Weights::new(&trees, &uncertainties.stated.jets, stages),
        slack: Weights::new(&trees, &uncertainties.slack.jets, stages),
        exact: Weights::new(&trees, &exact, stages),
    };
    let mut left = listed;
    let summary = |order| {
        let mut summary = OrderSummary::new(order);
        for tree in trees.of_order(order) {
            summary.add(judge.judge(tree), left);
        }
        left -= summary.failures.len();
        summary
    };
    Ok((1..=highest).map(summary).collect())
}

/// Rejects checks that need too much memory: for each tree and the forest below it, vectors over the stages at
/// each iterate, once for each number type.
fn check_memory(grammar: &Grammar, order: usize, stages: usize, iterations: usize) -> Result<(), OrderError> {
    const NUMBERS: u128 = 2 * (size_of::<f64>() + 2 * size_of::<Jet>() + size_of::<Exact>()) as u128;
    let vectors = grammar.total(order)?.saturating_mul(iterations as u128 + 1);
    let bytes = vectors.saturating_mul(stages as u128 * NUMBERS);
    if bytes > MOST_BYTES { Err(OrderError::TooMuchMemory { order, stages, bytes, most: MOST_BYTES }) } else { Ok(()) }
}

struct LinearizedJudge<'a> {
    trees: &'a Trees,
    stages: StageSolution,
    tolerance: Option<f64>,
    uncertainties: &'a Uncertainties,
    doubles: Weights<'a, f64>,
    stated: Weights<'a, Jet>,
    slack: Weights<'a, Jet>,
    exact: Weights<'a, Exact>,
}

impl LinearizedJudge<'_> {
    fn judge(&mut self, id: TreeId) -> Condition {
        let tree = self.trees.tree(id);
        let [stated, slack] = [&mut self.stated, &mut self.slack].map(|jets| jets.elementary_weight(id));
        let size = slack.value.max(stated.value) + 1.0 / tree.density() as f64;
        let residual = self.doubles.residual(id);
        let screen = self.tolerance.unwrap_or(stated.first.max(NUMERICALLY * size));
        // Each iterate repeats the roundings of the previous one: the bound is that of the solved stages times
        // the number of iterates.
        if residual.abs() > screen + self.rounding(tree.order()) * size {
            return Condition::new(tree, residual, 0.0, Verdict::Fails);
        }
        let exact = self.exact.residual(id);
        if exact.is_zero() {
            return Condition::new(tree, 0.0, 0.0, Verdict::Exact);
        }
        let allowance = self.tolerance.map_or_else(
            || {
                let [by_precision, by_last_digits] = self.first_order(id);
                let by_last_digits = by_last_digits + slack.beyond_first_order();
                let explained = by_precision + stated.beyond_first_order();
                Allowance::new(self.uncertainties.excused(explained, tree.density()), by_last_digits, size)
            },
            Allowance::within,
        );
        let residual = exact.to_f64();
        Condition::new(tree, residual, allowance.to_precision, Verdict::on(residual, allowance))
    }

    fn rounding(&self, order: usize) -> f64 {
        let iterates = match self.stages {
            StageSolution::Solved => 1,
            StageSolution::Linearized { iterations } => 4 * iterations,
        };
        let operations = (iterates * (order * (self.uncertainties.nearest().stages() + 3) + 4)) as f64;
        let operations = operations * 0.5 * f64::EPSILON;
        operations / (1.0 - operations)
    }

    /// Computes Σ |∂Φ/∂x| δx for the precision and for last digits, by dual numbers, one coefficient at a time, because
    /// the adjoint recursion applies only to solved stages.
    fn first_order(&self, id: TreeId) -> [f64; 2] {
        let Uncertainties { stated, slack, .. } = self.uncertainties;
        let deltas = entries(&stated.deltas).zip(entries(&slack.deltas));
        let add = |[precise, loose]: [f64; 2], (place, (stated, slack)): (usize, (&f64, &f64))| {
            let tableau = dual_tableau(self.uncertainties.nearest(), place);
            let slope = Weights::new(self.trees, &tableau, self.stages).elementary_weight(id).eps.abs();
            [precise + slope * stated, loose + slope * slack]
        };
        deltas.enumerate().filter(|(_, (_, slack))| **slack > 0.0).fold([0.0; 2], add)
    }
}

/// Converts the tableau to dual numbers, with derivative 1 at one index in the order of [`entries`].
fn dual_tableau(tableau: &Tableau<f64>, seed: usize) -> Tableau<Dual64> {
    let mut place = 0;
    let mut dual = |value: &f64| {
        let derivative = f64::from(u8::from(place == seed));
        place += 1;
        Dual64::new(*value, derivative)
    };
    let partitions = tableau.partitions.iter().map(|butcher| Butcher {
        a: butcher.a.iter().map(|row| row.iter().map(&mut dual).collect()).collect(),
        b: butcher.b.iter().map(&mut dual).collect(),
        c: butcher.c.iter().map(&mut dual).collect(),
    });
    Tableau { partitions: partitions.collect() }
}
