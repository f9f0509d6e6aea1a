//! Blocks that wait until several can be multiplied with the same table.

use std::ops::Range;

use crate::engine::arithmetic::Sized64;
use crate::engine::kernel::{Extremes, Packed, VECTORS, extremes};
use crate::engine::stem::{Stem, Step, Table};
use crate::engine::walk::Block;

/// Batches are no gain where more than one of so many blocks has to be looked at by itself afterwards.
const RARE: usize = 8;

/// A block that waits. Its vector stands beside those of others; where the block is looked at by itself after all, it is made again.
pub(super) struct Waiting {
    order: usize,
    root: usize,
    /// Of the batch's steps.
    steps: Range<usize>,
    /// Where its vector stands.
    first: usize,
    table: Table,
    pub(super) members: Range<usize>,
    pub(super) threshold: f64,
    /// The number of its first member among all that the screen sees.
    pub(super) place: usize,
}

/// So many blocks wait until the first are multiplied: among them are some of nearly equal lengths.
const WAITING: usize = 4 * VECTORS;

/// Blocks with the same rows.
#[derive(Default)]
pub(super) struct Batch {
    waiting: Vec<Waiting>,
    /// The steps of all that wait, one after the other, and their vectors with the factors of 1/γ.
    steps: Vec<Step>,
    vectors: Vec<f64>,
    /// Some of the vectors, side by side.
    beside: Vec<[f64; VECTORS]>,
}

impl Batch {
    /// Empties the batch: `judge` is told of each block with its stem's steps and what is seen of it.
    pub(super) fn each(&mut self, rows: &Packed, mut judge: impl FnMut(&Waiting, &[Step], Extremes)) {
        let Self { waiting, steps, vectors, beside } = self;
        waiting.sort_unstable_by_key(|waiting| (waiting.members.end, waiting.place));
        let length = vectors.len() / waiting.len().max(1);
        beside.resize(length, [0.0; VECTORS]);
        for some in waiting.chunks(VECTORS) {
            // Where fewer are left than are multiplied at once, the last is multiplied several times: a length of zero would leave the rest
            // nothing in common.
            let at = |v: usize| &some[v.min(some.len() - 1)];
            for v in 0..VECTORS {
                let vector = &vectors[at(v).first..][..length];
                beside.iter_mut().zip(vector).for_each(|(beside, value)| beside[v] = *value);
            }
            let seen = extremes(beside, rows, std::array::from_fn(|v| at(v).members.end));
            for (waiting, seen) in some.iter().zip(seen) {
                judge(waiting, &steps[waiting.steps.clone()], seen);
            }
        }
        waiting.clear();
        steps.clear();
        vectors.clear();
    }

    fn add(&mut self, block: &Block<Sized64>, threshold: f64, place: usize) {
        let &Block { order, root, at, table, ref members, .. } = block;
        let (steps, first) = (self.steps.len()..self.steps.len() + block.steps.len(), self.vectors.len());
        self.steps.extend_from_slice(block.steps);
        self.vectors.extend(at.v.iter().map(|v| v.value).chain([-at.factor.value]));
        self.waiting.push(Waiting { order, root, steps, first, table, members: members.clone(), threshold, place });
    }
}

impl Waiting {
    /// What all trees of the block have in common.
    pub(super) fn stem(&self, steps: &[Step]) -> Stem {
        Stem { root: self.root, order: self.order, steps: steps.to_vec(), table: self.table }
    }
}

/// The batches of all tables.
#[derive(Default)]
pub(super) struct Batches {
    /// By the number of nodes: of forests and of trees.
    batches: [Vec<Batch>; 2],
    /// How many blocks were in batches, and how many of them had to be looked at again.
    seen: usize,
    again: usize,
}

impl Batches {
    /// Whether most blocks are done with when they come out of a batch.
    pub(super) fn are_worth_while(&self) -> bool {
        self.again * RARE <= self.seen + RARE * VECTORS
    }

    /// Counts blocks that came out of a batch, some of which are to be looked at again.
    pub(super) fn count(&mut self, seen: usize, again: usize) {
        self.seen += seen;
        self.again += again;
    }

    /// Lets a block wait; whether its batch is complete.
    pub(super) fn add(&mut self, block: &Block<Sized64>, threshold: f64, place: usize) -> bool {
        let batch = self.batch(block.table);
        batch.add(block, threshold, place);
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
