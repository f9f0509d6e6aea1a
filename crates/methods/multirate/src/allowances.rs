//! Residuals that the uncertainty of the coefficients explains, as for Runge–Kutta methods.

use hemiola_order::{Allowance, Jet, TreeId, Trees, Verdict};
use hemiola_tableau::{Coefficient, Rounding};

use crate::lanes::{LANES, Lanes};
use crate::method::InfinitesimalMethod;
use crate::stage::InfinitesimalStage;
use crate::weights::{MultirateWeights, RowKind};

/// Largest relative residual that rounded digits may explain if they are only presumed to be rounded.
const PRESUMABLY: f64 = 0.01;

/// Weights with their derivatives with respect to the coefficients of these numbers.
struct PartialGradient<'a> {
    coefficients: Vec<usize>,
    weights: MultirateWeights<'a, Lanes>,
}

/// The uncertain coefficients of a method.
pub(crate) struct Allowances<'a> {
    method: &'a InfinitesimalMethod,
    trees: &'a Trees,
    stated: Vec<f64>,
    slack: Vec<f64>,
    stated_jets: MultirateWeights<'a, Jet>,
    slack_jets: MultirateWeights<'a, Jet>,
    is_presumed: bool,
    /// Weights with their derivatives with respect to some of the coefficients, computed when a residual first requires
    /// them.
    gradients: Vec<PartialGradient<'a>>,
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
        Self { method, trees, stated, slack, stated_jets, slack_jets, is_presumed, gradients: Vec::new() }
    }

    /// Returns the verdict on a nonzero residual, and the part of the residual that the precision explains.
    pub(crate) fn verdict(&mut self, tree: TreeId, row: RowKind, residual: f64) -> (Verdict, f64) {
        let (stated, slack) = (self.stated_jets.weight(tree, row), self.slack_jets.weight(tree, row));
        let expected = 1.0 / self.trees.density(tree) as f64;
        let size = slack.value + expected;
        // The derivative of the majorant bounds the sum over the coefficients, which suffices for most failures.
        let most = |jet: Jet| jet.first + jet.beyond_first_order();
        let bound = Allowance::new(self.excused(most(stated), expected), most(slack), size);
        let (verdict, explained) = (Verdict::on(residual, bound), most(stated));
        if verdict == Verdict::Fails {
            return (verdict, explained);
        }
        let [explained, last_digits] = self.first_order(tree, row);
        let explained = explained + stated.beyond_first_order();
        let last_digits = last_digits + slack.beyond_first_order();
        let allowance = Allowance::new(self.excused(explained, expected), last_digits, size);
        (Verdict::on(residual, allowance), explained)
    }

    fn excused(&self, explained: f64, expected: f64) -> f64 {
        if self.is_presumed { explained.min(PRESUMABLY * expected) } else { explained }
    }

    /// Computes Σ |∂Φ/∂x| δx for the stated uncertainties and those of the last digits.
    fn first_order(&mut self, tree: TreeId, row: RowKind) -> [f64; 2] {
        if self.gradients.is_empty() {
            self.gradients = self.gradients();
        }
        let mut sums = [0.0; 2];
        for gradient in &mut self.gradients {
            let weight = gradient.weights.weight(tree, row);
            for (slope, k) in weight.slopes.iter().zip(&gradient.coefficients) {
                sums[0] += slope.abs() * self.stated[*k];
                sums[1] += slope.abs() * self.slack[*k];
            }
        }
        sums
    }

    /// Prepares the derivatives with respect to all uncertain coefficients.
    fn gradients(&self) -> Vec<PartialGradient<'a>> {
        let uncertain: Vec<usize> =
            (0..self.slack.len()).filter(|k| self.slack[*k] > 0.0 || self.stated[*k] > 0.0).collect();
        uncertain.chunks(LANES).map(|chunk| self.gradient(chunk)).collect()
    }

    fn gradient(&self, coefficients: &[usize]) -> PartialGradient<'a> {
        let mut k = 0;
        let mut number = |x: &Coefficient| {
            let lane = coefficients.iter().position(|coefficient| *coefficient == k);
            k += 1;
            let value = x.value().to_f64();
            lane.map_or_else(|| Lanes::constant(value), |lane| Lanes::variable(value, lane))
        };
        let rows = self.method.rows().map(|row| row.map(&mut number)).collect();
        let weights = MultirateWeights::new(self.trees, rows, self.method.stages().len());
        PartialGradient { coefficients: coefficients.to_vec(), weights }
    }
}
