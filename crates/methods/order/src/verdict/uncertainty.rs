//! Residuals that the uncertainty of the coefficients explains: by their precision, and by errors in last digits.

use hemiola_tableau::{Method, Tableau, dot};
use num_traits::{One, Zero};

use crate::engine::gradient::{SparseGradients, entries};
use crate::engine::jet::{Jet, jets};
use crate::trees::grammar::NodeKind;
use crate::trees::tree::Tree;
use crate::verdict::condition::{Allowance, PRESUMABLY};

/// Coefficients as doubles with their uncertainties.
pub(crate) struct Uncertainty {
    pub(crate) nearest: Tableau<f64>,
    pub(crate) deltas: Tableau<f64>,
    pub(crate) jets: Tableau<Jet>,
    /// Nonzero entries of the rows of A, for each partition.
    rows: Vec<Vec<Vec<(usize, Jet)>>>,
    /// AΨ of a leaf for each partition, stored because half of the nodes of trees are leaves.
    leaves: Vec<Vec<Jet>>,
    gradients: SparseGradients,
}

impl Uncertainty {
    pub(crate) fn new(nearest: Tableau<f64>, deltas: Tableau<f64>) -> Self {
        let jets = jets(&nearest, &deltas);
        let sparse = |row: &Vec<Jet>| {
            let entries = row.iter().copied().enumerate();
            entries.filter(|(_, jet)| !jet.is_zero()).collect::<Vec<(usize, Jet)>>()
        };
        let rows = jets.partitions.iter().map(|butcher| butcher.a.iter().map(sparse).collect()).collect();
        let leaves = jets.partitions.iter().map(hemiola_tableau::Butcher::row_sums).collect();
        let gradients = SparseGradients::new(&nearest, &deltas);
        Self { jets, nearest, deltas, rows, leaves, gradients }
    }

    /// Returns the change of Φ(t) that the uncertainties can cause: Σ |∂Φ/∂x| δx, and a bound on the terms of
    /// higher order.
    pub(crate) fn explained(&self, tree: &Tree) -> f64 {
        self.first_order(&self.gradients.of(tree)) + self.beyond_first_order(tree)
    }

    /// Computes Σ |∂Φ/∂x| δx.
    fn first_order(&self, gradient: &[f64]) -> f64 {
        gradient.iter().zip(entries(&self.deltas)).map(|(slope, delta)| (slope * delta).abs()).sum()
    }

    /// Returns a bound on the terms of higher order in the change of Φ(t).
    pub(crate) fn beyond_first_order(&self, tree: &Tree) -> f64 {
        self.jet(tree).beyond_first_order()
    }

    /// Returns (1 + ρ)ⁿ − 1 with the largest ratio ρ of an uncertainty to its coefficient: no weight of order n
    /// changes by more than this, relative to its size.
    pub(crate) fn relative_change(&self, order: usize) -> f64 {
        let ratios = entries(&self.deltas).zip(entries(&self.nearest)).filter(|(d, x)| **d > 0.0 && **x != 0.0);
        let relative = ratios.map(|(delta, value)| delta / value.abs()).fold(0.0, f64::max);
        (order as f64 * relative.ln_1p()).exp_m1()
    }

    fn jet(&self, tree: &Tree) -> Jet {
        let NodeKind::Partition(color) = tree.kind() else {
            return Jet::zero();
        };
        dot(&self.jets.partitions[color].b, &self.derivative_jets(tree))
    }

    fn derivative_jets(&self, tree: &Tree) -> Vec<Jet> {
        let mut psi = vec![Jet::one(); self.nearest.stages()];
        for child in tree.children() {
            match child.kind() {
                NodeKind::Partition(color) if child.children().is_empty() => multiply(&mut psi, &self.leaves[color]),
                NodeKind::Partition(color) => multiply(&mut psi, &self.push(color, &self.derivative_jets(child))),
                NodeKind::Time(color) => multiply(&mut psi, &self.jets.partitions[color].c),
            }
        }
        psi
    }

    /// Computes AΨ.
    fn push(&self, color: usize, psi: &[Jet]) -> Vec<Jet> {
        let row = |row: &Vec<(usize, Jet)>| row.iter().fold(Jet::zero(), |sum, (j, a)| sum + *a * psi[*j]);
        self.rows[color].iter().map(row).collect()
    }
}

fn multiply(product: &mut [Jet], factors: &[Jet]) {
    product.iter_mut().zip(factors).for_each(|(product, factor)| *product = *product * *factor);
}

