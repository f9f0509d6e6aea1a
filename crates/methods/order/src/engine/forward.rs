//! Elementary weights of all trees at once, in one sweep without allocations. The results equal those of
//! [`Weights`](crate::Weights) bit by bit.

use hemiola_tableau::{Scalar, Tableau, dot};

use crate::trees::enumerate::{ForestId, TreeId, Trees};
use crate::trees::grammar::NodeKind;

/// Ψ of all forests below the roots of some trees, and the contributions of trees to their parents. The memory is
/// reused for one tableau after another.
pub(crate) struct ForwardSweep<T> {
    stages: usize,
    psi: Vec<T>,
    pushed: Vec<T>,
    /// Nonzero entries of the rows of A, for each partition.
    rows: Vec<Vec<Vec<(usize, T)>>>,
}

impl<T: Scalar + Copy> ForwardSweep<T> {
    pub(crate) fn new() -> Self {
        Self { stages: 0, psi: Vec::new(), pushed: Vec::new(), rows: Vec::new() }
    }

    /// Computes Ψ of all forests for a tableau.
    pub(crate) fn fill(&mut self, trees: &Trees, tableau: &Tableau<T>) {
        let s = tableau.stages();
        self.stages = s;
        self.psi.resize(trees.forest_count() * s, T::zero());
        self.pushed.resize(trees.tree_count() * s, T::zero());
        let sparse = |row: &Vec<T>| row.iter().copied().enumerate().filter(|(_, a)| !a.is_zero()).collect();
        self.rows.clear();
        self.rows.extend(tableau.partitions.iter().map(|butcher| butcher.a.iter().map(sparse).collect::<Vec<_>>()));
        for size in 0..trees.highest_order() {
            for forest in trees.forests_of_size(size) {
                self.fill_forest(trees, forest);
            }
            // Trees of this order have forests of fewer nodes; the highest order has no parents.
            if size + 1 < trees.highest_order() {
                trees.ids_of_order(size + 1).for_each(|tree| self.push(trees, tree, tableau));
            }
        }
    }

    fn fill_forest(&mut self, trees: &Trees, forest: usize) {
        let s = self.stages;
        let Some((tree, rest)) = trees.split(ForestId::new(forest)) else {
            self.psi[forest * s..][..s].fill(T::one());
            return;
        };
        let (before, own) = self.psi.split_at_mut(forest * s);
        let pushed = &self.pushed[tree.index() * s..][..s];
        let rest = &before[rest.index() * s..][..s];
        own[..s].iter_mut().zip(pushed).zip(rest).for_each(|((own, x), y)| *own = *x * *y);
    }

    fn push(&mut self, trees: &Trees, tree: TreeId, tableau: &Tableau<T>) {
        let s = self.stages;
        let into = &mut self.pushed[tree.index() * s..][..s];
        match trees.kind(tree) {
            NodeKind::Time(color) => into.copy_from_slice(&tableau.partitions[color].c),
            NodeKind::Partition(color) => {
                let psi = &self.psi[trees.forest_of(tree).index() * s..][..s];
                for (into, row) in into.iter_mut().zip(&self.rows[color]) {
                    let mut sum = T::zero();
                    row.iter().for_each(|&(j, a)| sum += a * psi[j]);
                    *into = sum;
                }
            }
        }
    }

    /// Computes Σᵢ bᵢ Ψᵢ(t).
    pub(crate) fn weight(&self, trees: &Trees, tree: TreeId, b: &[T]) -> T {
        dot(b, &self.psi[trees.forest_of(tree).index() * self.stages..][..self.stages])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::weights::{StageSolution, Weights};
    use crate::trees::grammar::Grammar;

    #[test]
    fn residuals_have_the_bits_of_those_on_demand() {
        let method = |id| hemiola_tableau::library::method(id).unwrap().to_f64();
        let mut forward = ForwardSweep::new();
        for (grammar, tableau, order) in [
            (Grammar::partitioned(1), method("dormand-prince-8"), 9),
            (Grammar::partitioned(2), method("shome-haug-jay-2-5"), 6),
            (Grammar::separable(2), method("lobatto-iiia-iiib-3"), 7),
            (Grammar::non_autonomous(2), method("lobatto-iiia-iiib-3"), 4),
        ] {
            let trees = Trees::new(&grammar, order).unwrap();
            forward.fill(&trees, &tableau);
            let mut weights = Weights::new(&trees, &tableau, StageSolution::Solved);
            for tree in (1..=order).flat_map(|order| trees.of_order(order)) {
                let NodeKind::Partition(color) = trees.kind(tree) else { continue };
                let found = forward.weight(&trees, tree, &tableau.partitions[color].b);
                assert_eq!(found.to_bits(), weights.elementary_weight(tree).to_bits());
            }
        }
    }
}
