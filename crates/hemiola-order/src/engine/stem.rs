//! Trees as paths: from a root past what hangs beside the path, to the small forest at its end.

use crate::trees::enumerate::{ForestId, TreeId, Trees};
use crate::trees::tree::Tree;

/// One step from the root to the forest that completes a tree.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// Down to a child of this kind with more than H nodes, past the forest of its siblings.
    Down { kind: usize, siblings: ForestId },
    /// Past a child of at most H nodes.
    Past(TreeId),
}

/// A tree as a path from a root of some kind to a small forest.
#[derive(Clone, Debug)]
pub(crate) struct Spine {
    pub(crate) root: usize,
    pub(crate) order: usize,
    pub(crate) steps: Vec<Step>,
    pub(crate) forest: ForestId,
}

/// What completes the trees of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Table {
    /// All forests of a size.
    Forests { size: usize },
    /// All trees of an order, beside a forest of smaller trees that the block's vector has in it.
    Trees { order: usize, beside: ForestId },
}

/// What the trees of a block have in common: all but the part that a member of a table adds.
#[derive(Clone, Debug)]
pub(crate) struct Stem {
    pub(crate) root: usize,
    pub(crate) order: usize,
    pub(crate) steps: Vec<Step>,
    pub(crate) table: Table,
}

impl Stem {
    /// The tree that a member of the table completes.
    pub(crate) fn spine(&self, trees: &Trees, member: usize) -> Spine {
        let mut steps = self.steps.clone();
        let forest = match self.table {
            Table::Forests { size } => ForestId::new(trees.forests_of_size(size).start + member),
            Table::Trees { order, beside } => {
                steps.push(Step::Past(TreeId::new(trees.trees_of_order(order).start + member)));
                beside
            }
        };
        Spine { root: self.root, order: self.order, steps, forest }
    }
}

impl Spine {
    /// The density γ of the tree.
    pub(crate) fn density(&self, trees: &Trees) -> u64 {
        let mut left = self.order;
        let mut density = left as u64 * trees.forest_density(self.forest);
        left -= 1;
        for step in &self.steps {
            match *step {
                Step::Down { siblings, .. } => {
                    left -= trees.forest_size(siblings);
                    density *= trees.forest_density(siblings) * left as u64;
                    left -= 1;
                }
                Step::Past(tree) => {
                    density *= trees.density(tree);
                    left -= trees.order(tree);
                }
            }
        }
        density
    }

    /// The tree itself.
    pub(crate) fn tree(&self, trees: &Trees) -> Tree {
        // From the end of the spine upwards: children gathered so far belong to the node that the next Down leads to.
        let mut below = trees.trees_of_forest(self.forest);
        for step in self.steps.iter().rev() {
            match *step {
                Step::Past(tree) => below.push(trees.tree(tree)),
                Step::Down { kind, siblings } => {
                    let child = Tree::new(trees.kinds()[kind], std::mem::take(&mut below));
                    below = trees.trees_of_forest(siblings);
                    below.push(child);
                }
            }
        }
        Tree::new(trees.kinds()[self.root], below)
    }
}
