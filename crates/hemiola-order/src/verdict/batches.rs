//! Blocks that wait until several can be multiplied with the same table.

use std::ops::Range;

use crate::engine::arithmetic::Sized64;
use crate::engine::kernel::{Extremes, Packed, VECTORS, extremes};
use crate::engine::stem::{Step, Table};
use crate::engine::tables::Partial;
use crate::engine::walk::Block;

/// Batches are no gain where more than one of so many blocks has to be looked at by itself afterwards.
const RARE: usize = 8;

/// A block with what is known of it. Its vectors keep their room when the next one takes its place.
#[derive(Clone)]
pub(super) struct Waiting {
    order: usize,
    root: usize,
    steps: Vec<Step>,
    at: Partial<Sized64>,
    table: Table,
    members: Range<usize>,
    pub(super) threshold: f64,
    /// The number of its first member among all that the screen sees.
    pub(super) place: usize,
}

impl Waiting {
    fn new(block: &Block<Sized64>, threshold: f64, place: usize) -> Self {
        let &Block { order, root, steps, at, table, ref members } = block;
        Self { order, root, steps: steps.to_vec(), at: at.clone(), table, members: members.clone(), threshold, place }
    }

    fn take(&mut self, block: &Block<Sized64>, threshold: f64, place: usize) {
        let &Block { order, root, steps, at, table, ref members } = block;
        self.steps.clear();
        self.steps.extend_from_slice(steps);
        self.at.v.clone_from(&at.v);
        self.at.factor = at.factor;
        (self.order, self.root, self.table, self.members) = (order, root, table, members.clone());
        (self.threshold, self.place) = (threshold, place);
    }

    pub(super) fn block(&self) -> Block<'_, Sized64> {
        let &Self { order, root, ref steps, ref at, table, ref members, .. } = self;
        Block { order, root, steps, at, table, members: members.clone() }
    }
}

/// Blocks with the same rows.
#[derive(Clone, Default)]
pub(super) struct Batch {
    /// The first `count` wait.
    waiting: Vec<Waiting>,
    count: usize,
    /// Their vectors and factors of 1/γ, side by side.
    weights: Vec<[f64; VECTORS]>,
}

impl Batch {
    /// Those that wait.
    pub(super) fn waiting(&self) -> &[Waiting] {
        &self.waiting[..self.count]
    }

    /// What is seen of each, if there are as many as are multiplied together.
    pub(super) fn extremes(&self, rows: &Packed) -> Option<[Extremes; VECTORS]> {
        let all: &[Waiting; VECTORS] = self.waiting().try_into().ok()?;
        Some(extremes(&self.weights, rows, all.each_ref().map(|waiting| waiting.members.end)))
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    fn add(&mut self, block: &Block<Sized64>, threshold: f64, place: usize) {
        match self.waiting.get_mut(self.count) {
            Some(waiting) => waiting.take(block, threshold, place),
            None => self.waiting.push(Waiting::new(block, threshold, place)),
        }
        self.weights.resize(block.at.v.len() + 1, [0.0; VECTORS]);
        let values = block.at.v.iter().map(|v| v.value).chain([-block.at.factor.value]);
        for (weights, value) in self.weights.iter_mut().zip(values) {
            weights[self.count] = value;
        }
        self.count += 1;
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

    /// Counts a batch, some blocks of which are to be looked at again.
    pub(super) fn count(&mut self, again: usize) {
        self.seen += VECTORS;
        self.again += again;
    }

    /// Lets a block wait; whether its batch is complete.
    pub(super) fn add(&mut self, block: &Block<Sized64>, threshold: f64, place: usize) -> bool {
        let batch = self.batch(block.table);
        batch.add(block, threshold, place);
        batch.count == VECTORS
    }

    /// The batch of a table.
    pub(super) fn batch(&mut self, table: Table) -> &mut Batch {
        let (kind, nodes) = match table {
            Table::Forests { size } => (0, size),
            Table::Trees { order, .. } => (1, order),
        };
        let batches = &mut self.batches[kind];
        if batches.len() <= nodes {
            batches.resize(nodes + 1, Batch::default());
        }
        &mut batches[nodes]
    }

    /// All that still wait.
    pub(super) fn rest(&mut self) -> Vec<Waiting> {
        let all = self.batches.iter_mut().flatten();
        all.flat_map(|batch| batch.waiting.drain(..std::mem::take(&mut batch.count))).collect()
    }
}
