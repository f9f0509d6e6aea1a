//! Blocks of trees: products of one vector with a range of small forests.

use std::ops::Range;

use crate::engine::tables::PathVector;
use crate::engine::tree_path::{CompletionTable, PathStep, SharedPath};
use crate::engine::walk::block_bundle::BlockBundle;

/// Trees of one order that have all but one part in common.
pub(crate) struct TreeBlock<'a, N> {
    pub(crate) order: usize,
    pub(crate) root: usize,
    pub(crate) steps: &'a [PathStep],
    /// The vector that multiplies the rows of the table, and the factor of their 1/γ.
    pub(crate) at: &'a PathVector<N>,
    pub(crate) table: CompletionTable,
    /// The range of table entries that complete the trees.
    pub(crate) members: Range<usize>,
}

impl<'a, N> TreeBlock<'a, N> {
    /// Creates the block of trees of a stem that some entries of its table complete.
    pub(crate) fn new(stem: &'a SharedPath, at: &'a PathVector<N>, members: Range<usize>) -> Self {
        Self { order: stem.order, root: stem.root, steps: &stem.steps, at, table: stem.table, members }
    }

    /// Returns the common part of all trees of the block.
    pub(crate) fn stem(&self) -> SharedPath {
        SharedPath { root: self.root, order: self.order, steps: self.steps.to_vec(), table: self.table }
    }
}

/// The receiver of the blocks of a walk.
pub(crate) trait Visitor<N>: Send {
    fn visit(&mut self, block: &TreeBlock<N>);

    /// Returns whether the visitor accepts bundles of blocks from now on.
    fn takes_bundles(&self) -> bool {
        false
    }

    /// Receives a bundle; called only if bundles are accepted.
    fn visit_bundle(&mut self, _bundle: &BlockBundle<N>) {}

    /// Finishes the work after the last block.
    fn finish(&mut self) {}
}
