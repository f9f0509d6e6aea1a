//! Vectors of blocks from several bundles: where a bundle has few, they wait until there are enough for the same table.

use std::ops::Range;

use crate::engine::arithmetic::Sized64;
use crate::engine::kernel::{Extremes, Packed, VECTORS, extremes};
use crate::engine::stem::{Stem, Step, Table};
use crate::engine::walk::Bundle;

/// What a screen knows of a block before it is multiplied.
#[derive(Clone, Copy)]
pub(super) struct Bounded {
    /// How many entries of the table complete its trees: the first so many.
    pub(super) length: usize,
    pub(super) threshold: f64,
    /// The number of its first member among all that the screen sees.
    pub(super) place: usize,
}

/// A block that waits.
pub(super) struct Waiting {
    root: usize,
    order: usize,
    table: Table,
    /// Of the batch's steps.
    steps: Range<usize>,
    /// Where its vector stands.
    first: usize,
    pub(super) bounded: Bounded,
}

impl Waiting {
    /// What all trees of the block have in common.
    pub(super) fn stem(&self, steps: &[Step]) -> Stem {
        Stem { root: self.root, order: self.order, steps: steps.to_vec(), table: self.table }
    }
}

/// So many blocks wait until the first are multiplied: among them are some of nearly equal lengths.
const WAITING: usize = 4 * VECTORS;

/// Blocks with the same rows.
#[derive(Default)]
pub(super) struct Batch {
    waiting: Vec<Waiting>,
    /// The steps of all that wait, one after the other, and their vectors.
    steps: Vec<Step>,
    vectors: Vec<f64>,
    /// Some of the vectors, side by side.
    beside: Vec<[f64; VECTORS]>,
}

impl Batch {
    fn add(&mut self, bundle: &Bundle<Sized64>, block: usize, bounded: Bounded, vector: impl Iterator<Item = f64>) {
        let (from, first) = (self.steps.len(), self.vectors.len());
        self.steps.extend(bundle.steps.iter().copied().chain(bundle.step(block)));
        self.vectors.extend(vector);
        let &Bundle { root, order, .. } = bundle;
        let (table, steps) = (bundle.table(block), from..self.steps.len());
        self.waiting.push(Waiting { root, order, table, steps, first, bounded });
    }

    /// Empties the batch: `judge` is told of each block with its stem's steps and what is seen of it.
    pub(super) fn each(&mut self, rows: &Packed, mut judge: impl FnMut(&Waiting, &[Step], Extremes)) {
        let Self { waiting, steps, vectors, beside } = self;
        let length = vectors.len() / waiting.len().max(1);
        beside.resize(length, [0.0; VECTORS]);
        waiting.sort_unstable_by_key(|waiting| (waiting.bounded.length, waiting.bounded.place));
        for some in waiting.chunks(VECTORS) {
            // Where fewer are left than are multiplied at once, the last is multiplied several times.
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
    /// By the number of nodes: of forests and of trees.
    batches: [Vec<Batch>; 2],
}

impl Batches {
    /// Lets a block of a bundle wait; whether its batch is complete.
    pub(super) fn add(
        &mut self,
        bundle: &Bundle<Sized64>,
        block: usize,
        bounded: Bounded,
        vector: impl Iterator<Item = f64>,
    ) -> bool {
        let batch = self.batch(bundle.table(block));
        batch.add(bundle, block, bounded, vector);
        batch.waiting.len() == WAITING
    }

    /// The batch of a table.
    pub(super) fn batch(&mut self, table: Table) -> &mut Batch {
        let (kind, nodes) = match table {
            Table::Forests { size } => (0, size),
            Table::Trees { order, .. } => (1, order),
        };
        let batches = &mut self.batches[kind];
        if batches.len() <= nodes {
            batches.resize_with(nodes + 1, Batch::default);
        }
        &mut batches[nodes]
    }

    /// The tables for which blocks wait.
    pub(super) fn tables(&self) -> Vec<Table> {
        self.batches.iter().flatten().filter_map(|batch| batch.waiting.first()).map(|waiting| waiting.table).collect()
    }
}
