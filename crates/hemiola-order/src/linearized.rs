//! Conditions of linearised implicit methods: the plain engine, for which orders stay small.

use hemiola_tableau::{Butcher, Exact, Method, Tableau};
use num_dual::Dual64;
use num_traits::Zero;

use crate::error::OrderError;
use crate::grammar::Grammar;
use crate::jet::Jet;
use crate::trees::{TreeId, Trees};
use crate::uncertainty::{Uncertainty, entries};
use crate::verdict::{Condition, OrderSummary, Verdict};
use crate::weights::{Stages, Weights};

/// The verdicts on all conditions of orders 1 to `order` with `iterations` Newton iterations.
pub(crate) fn check(
    method: &Method,
    grammar: &Grammar,
    iterations: usize,
    order: usize,
    tolerance: Option<f64>,
    listed: usize,
) -> Result<Vec<OrderSummary>, OrderError> {
    if iterations == 0 {
        return Err(OrderError::NoIterations);
    }
    let trees = Trees::new(grammar, order)?;
    let exact = method.exact();
    let uncertainty = Uncertainty::new(method.to_f64(), method.uncertainties());
    let stages = Stages::Linearized { iterations };
    let mut judge = Judge {
        trees: &trees,
        stages,
        tolerance,
        uncertainty: &uncertainty,
        doubles: Weights::new(&trees, &uncertainty.nearest, stages),
        jets: Weights::new(&trees, &uncertainty.jets, stages),
        exact: Weights::new(&trees, &exact, stages),
    };
    let mut left = listed;
    let summary = |order| {
        let mut summary = OrderSummary { order, together: true, ..OrderSummary::default() };
        for tree in trees.of_order(order) {
            summary.add(judge.judge(tree), left);
        }
        left -= summary.failures.len();
        summary
    };
    Ok((1..=order).map(summary).collect())
}

struct Judge<'a> {
    trees: &'a Trees,
    stages: Stages,
    tolerance: Option<f64>,
    uncertainty: &'a Uncertainty,
    doubles: Weights<'a, f64>,
    jets: Weights<'a, Jet>,
    exact: Weights<'a, Exact>,
}

impl Judge<'_> {
    fn judge(&mut self, id: TreeId) -> Condition {
        let tree = self.trees.tree(id);
        let jet = self.jets.elementary_weight(id);
        let size = jet.value + 1.0 / tree.density() as f64;
        let residual = self.doubles.residual(id);
        let screen = self.tolerance.unwrap_or(jet.first);
        // Each iterate repeats the roundings of the one before: the bound of the solved stages times the iterates.
        if residual.abs() > screen + self.rounding(tree.order()) * size {
            return Condition::new(tree, residual, 0.0, Verdict::Fails);
        }
        let exact = self.exact.residual(id);
        if exact.is_zero() {
            return Condition::new(tree, 0.0, 0.0, Verdict::Exact);
        }
        let explained = self.tolerance.unwrap_or_else(|| self.first_order(id) + jet.beyond_first_order());
        let residual = exact.to_f64();
        let verdict = if residual.abs() <= explained { Verdict::ToPrecision } else { Verdict::Fails };
        Condition::new(tree, residual, explained, verdict)
    }

    fn rounding(&self, order: usize) -> f64 {
        let iterates = match self.stages {
            Stages::Solved => 1,
            Stages::Linearized { iterations } => 4 * iterations,
        };
        let operations = (iterates * (order * (self.uncertainty.nearest.stages() + 3) + 4)) as f64;
        let operations = operations * 0.5 * f64::EPSILON;
        operations / (1.0 - operations)
    }

    /// Σ |∂Φ/∂x| δx by dual numbers, one coefficient after the other: the adjoint recursion is that of solved stages.
    fn first_order(&self, id: TreeId) -> f64 {
        let slope = |(place, &delta): (usize, &f64)| {
            let tableau = dual_tableau(&self.uncertainty.nearest, place);
            delta * Weights::new(self.trees, &tableau, self.stages).elementary_weight(id).eps.abs()
        };
        entries(&self.uncertainty.deltas).enumerate().filter(|(_, delta)| **delta > 0.0).map(slope).sum()
    }
}

/// The tableau as duals, with derivative 1 at one place of the sequence of [`entries`].
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
