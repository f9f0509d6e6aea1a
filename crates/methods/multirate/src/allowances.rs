//! Residuals that the uncertainty of the coefficients explains, as for Runge–Kutta methods.

use std::cell::OnceCell;
use std::collections::HashMap;

use hemiola_order::{Allowance, Jet, TreeId, Trees, Verdict};
use hemiola_tableau::{Coefficient, Rounding};
use num_dual::Dual64;

use crate::method::InfinitesimalMethod;
use crate::stage::InfinitesimalStage;
use crate::weights::{MultirateWeights, RowKind};

/// Largest residual, relative to the expected value, that digits excuse if they are only presumed to be rounded.
const PRESUMABLY: f64 = 0.01;

/// The uncertain coefficients of a method.
pub(crate) struct Allowances<'a> {
    method: &'a InfinitesimalMethod,
    trees: &'a Trees,
    stated: Vec<f64>,
    slack: Vec<f64>,
    stated_jets: MultirateWeights<'a, Jet>,
    slack_jets: MultirateWeights<'a, Jet>,
    is_presumed: bool,
    /// The derivatives with respect to each coefficient, computed once a residual requires them.
    gradients: OnceCell<Vec<HashMap<(TreeId, bool), f64>>>,
}

impl<'a> Allowances<'a> {
    pub(crate) fn new(method: &'a InfinitesimalMethod, trees: &'a Trees) -> Self {
        let rounding = method.rounding();
        let of = |bound: &dyn Fn(&Rounding, &Coefficient) -> f64| -> Vec<f64> {
            method.rows().flat_map(InfinitesimalStage::coefficients).map(|x| bound(&rounding, x)).collect()
        };
        let (stated, slack) = (of(&Rounding::of), of(&Rounding::slack));
        let jets = |deltas: &[f64]| {
            let mut deltas = deltas.iter();
            let mut jet = |x: &Coefficient| Jet::new(x.value().to_f64().abs(), deltas.next().copied().unwrap_or(0.0));
            let rows = method.rows().map(|row| row.map(&mut jet)).collect();
            MultirateWeights::new(trees, rows, method.stages().len())
        };
        let (stated_jets, slack_jets) = (jets(&stated), jets(&slack));
        let is_presumed = rounding.presumed_digits().is_some();
        Self { method, trees, stated, slack, stated_jets, slack_jets, is_presumed, gradients: OnceCell::new() }
    }

    /// Returns the verdict on a nonzero residual, and the part of it that the precision explains.
    pub(crate) fn verdict(&mut self, tree: TreeId, row: RowKind, residual: f64) -> (Verdict, f64) {
        let (stated, slack) = (self.stated_jets.weight(tree, row), self.slack_jets.weight(tree, row));
        let expected = 1.0 / self.trees.density(tree) as f64;
        let size = slack.value + expected;
        // The derivative of the majorant bounds the sum over the coefficients, so that most failures need no more.
        let most = |jet: Jet| jet.first + jet.beyond_first_order();
        let bound = Allowance::new(self.excused(most(stated), expected), most(slack), size);
        let (verdict, explained) = (Verdict::on(residual, bound), most(stated));
        if verdict == Verdict::Fails {
            return (verdict, explained);
        }
        let explained = self.first_order(&self.stated, tree, row) + stated.beyond_first_order();
        let last_digits = self.first_order(&self.slack, tree, row) + slack.beyond_first_order();
        let allowance = Allowance::new(self.excused(explained, expected), last_digits, size);
        (Verdict::on(residual, allowance), explained)
    }

    fn excused(&self, explained: f64, expected: f64) -> f64 {
        if self.is_presumed { explained.min(PRESUMABLY * expected) } else { explained }
    }

    /// Computes Σ |∂Φ/∂x| δx.
    fn first_order(&self, deltas: &[f64], tree: TreeId, row: RowKind) -> f64 {
        let gradients = self.gradients.get_or_init(|| self.gradients());
        let key = (tree, row == RowKind::Embedded);
        let terms = gradients.iter().zip(deltas).filter(|(_, delta)| **delta > 0.0);
        terms.map(|(slopes, delta)| (slopes.get(&key).copied().unwrap_or(0.0) * delta).abs()).sum()
    }

    /// Computes ∂Φ/∂x of all trees, for one coefficient after the other.
    fn gradients(&self) -> Vec<HashMap<(TreeId, bool), f64>> {
        self.slack
            .iter()
            .enumerate()
            .map(|(k, delta)| if *delta > 0.0 { self.slopes(k) } else { HashMap::new() })
            .collect()
    }

    fn slopes(&self, coefficient: usize) -> HashMap<(TreeId, bool), f64> {
        let mut k = 0;
        let mut dual = |x: &Coefficient| {
            let seed = if k == coefficient { 1.0 } else { 0.0 };
            k += 1;
            Dual64::new(x.value().to_f64(), seed)
        };
        let rows = self.method.rows().map(|row| row.map(&mut dual)).collect();
        let mut weights: MultirateWeights<Dual64> = MultirateWeights::new(self.trees, rows, self.method.stages().len());
        let all = (1..=self.trees.highest_order()).flat_map(|order| self.trees.of_order(order));
        let both = all.flat_map(|tree| [(tree, RowKind::Step), (tree, RowKind::Embedded)]);
        both.map(|(tree, row)| ((tree, row == RowKind::Embedded), weights.weight(tree, row).eps)).collect()
    }
}
