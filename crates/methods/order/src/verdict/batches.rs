//! Batches of blocks from several bundles. If bundles have few blocks, these wait until there are enough for the same
//! table.

use std::ops::Range;

use crate::engine::arithmetic::BoundedF64;
use crate::engine::kernel::{Extremes, Packed, VECTORS, extremes};
use crate::engine::tree_path::{CompletionTable, PathStep, SharedPath};
use crate::engine::walk::BlockBundle;

/// Bounds on a block that are known before the multiplication.
#[derive(Clone, Copy)]
pub(super) struct BlockBounds {
    /// The number of table entries that complete the trees of the block; they come first.
    pub(super) length: usize,
    pub(super) threshold: f64,
    /// The index of its first member among all members of the screen.
    pub(super) place: usize,
}

/// A block that waits for its multiplication.
pub(super) struct PendingBlock {
    root: usize,
    order: usize,
    table: CompletionTable,
    /// Range in the batch's steps.
    steps: Range<usize>,
    /// The offset of its vector in the batch.
    first: usize,
    pub(super) bounded: BlockBounds,
}

impl PendingBlock {
    /// Returns the common part of all trees of the block.
    pub(super) fn stem(&self, steps: &[PathStep]) -> SharedPath {
        SharedPath { root: self.root, order: self.order, steps: steps.to_vec(), table: self.table }
    }
}

/// Number of waiting blocks at which the first are multiplied, large enough to contain some of nearly equal lengths.
const WAITING: usize = 4 * VECTORS;

/// Waiting blocks with the same table.
#[derive(Default)]
pub(super) struct Batch {
    waiting: Vec<PendingBlock>,
    /// The steps of all waiting blocks in sequence, and their vectors.
    steps: Vec<PathStep>,
    vectors: Vec<f64>,
    /// Some of the vectors, side by side.
    beside: Vec<[f64; VECTORS]>,
}

impl Batch {
    fn add(
        &mut self,
        bundle: &BlockBundle<BoundedF64>,
        block: usize,
        bounded: BlockBounds,
        vector: impl Iterator<Item = f64>,
    ) {
        let (from, first) = (self.steps.len(), self.vectors.len());
        self.steps.extend(bundle.steps.iter().copied().chain(bundle.step(block)));
        self.vectors.extend(vector);
        let &BlockBundle { root, order, .. } = bundle;
        let (table, steps) = (bundle.table(block), from..self.steps.len());
        self.waiting.push(PendingBlock { root, order, table, steps, first, bounded });
    }

    /// Empties the batch: calls `judge` for each block with its stem's steps and the extremes of its members.
    pub(super) fn drain(&mut self, rows: &Packed, mut judge: impl FnMut(&PendingBlock, &[PathStep], Extremes)) {
        let Self { waiting, steps, vectors, beside } = self;
        let length = vectors.len() / waiting.len().max(1);
        beside.resize(length, [0.0; VECTORS]);
        waiting.sort_unstable_by_key(|waiting| (waiting.bounded.length, waiting.bounded.place));
        for some in waiting.chunks(VECTORS) {
            // If fewer blocks remain than are multiplied at once, the last is repeated.
            let at = |v: usize| &some[v.min(some.len() - 1)];
            for v in 0..VECTORS {
                let vector = &vectors[at(v).first..][..length];
                beside.iter_mut().zip(vector).for_each(|(beside, value)| beside[v] = *value);
            }
            let seen = extremes(beside, rows, std::array::from_fn(|v| at(v).bounded.length));
            some.iter().zip(seen).for_each(|(waiting, seen)| judge(waiting, &steps[waiting.steps.clone()], seen));
        }
        waiting.clear();
        steps.clear();
        vectors.clear();
    }
}

/// The batches of all tables.
#[derive(Default)]
pub(super) struct Batches {
    /// The batches for forests and for trees, each by the number of nodes.
    batches: [Vec<Batch>; 2],
}

impl Batches {
    /// Adds a block of a bundle to its batch; returns whether the batch is complete.
    pub(super) fn add(
        &mut self,
        bundle: &BlockBundle<BoundedF64>,
        block: usize,
        bounded: BlockBounds,
        vector: impl Iterator<Item = f64>,
    ) -> bool {
        let batch = self.batch(bundle.table(block));
        batch.add(bundle, block, bounded, vector);
        batch.waiting.len() == WAITING
    }

    /// Returns the batch of a table.
    pub(super) fn batch(&mut self, table: CompletionTable) -> &mut Batch {
        let (kind, nodes) = match table {
            CompletionTable::Forests { size } => (0, size),
            CompletionTable::Trees { order, .. } => (1, order),
        };
        let batches = &mut self.batches[kind];
        if batches.len() <= nodes {
            batches.resize_with(nodes + 1, Batch::default);
        }
        &mut batches[nodes]
    }

    /// Returns the tables with waiting blocks.
    pub(super) fn tables(&self) -> Vec<CompletionTable> {
        self.batches.iter().flatten().filter_map(|batch| batch.waiting.first()).map(|waiting| waiting.table).collect()
    }
}
