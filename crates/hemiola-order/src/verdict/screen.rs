//! A first look at residuals in doubles: which clearly fail, and which are to be decided exactly.

use crate::engine::arithmetic::{Doubles, Sized64};
use crate::engine::kernel::{CHUNK, Screened, combine_and_screen};
use crate::engine::tables::{Spine, Tables};
use crate::engine::walk::{Block, Table, Visitor};
use crate::verdict::condition::NUMERICALLY;

/// The tables as plain doubles, for the inner loop.
pub(crate) struct Values {
    /// By the number of nodes: Ψ of forests and AΨ of trees.
    forests: Vec<Rows>,
    trees: Vec<Rows>,
}

/// Rows of values, padded for the inner loop, with the largest size and the largest change in each.
struct Rows {
    values: Vec<Vec<f64>>,
    largest: Vec<Sized64>,
}

impl Values {
    pub(crate) fn new(tables: &Tables<Doubles>) -> Self {
        let sizes = 0..tables.trees.highest_order();
        Self {
            forests: sizes.clone().map(|size| Rows::new(tables.forest_rows(size))).collect(),
            trees: sizes.map(|order| Rows::new(tables.tree_rows(order))).collect(),
        }
    }

    fn rows(&self, table: Table) -> &Rows {
        match table {
            Table::Forests { size } => &self.forests[size],
            Table::Trees { order, .. } => &self.trees[order],
        }
    }
}

impl Rows {
    fn new(rows: &[Vec<Sized64>]) -> Self {
        let values = |row: &Vec<Sized64>| {
            let mut values: Vec<f64> = row.iter().map(|x| x.value).collect();
            values.resize(row.len().next_multiple_of(CHUNK), 0.0);
            values
        };
        let largest = |row: &Vec<Sized64>| {
            row.iter().fold(Sized64::default(), |largest, x| Sized64 {
                value: 0.0,
                size: largest.size.max(x.size),
                change: largest.change.max(x.change),
            })
        };
        Self { values: rows.iter().map(values).collect(), largest: rows.iter().map(largest).collect() }
    }
}

/// A tree with its place in the sequence and its residual in doubles.
pub(crate) struct Entry {
    pub(crate) place: usize,
    pub(crate) spine: Spine,
    pub(crate) residual: Sized64,
}

/// When a residual clearly fails: where it exceeds what rounding and uncertainty, or the tolerance, can explain.
#[derive(Clone, Copy)]
pub(crate) struct Criterion {
    pub(crate) rounding: f64,
    pub(crate) tolerance: Option<f64>,
}

impl Criterion {
    fn threshold(self, residual: &Sized64) -> f64 {
        // The bounds are sums of positive numbers: their own rounding is covered by a second helping of the first term.
        let rounding = 2.0 * self.rounding * residual.size;
        rounding + self.tolerance.unwrap_or((NUMERICALLY * residual.size).max(residual.change))
    }
}

/// Sorts residuals into those that clearly fail and those to be decided exactly.
///
/// Size and change are first bounded for a whole block, and computed for the few that this bound does not dismiss.
pub(crate) struct Screen<'a> {
    tables: &'a Tables<'a, Doubles>,
    values: &'a Values,
    criterion: Criterion,
    listed: usize,
    pub(crate) seen: usize,
    pub(crate) max_residual: f64,
    /// What needs a decision.
    pub(crate) candidates: Vec<Entry>,
    /// The first failures.
    pub(crate) failures: Vec<Entry>,
    weights: Vec<f64>,
    residuals: Vec<f64>,
}

impl<'a> Screen<'a> {
    pub(crate) fn new(
        tables: &'a Tables<'a, Doubles>,
        values: &'a Values,
        criterion: Criterion,
        listed: usize,
    ) -> Self {
        Self {
            tables,
            values,
            criterion,
            listed,
            seen: 0,
            max_residual: 0.0,
            candidates: Vec::new(),
            failures: Vec::new(),
            weights: Vec::new(),
            residuals: Vec::new(),
        }
    }

    /// What no residual of a block that clearly fails is below.
    fn threshold(&self, block: &Block<Sized64>) -> f64 {
        let largest = &self.values.rows(block.table).largest;
        let factors = block.at.v.iter().chain([&block.at.factor]);
        let bound = factors.zip(largest).fold(Sized64::default(), |sum, (v, largest)| sum.plus(v.times(*largest)));
        self.criterion.threshold(&bound)
    }

    /// Residuals of a block in `self.residuals`, and what a first look at them tells.
    fn combine(&mut self, block: &Block<Sized64>, threshold: f64) -> Screened {
        let rows = self.values.rows(block.table);
        self.weights.clear();
        self.weights.extend(block.at.v.iter().map(|v| v.value).chain([-block.at.factor.value]));
        // Blocks of a restricted grammar begin anywhere; they are short.
        let length = block.members.end;
        let padded = length.next_multiple_of(CHUNK);
        if self.residuals.len() < padded {
            self.residuals.resize(padded, 0.0);
        }
        combine_and_screen(&self.weights, &rows.values, &mut self.residuals, length, threshold)
    }

    fn look_closely(&mut self, block: &Block<Sized64>, member: usize) {
        let place = self.seen + member - block.members.start;
        let spine = block.spine(self.tables.trees, member);
        let residual = Sized64 { value: self.residuals[member], ..self.tables.residual(&spine) };
        // A comparison that is false for NaN leaves the decision to exact arithmetic.
        if residual.value.abs() > self.criterion.threshold(&residual) {
            self.max_residual = self.max_residual.max(residual.value.abs());
            if self.failures.len() < self.listed {
                self.failures.push(Entry { place, spine, residual });
            }
        } else {
            self.candidates.push(Entry { place, spine, residual });
        }
    }
}

impl Visitor<Sized64> for Screen<'_> {
    fn visit(&mut self, block: &Block<Sized64>) {
        let threshold = self.threshold(block);
        let screened = self.combine(block, threshold);
        // Once enough failures are listed, what is beyond the threshold of the block need not be looked at.
        let is_enough = self.failures.len() >= self.listed && block.members.start == 0;
        if is_enough && screened.within == 0 {
            self.max_residual = self.max_residual.max(screened.largest);
        } else {
            for member in block.members.clone() {
                let size = self.residuals[member].abs();
                if is_enough && size > threshold {
                    self.max_residual = self.max_residual.max(size);
                } else {
                    self.look_closely(block, member);
                }
            }
        }
        self.seen += block.members.len();
    }
}
