//! How large a residual the uncertainty of the coefficients explains.

use hemiola_tableau::Tableau;

use crate::gradient::value_and_gradient;
use crate::tree::Tree;

/// All entries (A, b, c) of all partitions in a fixed sequence.
pub(crate) fn entries<T>(tableau: &Tableau<T>) -> impl Iterator<Item = &T> {
    tableau.partitions.iter().flat_map(|butcher| butcher.a.iter().flatten().chain(&butcher.b).chain(&butcher.c))
}

/// Coefficients as doubles with their uncertainties.
pub(crate) struct Uncertainty {
    pub(crate) nearest: Tableau<f64>,
    pub(crate) deltas: Tableau<f64>,
    /// The largest ratio ρ of an uncertainty to its coefficient.
    relative: f64,
}

impl Uncertainty {
    pub(crate) fn new(nearest: Tableau<f64>, deltas: Tableau<f64>) -> Self {
        // An abscissa that cancels to zero has no relative uncertainty; its parts in A have.
        let ratios = entries(&deltas).zip(entries(&nearest)).filter(|(delta, value)| **delta > 0.0 && **value != 0.0);
        let relative = ratios.map(|(delta, value)| delta / value.abs()).fold(0.0, f64::max);
        Self { nearest, deltas, relative }
    }

    /// (1 + ρ)ⁿ − 1: no weight of order n changes by more than this part of its size.
    pub(crate) fn relative_change(&self, order: usize) -> f64 {
        (order as f64 * self.relative.ln_1p()).exp_m1()
    }

    /// The change of Φ(t) that the uncertainties can cause: Σ |∂Φ/∂x| δx, and Φ(|x|)((1 + ρ)ⁿ − 1 − nρ) for the terms of
    /// higher order, with `size` = Φ(|x|).
    pub(crate) fn explained(&self, tree: &Tree, size: f64) -> f64 {
        if self.relative == 0.0 {
            return 0.0;
        }
        let (_, gradient) = value_and_gradient(tree, &self.nearest);
        let first: f64 =
            entries(&gradient).zip(entries(&self.deltas)).map(|(slope, delta)| (slope * delta).abs()).sum();
        first + self.beyond_first_order(tree.order()) * size
    }

    /// (1 + ρ)ⁿ − 1 − nρ.
    pub(crate) fn beyond_first_order(&self, order: usize) -> f64 {
        let (n, rho) = (order as f64, self.relative);
        // Below 1e-8 the difference would cancel; its leading term ½n(n−1)ρ², doubled, bounds it there.
        if rho < 1e-8 { n * n * rho * rho } else { self.relative_change(order) - n * rho }
    }
}
