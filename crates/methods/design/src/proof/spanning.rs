//! Conditions of further weights that follow because differences of stages span a space of full dimension.
//!
//! For trees t and u with n nodes, ρ = γΨ(t) − γΨ(u) is orthogonal to every row ℓ on the side of the weights with
//! at most p − n + 1 nodes: Σⱼ ℓⱼρⱼ is a difference of conditions of the pair, which hold up to order p. On m
//! stages, k independent rows leave m − k dimensions. If weights v vanish on that many independent differences, v
//! vanishes on all differences of trees with at most n nodes, and all conditions of v up to order n follow from one
//! of each order.

use hemiola_order::{NodeKind, Tree};
use hemiola_tableau::{Butcher, Tableau};
use num_traits::Zero;

use crate::interval::bounds::RealInterval;
use crate::pair::partitions::LABELS;
use crate::proof::assumption::difference;
use crate::proof::independence::GradientSpan;
use crate::proof::independence::are_independent;
use crate::proof::trees::{psi, transposed_times, trees};

/// Returns the trees among `trees` whose conditions follow, for a pair of order `order` and weights v at all
/// tableaus of a ball.
///
/// `weights` has v in place of b, and `stages` is the number of stages of the pair without copies of b.
pub(crate) fn conditions_by_dimension(
    ball: &Tableau<RealInterval>,
    order: usize,
    weights: &Tableau<RealInterval>,
    stages: usize,
    trees: &[Tree],
    conditions: &[Tree],
) -> Vec<Tree> {
    let follow = |(color, Butcher { b, .. }): (usize, &Butcher<RealInterval>)| {
        let of_color = |tree: &&Tree| tree.kind() == NodeKind::Partition(color);
        let imposed: Vec<&Tree> = conditions.iter().filter(of_color).collect();
        let highest = trees.iter().map(Tree::order).max().unwrap_or(0).min(order);
        let space = ConstrainedWeights { ball, order, stages, imposed: &imposed, b };
        let reach = (2..=highest).rev().find(|n| space.is_spanned(trees, *n)).unwrap_or(0);
        trees.iter().filter(of_color).filter(|tree| tree.order() <= reach).cloned().collect::<Vec<Tree>>()
    };
    weights.partitions.iter().enumerate().flat_map(follow).collect()
}

/// A vector of weights with the conditions imposed on it.
struct ConstrainedWeights<'a> {
    ball: &'a Tableau<RealInterval>,
    order: usize,
    stages: usize,
    imposed: &'a [&'a Tree],
    b: &'a [RealInterval],
}

impl ConstrainedWeights<'_> {
    /// Returns whether the differences of imposed conditions up to an order span the remaining dimensions.
    fn is_spanned(&self, trees: &[Tree], order: usize) -> bool {
        let base = |tree: &Tree| self.imposed.iter().find(|other| other.order() == tree.order());
        if !(1..=order).all(|n| self.imposed.iter().any(|tree| tree.order() == n)) {
            return false;
        }
        let of = |tree: &Tree| base(tree).map(|base| difference(tree, base, self.ball));
        // All leaves have the same Ψ, but the difference of its bounds is not exactly zero.
        let is_counted = |tree: &&Tree| (2..=order).contains(&tree.order());
        let all: Vec<Vec<RealInterval>> = trees.iter().filter(is_counted).filter_map(of).collect();
        let is_moved = |j: &usize| all.iter().any(|difference| !difference[*j].is_zero());
        let (support, rest): (Vec<usize>, Vec<usize>) =
            (0..self.stages).filter(is_moved).partition(|&j| !self.b[j].is_zero());
        let on_support = |row: &Vec<RealInterval>| support.iter().map(|&j| row[j]).collect::<Vec<RealInterval>>();
        let own =
            self.imposed.iter().filter(|tree| tree.order() <= order && base(tree).is_some_and(|base| base != *tree));
        let mut rows: Vec<Vec<RealInterval>> = own.filter_map(|tree| of(tree)).map(|row| on_support(&row)).collect();
        let mut basis = GradientSpan::default();
        for row in self.rows(self.order + 1 - order) {
            // Differences may be nonzero where v vanishes, so the row must vanish there.
            let fits = rows.len() < support.len() && rest.iter().all(|&j| row[j].is_zero());
            if fits && basis.add_enclosed(&on_support(&row)) {
                rows.push(on_support(&row));
            }
        }
        let sparse = |row: &Vec<RealInterval>| {
            let length = row.iter().map(|x| x.middle().powi(2)).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
            let scaled = row.iter().map(|x| *x * RealInterval::point(1.0 / length));
            scaled.enumerate().filter(|(_, x)| !x.is_zero()).collect::<Vec<_>>()
        };
        rows.len() == support.len() && are_independent(&rows.iter().map(sparse).collect::<Vec<_>>(), support.len())
    }

    /// Returns all rows on the side of the weights with at most `nodes` nodes: bᵀ, times Ψ of a forest at each
    /// stage, times A, and so on.
    fn rows(&self, nodes: usize) -> Vec<Vec<RealInterval>> {
        let parts = &self.ball.partitions[..LABELS.len()];
        let forests: Vec<(usize, Vec<RealInterval>)> = trees(parts.len(), nodes)
            .into_iter()
            .flatten()
            .filter(|tree| tree.kind() == NodeKind::Partition(0))
            .map(|tree| (tree.order() - 1, psi(&tree, self.ball)))
            .collect();
        let mut next: Vec<(usize, Vec<RealInterval>)> = parts.iter().map(|butcher| (1, butcher.b.clone())).collect();
        let mut rows = Vec::new();
        while let Some((count, row)) = next.pop() {
            for (size, psi) in forests.iter().filter(|(size, _)| count + size <= nodes) {
                let hung: Vec<RealInterval> = row.iter().zip(psi).map(|(x, y)| *x * *y).collect();
                if count + size < nodes {
                    let deeper = parts.iter().map(|butcher| transposed_times(&butcher.a, &hung));
                    next.extend(deeper.map(|row| (count + size + 1, row)));
                }
                rows.push(hung);
            }
        }
        rows
    }
}
