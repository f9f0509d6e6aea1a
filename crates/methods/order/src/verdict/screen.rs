//! A first screening of residuals in doubles. It separates conditions that clearly fail from those that need an exact
//! decision.

use std::ops::Range;
use std::sync::Arc;

use hemiola_number::Counter;

use crate::engine::arithmetic::{BoundedF64, Doubles};
use crate::engine::kernel::{CHUNK, Extremes, Packed, ScreenStatistics, VECTORS, combine_and_screen, extremes};
use crate::engine::tables::ForestTables;
use crate::engine::tree_path::{CompletionTable, SharedPath};
use crate::engine::walk::BlockBundle;
use crate::engine::walk::{TreeBlock, Visitor};
use crate::verdict::batches::{Batches, BlockBounds};
use crate::verdict::condition::{Condition, NUMERICALLY, OrderSummary, Verdict};
use crate::verdict::decision::{Decisions, OpenCondition};
use crate::verdict::joint::HoldingConditions;
use crate::verdict::vectors::{Factors, Vectors};

/// The tables as plain doubles, for the inner loop.
pub(crate) struct ScreenTables {
    /// Ψ of forests and AΨ of trees, each by the number of nodes.
    forests: Vec<PackedRows>,
    trees: Vec<PackedRows>,
    /// The possible factors at the forks of bundles, by the number of nodes, without forests of H nodes.
    forest_factors: Vec<Factors>,
    tree_factors: Vec<Factors>,
}

/// Rows of values, packed for the inner loop, with the largest size and the largest change in each.
struct PackedRows {
    values: Packed,
    largest: Vec<BoundedF64>,
}

impl ScreenTables {
    pub(crate) fn new(tables: &ForestTables<Doubles>) -> Self {
        let sizes = 0..tables.trees.highest_order();
        Self {
            forests: sizes.clone().map(|size| PackedRows::new(tables.forest_rows(size))).collect(),
            trees: sizes.clone().map(|order| PackedRows::new(tables.tree_rows(order))).collect(),
            forest_factors: (0..sizes.end - 1).map(|size| Factors::new(tables.forest_rows(size))).collect(),
            tree_factors: sizes.map(|order| Factors::new(tables.tree_rows(order))).collect(),
        }
    }

    fn factors(&self, table: CompletionTable) -> &Factors {
        match table {
            CompletionTable::Forests { size } => &self.forest_factors[size],
            CompletionTable::Trees { order, .. } => &self.tree_factors[order],
        }
    }

    fn rows(&self, table: CompletionTable) -> &PackedRows {
        match table {
            CompletionTable::Forests { size } => &self.forests[size],
            CompletionTable::Trees { order, .. } => &self.trees[order],
        }
    }
}

impl PackedRows {
    fn new(rows: &[Vec<BoundedF64>]) -> Self {
        let largest = |row: &Vec<BoundedF64>| {
            row.iter().fold(BoundedF64::default(), |largest, x| BoundedF64 {
                value: 0.0,
                size: largest.size.max(x.size),
                change: largest.change.max(x.change),
            })
        };
        Self { values: Packed::new(rows, |x| x.value), largest: rows.iter().map(largest).collect() }
    }
}

/// The criterion for residuals that clearly fail: they exceed the parts that rounding and uncertainty, or the
/// tolerance, can explain.
#[derive(Clone, Copy)]
pub(crate) struct Criterion {
    pub(crate) rounding: f64,
    pub(crate) tolerance: Option<f64>,
}

impl Criterion {
    fn threshold(self, residual: &BoundedF64) -> f64 {
        // The bounds are sums of positive numbers. The factor of two covers their own rounding.
        let rounding = 2.0 * self.rounding * residual.size;
        rounding + self.tolerance.unwrap_or((NUMERICALLY * residual.size).max(residual.change))
    }
}

/// Maximum number of candidates that are decided together, which bounds their memory.
const MOST_CANDIDATES: usize = 4096;

/// Number of conditions in one progress report.
const REPORTED: usize = 1 << 13;

