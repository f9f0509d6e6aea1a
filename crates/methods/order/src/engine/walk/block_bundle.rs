//! Bundles of blocks whose stems differ in a single step; the factors of this step are neighbors in the tables.

use std::ops::Range;

use crate::engine::arithmetic::Arithmetic;
use crate::engine::tables::{ForestTables, PathVector};
use crate::engine::tree_path::{CompletionTable, PathStep, SharedPath};
use crate::trees::enumerate::{ForestId, TreeId, Trees};

/// The step in which the blocks of a bundle differ. Ranges are indices in [`Trees`].
#[derive(Clone, Debug)]
pub(crate) enum VaryingStep {
    /// Down to a child of this kind and order, past each forest of siblings of one size.
    Down { kind: usize, order: usize, siblings: Range<usize> },
    /// All trees of this order, beside each forest of one size.
    Beside { order: usize, forests: Range<usize> },
    /// Past each tree of one order, to the forests of `left` nodes without a larger tree.
    Past { trees: Range<usize>, left: usize },
}

/// Blocks whose stems differ in one step.
pub(crate) struct BlockBundle<'a, N> {
    pub(crate) order: usize,
    pub(crate) root: usize,
    /// The steps before the fork.
    pub(crate) steps: &'a [PathStep],
    pub(crate) at: &'a PathVector<N>,
    pub(crate) fork: VaryingStep,
}

impl<N> BlockBundle<'_, N> {
    /// Returns the table whose members complete the trees of a block.
    pub(crate) fn table(&self, block: usize) -> CompletionTable {
        match self.fork {
            VaryingStep::Down { order, .. } => CompletionTable::Forests { size: order - 1 },
            VaryingStep::Beside { order, ref forests } => {
                CompletionTable::Trees { order, beside: ForestId::new(forests.start + block) }
            }
            VaryingStep::Past { left, .. } => CompletionTable::Forests { size: left },
        }
    }

    /// Returns the factors at the fork: a table and a range of its entries.
    pub(crate) fn factors(&self, trees: &Trees) -> (CompletionTable, Range<usize>) {
        let (table, first, range) = match &self.fork {
            VaryingStep::Down { siblings: forests, .. } | VaryingStep::Beside { forests, .. } => {
                let size = trees.forest_size(ForestId::new(forests.start));
                (CompletionTable::Forests { size }, trees.forests_of_size(size).start, forests)
            }
            VaryingStep::Past { trees: range, .. } => {
                let order = trees.order(TreeId::new(range.start));
                let table = CompletionTable::Trees { order, beside: ForestId::EMPTY };
                (table, trees.trees_of_order(order).start, range)
            }
        };
        (table, range.start - first..range.end - first)
    }

    /// Returns the number of table entries that complete the trees of a block; they come first.
    pub(crate) fn length<A: Arithmetic<Number = N>>(&self, tables: &ForestTables<A>, block: usize) -> usize {
        match self.fork {
            VaryingStep::Down { order, .. } => tables.trees.forests_of_size(order - 1).len(),
            VaryingStep::Beside { order, .. } => tables.trees.trees_of_order(order).len(),
            VaryingStep::Past { ref trees, left } => tables.forests_up_to(left, TreeId::new(trees.start + block)),
        }
    }

    /// Returns the step of a block, unless its table contains it.
    pub(crate) fn step(&self, block: usize) -> Option<PathStep> {
        match self.fork {
            VaryingStep::Down { kind, ref siblings, .. } => {
                Some(PathStep::Down { kind, siblings: ForestId::new(siblings.start + block) })
            }
            VaryingStep::Beside { .. } => None,
            VaryingStep::Past { ref trees, .. } => Some(PathStep::Past(TreeId::new(trees.start + block))),
        }
    }

    /// Returns the common part of the trees of a block.
    pub(crate) fn stem(&self, block: usize) -> SharedPath {
        let steps = self.steps.iter().copied().chain(self.step(block)).collect();
        SharedPath { root: self.root, order: self.order, steps, table: self.table(block) }
    }
}