/// The uncertainties of a method's coefficients.
pub(crate) struct Uncertainties {
    /// The uncertainty by their precision.
    pub(crate) stated: Uncertainty,
    /// The uncertainty in their last digits.
    pub(crate) slack: Uncertainty,
    /// Whether the precision is that of few digits, which are only presumed to be rounded.
    pub(crate) is_presumed: bool,
}

impl Uncertainties {
    pub(crate) fn of(method: &Method) -> Self {
        let of = |deltas| Uncertainty::new(method.to_f64(), deltas);
        let is_presumed = method.rounding().presumed_digits().is_some();
        Self { stated: of(method.uncertainties()), slack: of(method.slacks()), is_presumed }
    }

    /// Returns the largest residual that is excused, given the part that the precision explains.
    pub(crate) fn excused(&self, explained: f64, density: u64) -> f64 {
        if self.is_presumed { explained.min(PRESUMABLY / density as f64) } else { explained }
    }

    /// Returns the largest residual that the precision excuses.
    pub(crate) fn to_precision(&self, tree: &Tree) -> f64 {
        self.excused(self.stated.explained(tree), tree.density())
    }

    pub(crate) fn nearest(&self) -> &Tableau<f64> {
        &self.stated.nearest
    }

    /// Computes ∂Φ/∂x for all entries, in the order of [`entries`], with zeros for entries that are zero.
    pub(crate) fn gradient(&self, tree: &Tree) -> Vec<f64> {
        self.stated.gradients.of(tree)
    }

    /// Returns the allowance for the residual of a condition.
    pub(crate) fn allowance(&self, tree: &Tree) -> Allowance {
        let gradient = self.gradient(tree);
        let explained = self.stated.first_order(&gradient) + self.stated.beyond_first_order(tree);
        let to_precision = self.excused(explained, tree.density());
        Allowance { to_precision, numerically: self.slack_along(&gradient, tree) }
    }

    /// Returns the largest residual that holds numerically.
    pub(crate) fn slack_allowance(&self, tree: &Tree) -> f64 {
        let gradient = self.gradient(tree);
        self.slack_along(&gradient, tree)
    }

    /// Computes [`slack_allowance`](Self::slack_allowance) from the derivatives of the weight.
    fn slack_along(&self, gradient: &[f64], tree: &Tree) -> f64 {
        // The majorant at the coefficients with their slack is the sum of the moduli, up to a negligible part.
        let majorant = self.slack.jet(tree);
        let explained = self.slack.first_order(gradient) + majorant.beyond_first_order();
        Allowance::numerically(explained, majorant.value + 1.0 / tree.density() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coefficient_of_the_size_of_its_uncertainty_explains_only_itself() {
        // Heun's method with an unused stage, with a coefficient of the size of its uncertainty.
        let row = |x: [f64; 3]| x.to_vec();
        let a = vec![row([0.0; 3]), row([1.0, 0.0, 0.0]), row([1e-9, 0.0, 0.0])];
        let nearest = Tableau::new(vec![(a, row([0.5, 0.5, 0.0]), None)]);
        let mut deltas = Tableau::new(vec![(vec![vec![0.0; 3]; 3], vec![0.0; 3], None)]);
        deltas.partitions[0].a[2][0] = 5e-9;
        let uncertainty = Uncertainty::new(nearest, deltas);
        for text in ["[τ]", "[τ,τ]", "[[τ]]", "[[τ,τ],[τ]]"] {
            assert_eq!(uncertainty.explained(&Tree::parse(text, &["all"]).unwrap()), 0.0, "{text}");
        }
    }

    #[test]
    fn products_of_uncertain_coefficients_are_bounded_with_their_second_order() {
        // Φ = b₂ a₂₁ with b₂ = 1 ± 0.1, a₂₁ = 2 ± 0.5: at most 1.1·2.5 − 2 = 0.75.
        let nearest = Tableau::new(vec![(vec![vec![0.0, 0.0], vec![2.0, 0.0]], vec![0.0, 1.0], None)]);
        let deltas = Tableau::new(vec![(vec![vec![0.0, 0.0], vec![0.5, 0.0]], vec![0.0, 0.1], None)]);
        let explained = Uncertainty::new(nearest, deltas).explained(&Tree::parse("[τ]", &["all"]).unwrap());
        assert!((explained - 0.75).abs() < 1e-12, "{explained}");
    }
}