/// Bundles are worthwhile unless more than one block in this number needs a separate evaluation afterwards.
const RARE: usize = 8;

/// The data for the screening of one order.
#[derive(Clone, Copy)]
pub(crate) struct ScreenContext<'j, 'a> {
    pub(crate) tables: &'j ForestTables<'a, Doubles>,
    pub(crate) values: &'j ScreenTables,
    pub(crate) decisions: &'j Decisions<'a>,
    pub(crate) criterion: Criterion,
    /// The maximum number of failures that are stored.
    pub(crate) listed: usize,
    /// The maximum number of holding conditions that are stored, as long as all hold.
    pub(crate) kept: usize,
    pub(crate) counter: &'j Counter<'j>,
}

/// The results of a screen.
#[derive(Default)]
pub(crate) struct ScreenFindings {
    /// Counts and the largest residual.
    pub(crate) summary: OrderSummary,
    /// The first failures, with their places.
    pub(crate) failures: Vec<(usize, Condition)>,
    /// The conditions that hold, if none fails.
    pub(crate) held: HoldingConditions,
}

/// A visitor that separates residuals that clearly fail from those to be decided with more digits.
///
/// It first bounds sizes and changes for a whole block, and then computes them for the few members that do not fail by
/// this bound.
pub(crate) struct Screen<'j, 'a> {
    order: ScreenContext<'j, 'a>,
    candidates: Vec<OpenCondition>,
    findings: ScreenFindings,
    /// Lower bound of the largest residual; candidates may exceed the maximum so far.
    floor: f64,
    /// The stem of the current block, computed on first use.
    stem: Option<Arc<SharedPath>>,
    /// The index of its first member among all members of this screen.
    first_place: usize,
    /// Whether a condition has clearly failed.
    has_failed: bool,
    /// The number of blocks in bundles, and (`again`) of those that needed a separate evaluation.
    bundled: usize,
    again: usize,
    vectors: Vectors,
    batches: Batches,
    weights: Vec<f64>,
    residuals: Vec<f64>,
    unreported: usize,
    is_ended: bool,
}

