//! Trees as paths: from a root, past the subtrees beside the path, to the small forest at its end.

use crate::trees::enumerate::{ForestId, TreeId, Trees};
use crate::trees::grammar::{KindSet, NodeKind};
use crate::trees::tree::Tree;

/// A step from the root to the forest that completes a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PathStep {
    /// Down to a child of this kind with more than H nodes, past the forest of its siblings.
    Down { kind: usize, siblings: ForestId },
    /// Past a child of at most H nodes.
    Past(TreeId),
}

/// A tree as a path from a root of some kind to a small forest.
#[derive(Clone, Debug)]
pub(crate) struct TreePath {
    pub(crate) root: usize,
    pub(crate) order: usize,
    pub(crate) steps: Vec<PathStep>,
    pub(crate) forest: ForestId,
}

/// The table whose members complete the trees of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CompletionTable {
    /// All forests of a size.
    Forests { size: usize },
    /// All trees of an order, beside a forest of smaller trees that the block's vector already contains.
    Trees { order: usize, beside: ForestId },
}

/// The common part of the trees of a block, without the part that a member of a table adds.
#[derive(Clone, Debug)]
pub(crate) struct SharedPath {
    pub(crate) root: usize,
    pub(crate) order: usize,
    pub(crate) steps: Vec<PathStep>,
    pub(crate) table: CompletionTable,
}

impl SharedPath {
    /// Returns the tree that a member of the table completes.
    pub(crate) fn spine(&self, trees: &Trees, member: usize) -> TreePath {
        let mut steps = self.steps.clone();
        let forest = match self.table {
            CompletionTable::Forests { size } => ForestId::new(trees.forests_of_size(size).start + member),
            CompletionTable::Trees { order, beside } => {
                steps.push(PathStep::Past(TreeId::new(trees.trees_of_order(order).start + member)));
                beside
            }
        };
        TreePath { root: self.root, order: self.order, steps, forest }
    }
}

impl TreePath {
    /// Returns the density γ of the tree.
    pub(crate) fn density(&self, trees: &Trees) -> u64 {
        let mut left = self.order;
        let mut density = left as u64 * trees.forest_density(self.forest);
        left -= 1;
        for step in &self.steps {
            match *step {
                PathStep::Down { siblings, .. } => {
                    left -= trees.forest_size(siblings);
                    density *= trees.forest_density(siblings) * left as u64;
                    left -= 1;
                }
                PathStep::Past(tree) => {
                    density *= trees.density(tree);
                    left -= trees.order(tree);
                }
            }
        }
        density
    }

    /// Computes the order σ of the tree's symmetry group: Π mult! over equal subtrees, at every node. A child on
    /// the spine has more nodes than any of its siblings, so it equals none of them.
    pub(crate) fn symmetry(&self, trees: &Trees) -> u64 {
        let mut symmetry = 1;
        let mut beside = self.forest;
        let mut past: Vec<TreeId> = Vec::new();
        for step in self.steps.iter().rev() {
            match *step {
                PathStep::Past(tree) => {
                    let among = trees.multiplicity(beside, tree) + past.iter().filter(|other| **other == tree).count();
                    symmetry *= trees.symmetry(tree) * (among as u64 + 1);
                    past.push(tree);
                }
                PathStep::Down { siblings, .. } => {
                    symmetry *= trees.forest_symmetry(beside);
                    beside = siblings;
                    past.clear();
                }
            }
        }
        symmetry * trees.forest_symmetry(beside)
    }

    /// Returns the partitions whose colors occur in the tree.
    pub(crate) fn colors(&self, trees: &Trees) -> KindSet {
        let color = |kind: usize| match trees.kinds()[kind] {
            NodeKind::Partition(color) | NodeKind::Time(color) => 1 << color,
        };
        self.steps.iter().fold(color(self.root) | trees.forest_colors(self.forest), |set, step| {
            set | match *step {
                PathStep::Past(tree) => trees.colors(tree),
                PathStep::Down { kind, siblings } => color(kind) | trees.forest_colors(siblings),
            }
        })
    }

    /// Assembles the tree.
    pub(crate) fn tree(&self, trees: &Trees) -> Tree {
        // Proceed from the end of the spine upwards: the children gathered so far belong to the node to which the next
        // `Down` leads.
        let mut below = trees.trees_of_forest(self.forest);
        for step in self.steps.iter().rev() {
            match *step {
                PathStep::Past(tree) => below.push(trees.tree(tree)),
                PathStep::Down { kind, siblings } => {
                    let child = Tree::new(trees.kinds()[kind], std::mem::take(&mut below));
                    below = trees.trees_of_forest(siblings);
                    below.push(child);
                }
            }
        }
        Tree::new(trees.kinds()[self.root], below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::grammar::Grammar;

    #[test]
    fn numbers_of_spines_are_those_of_their_trees() {
        let trees = Trees::new(&Grammar::partitioned(2), 3).unwrap();
        let (forests, small) = (trees.forest_count(), trees.tree_count());
        let mut repeated = 0;
        // Two equal subtrees beside a forest in which they may occur again, below and beside a node of the spine.
        for forest in (0..forests).map(ForestId::new) {
            for tree in (0..small).map(TreeId::new) {
                let steps = [
                    PathStep::Past(tree),
                    PathStep::Down { kind: 1, siblings: forest },
                    PathStep::Past(tree),
                    PathStep::Past(tree),
                ];
                for from in 0..steps.len() {
                    let steps = steps[from..].to_vec();
                    let spine = TreePath { root: 0, order: 0, steps, forest };
                    let by_itself = spine.tree(&trees);
                    let colors = by_itself.partitions().into_iter().fold(0, |set, color| set | 1 << color);
                    assert_eq!((spine.symmetry(&trees), spine.colors(&trees)), (by_itself.symmetry(), colors));
                    repeated += usize::from(trees.multiplicity(forest, tree) > 0);
                }
            }
        }
        assert!(repeated > 0);
    }
}