impl<'j, 'a> Screen<'j, 'a> {
    pub(crate) fn new(order: ScreenContext<'j, 'a>) -> Self {
        let (candidates, weights, residuals) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            order,
            candidates,
            findings: ScreenFindings::default(),
            floor: 0.0,
            stem: None,
            first_place: 0,
            has_failed: false,
            bundled: 0,
            again: 0,
            vectors: Vectors::default(),
            batches: Batches::default(),
            weights,
            residuals,
            unreported: 0,
            is_ended: false,
        }
    }

    /// Returns the findings; `None` if the search was stopped.
    pub(crate) fn findings(self) -> Option<ScreenFindings> {
        (!self.is_ended).then_some(self.findings)
    }

    /// Reports the conditions decided since the last report.
    fn report(&mut self) {
        self.is_ended |= self.order.counter.advance(std::mem::take(&mut self.unreported)).is_break();
    }

    /// Returns a lower bound of the residuals in a block that clearly fails.
    fn threshold(&self, block: &TreeBlock<BoundedF64>) -> f64 {
        let largest = &self.order.values.rows(block.table).largest;
        let factors = block.at.v.iter().chain([&block.at.factor]);
        let bound = factors.zip(largest).fold(BoundedF64::default(), |sum, (v, largest)| sum.plus(v.times(*largest)));
        self.order.criterion.threshold(&bound)
    }

    /// Computes the residuals of a block in `self.residuals`, and screens them.
    fn combine(&mut self, block: &TreeBlock<BoundedF64>, threshold: f64) -> ScreenStatistics {
        let rows = self.order.values.rows(block.table);
        self.weights.clear();
        self.weights.extend(block.at.v.iter().map(|v| v.value).chain([-block.at.factor.value]));
        // Blocks of a restricted grammar may begin at any index; they are short.
        let length = block.members.end;
        let padded = length.next_multiple_of(CHUNK);
        if self.residuals.len() < padded {
            self.residuals.resize(padded, 0.0);
        }
        combine_and_screen(&self.weights, &rows.values, &mut self.residuals, length, threshold)
    }

    fn record_residual(&mut self, size: f64) {
        self.findings.summary.max_residual = self.findings.summary.max_residual.max(size);
    }

    /// Returns whether enough failures are listed, so that further ones are only counted.
    fn is_enough(&self) -> bool {
        self.findings.failures.len() >= self.order.listed
    }

    /// Evaluates a single member.
    fn evaluate_member(&mut self, block: &TreeBlock<BoundedF64>, member: usize) {
        let place = self.place(block, member);
        let value = self.residuals[member];
        let residual = BoundedF64 { value, ..self.order.tables.residual(block.at, block.table, member) };
        // A comparison with NaN is false and leaves the decision to exact arithmetic.
        if residual.value.abs() > self.order.criterion.threshold(&residual) {
            self.record_residual(value.abs());
            self.has_failed = true;
            if !self.is_enough() {
                let tree = block.stem().spine(self.order.tables.trees, member).tree(self.order.tables.trees);
                self.findings.failures.push((place, Condition::new(tree, value, 0.0, Verdict::Fails)));
            }
        } else {
            let stem = Arc::clone(self.stem.get_or_insert_with(|| Arc::new(block.stem())));
            self.candidates.push(OpenCondition { place, stem, member, residual });
            if self.candidates.len() >= MOST_CANDIDATES {
                self.decide();
            }
        }
    }

    /// Returns the index of a member among all members of this screen.
    fn place(&self, block: &TreeBlock<BoundedF64>, member: usize) -> usize {
        self.first_place + member - block.members.start
    }

    /// Takes a closer look at members that do not clearly fail, if verdicts are only counted.
    fn look_closer(&mut self, block: &TreeBlock<BoundedF64>, threshold: f64) {
        let order = self.order;
        let mut floor = self.floor.max(self.findings.summary.max_residual);
        let mut closer = None;
        for member in block.members.clone() {
            let size = self.residuals[member].abs();
            if size > threshold {
                self.record_residual(size);
                continue;
            }
            let closer = closer.get_or_insert_with(|| {
                let stem = self.stem.get_or_insert_with(|| Arc::new(block.stem()));
                order.decisions.high_precision().map(|look| look.at(stem))
            });
            match closer.as_mut().and_then(|closer| closer.verdict(member, &mut floor)) {
                Some(verdict) => self.findings.summary.count(verdict),
                None => self.evaluate_member(block, member),
            }
        }
        self.floor = floor;
    }

    /// Evaluates a single block.
    fn evaluate_block(&mut self, block: &TreeBlock<BoundedF64>, threshold: f64, place: usize) {
        (self.stem, self.first_place) = (None, place);
        let screened = self.combine(block, threshold);
        // Once enough failures are listed, members beyond the threshold of the block need no evaluation.
        if !self.is_enough() {
            block.members.clone().for_each(|member| self.evaluate_member(block, member));
        } else if block.members.start == 0 && screened.within == 0 {
            self.record_residual(screened.largest);
            self.has_failed = true;
        } else {
            self.look_closer(block, threshold);
        }
    }

    /// Evaluates the blocks of a bundle whose factors are in a group of a table. Few blocks wait for others.
    fn evaluate_group(
        &mut self,
        bundle: &BlockBundle<BoundedF64>,
        factors: &(CompletionTable, Range<usize>),
        group: usize,
    ) {
        let ScreenContext { tables, values, criterion, .. } = self.order;
        let (table, range) = factors;
        let rows = values.rows(bundle.table(0));
        let mut vectors = std::mem::take(&mut self.vectors);
        let bounds = vectors.take(tables, bundle, values.factors(*table), group, &rows.largest);
        // Neighbors outside the bundle are computed as well, with the length of the nearest block inside.
        let places: [usize; VECTORS] = std::array::from_fn(|v| group * VECTORS + v);
        let blocks = places.map(|place| place.clamp(range.start, range.end - 1) - range.start);
        let lengths = blocks.map(|block| bundle.length(tables, block));
        let lanes = || (0..VECTORS).filter(|&v| range.contains(&places[v]));
        let are_few = 2 * lanes().count() <= VECTORS;
        let seen = if are_few { None } else { Some(extremes(vectors.values(), &rows.values, lengths)) };
        for v in lanes() {
            let (block, length) = (blocks[v], lengths[v]);
            let place = self.findings.summary.conditions as usize;
            let bounded = BlockBounds { length, threshold: criterion.threshold(&bounds.of(v)), place };
            if let Some(seen) = seen {
                self.judge(seen[v], bounded, || bundle.stem(block));
            } else if self.batches.add(bundle, block, bounded, vectors.values().iter().map(|values| values[v])) {
                self.flush_batch(bundle.table(block));
            }
            self.count(length);
        }
        self.vectors = vectors;
    }

    /// Empties the batch of a table.
    fn flush_batch(&mut self, table: CompletionTable) {
        let rows = self.order.values.rows(table);
        let mut batch = std::mem::take(self.batches.batch(table));
        batch.drain(&rows.values, |block, steps, seen| self.judge(seen, block.bounded, || block.stem(steps)));
        *self.batches.batch(table) = batch;
    }

    /// Decides a block by its extremes; a block that does not clearly fail is evaluated separately.
    fn judge(&mut self, seen: Extremes, bounded: BlockBounds, stem: impl FnOnce() -> SharedPath) {
        self.bundled += 1;
        let BlockBounds { length, threshold, place } = bounded;
        // A finite threshold bounds all sums that enter it.
        if threshold.is_finite() && seen.smallest > threshold {
            self.record_residual(seen.largest);
        } else {
            self.again += 1;
            let stem = stem();
            let at = self.order.tables.at(&stem);
            self.evaluate_block(&TreeBlock::new(&stem, &at, 0..length), threshold, place);
        }
    }

    /// Counts conditions that are decided or await a decision.
    fn count(&mut self, conditions: usize) {
        self.findings.summary.conditions += conditions as u64;
        self.unreported += conditions;
        if self.unreported >= REPORTED {
            self.report();
        }
    }

    /// Decides the candidates.
    fn decide(&mut self) {
        let candidates = std::mem::take(&mut self.candidates);
        for (place, condition) in self.order.decisions.decide(&candidates) {
            self.record_residual(condition.residual.abs());
            self.findings.summary.count(condition.verdict);
            if condition.verdict == Verdict::Fails {
                self.findings.failures.push((place, condition));
            } else if self.order.kept > 0 && self.findings.failures.is_empty() {
                self.findings.held.add(condition, self.order.kept);
            }
        }
        self.findings.failures.sort_by_key(|(place, _)| *place);
        self.findings.failures.truncate(self.order.listed);
    }
}

impl Visitor<BoundedF64> for Screen<'_, '_> {
    fn visit(&mut self, block: &TreeBlock<BoundedF64>) {
        if self.is_ended {
            return;
        }
        let threshold = self.threshold(block);
        let place = self.findings.summary.conditions as usize;
        self.evaluate_block(block, threshold, place);
        self.count(block.members.len());
    }

    /// Returns whether bundles are worthwhile. They are not used if all conditions hold, because the first conditions
    /// are stored and must be decided in sequence.
    fn takes_bundles(&self) -> bool {
        let are_worth_while = self.again * RARE <= self.bundled + RARE * VECTORS;
        (self.has_failed || self.order.kept == 0) && self.is_enough() && are_worth_while
    }

    fn visit_bundle(&mut self, bundle: &BlockBundle<BoundedF64>) {
        let factors = bundle.factors(self.order.tables.trees);
        for group in factors.1.start / VECTORS..factors.1.end.div_ceil(VECTORS) {
            if !self.is_ended {
                self.evaluate_group(bundle, &factors, group);
            }
        }
    }

    fn finish(&mut self) {
        if !self.is_ended {
            for table in self.batches.tables() {
                self.flush_batch(table);
            }
            self.decide();
            self.report();
        }
    }
}
