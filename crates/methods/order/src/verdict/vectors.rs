//! Vectors of several blocks of a bundle at once, with bounds on the residuals of each. They equal the results of
//! [`ForestTables`] for each single block bit by bit.

use hemiola_number::vector::{Registers, Task, dispatch};

use crate::engine::arithmetic::{Arithmetic, BoundedF64, Doubles};
use crate::engine::kernel::VECTORS;
use crate::engine::tables::{ForestTables, PathVector};
use crate::engine::walk::{BlockBundle, VaryingStep};
use crate::trees::enumerate::ForestId;
use crate::trees::grammar::NodeKind;

/// Rows of numbers with their bounds, cut into groups of neighbors. The first groups of all rows are stored
/// first, then the second groups. The last groups are padded.
pub(super) struct Factors {
    rows: usize,
    groups: Vec<BoundedLanes>,
}

impl Factors {
    pub(super) fn new(rows: &[Vec<BoundedF64>]) -> Self {
        let length = rows.first().map_or(0, Vec::len);
        let mut groups = vec![BoundedLanes::default(); rows.len() * length.div_ceil(VECTORS)];
        for (i, row) in rows.iter().enumerate() {
            for (k, part) in row.chunks(VECTORS).enumerate() {
                part.iter().enumerate().for_each(|(lane, x)| groups[k * rows.len() + i].set(lane, *x));
            }
        }
        Self { rows: rows.len(), groups }
    }
}

/// Vectors side by side.
#[derive(Default)]
pub(super) struct Vectors {
    /// The entries of the vectors for each stage, then the negative factors of 1/γ.
    values: Vec<[f64; VECTORS]>,
    numbers: Vec<BoundedLanes>,
    weighted: Vec<BoundedLanes>,
}

impl Vectors {
    /// Computes the vectors of those blocks of a bundle whose factors are in a group. Returns bounds on their
    /// residuals, from the largest entries of the rows that multiply the vectors.
    pub(super) fn take(
        &mut self,
        tables: &ForestTables<Doubles>,
        bundle: &BlockBundle<BoundedF64>,
        factors: &Factors,
        group: usize,
        largest: &[BoundedF64],
    ) -> LaneBounds {
        let child = ForkChild::of(tables, bundle, group);
        let factors = &factors.groups[group * factors.rows..][..factors.rows];
        dispatch(ComputeVectors { vectors: self, at: bundle.at, factors, child, largest })
    }

    pub(super) fn values(&self) -> &[[f64; VECTORS]] {
        &self.values
    }
}

/// The child to which the steps of a bundle descend.
struct ForkChild<'a> {
    a: &'a [Vec<BoundedF64>],
    /// The contribution of the step to the factor of 1/γ.
    reciprocals: BoundedLanes,
}

impl<'a> ForkChild<'a> {
    fn of(tables: &ForestTables<'a, Doubles>, bundle: &BlockBundle<BoundedF64>, group: usize) -> Option<Self> {
        let VaryingStep::Down { kind, order, siblings } = &bundle.fork else { return None };
        let NodeKind::Partition(color) = tables.trees.kinds()[*kind] else { return None };
        let all = tables.trees.forests_of_size(tables.trees.forest_size(ForestId::new(siblings.start)));
        let mut reciprocals = BoundedLanes::default();
        for (lane, forest) in all.skip(group * VECTORS).take(VECTORS).enumerate() {
            let density = tables.trees.forest_density(ForestId::new(forest));
            reciprocals.set(lane, Doubles.reciprocal(density * *order as u64));
        }
        Some(Self { a: &tables.tableau.partitions[color].a, reciprocals })
    }
}

/// Numbers with their bounds, side by side.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct BoundedLanes {
    value: [f64; VECTORS],
    size: [f64; VECTORS],
    change: [f64; VECTORS],
}

impl BoundedLanes {
    #[inline(always)]
    fn set(&mut self, lane: usize, x: BoundedF64) {
        (self.value[lane], self.size[lane], self.change[lane]) = (x.value, x.size, x.change);
    }

    /// Computes [`BoundedF64::times`] for each lane.
    #[inline(always)]
    fn set_product(&mut self, x: BoundedF64, y: &Self) {
        for l in 0..VECTORS {
            self.value[l] = x.value * y.value[l];
        }
        for l in 0..VECTORS {
            self.size[l] = x.size * y.size[l];
        }
        for l in 0..VECTORS {
            self.change[l] = x.change * y.size[l] + x.size * y.change[l];
        }
    }

    /// Computes [`BoundedF64::plus`] and [`BoundedF64::times`] for each lane.
    #[inline(always)]
    fn add_product(&mut self, x: BoundedF64, y: &Self) {
        for l in 0..VECTORS {
            self.value[l] += x.value * y.value[l];
        }
        for l in 0..VECTORS {
            self.size[l] += x.size * y.size[l];
        }
        for l in 0..VECTORS {
            self.change[l] += x.change * y.size[l] + x.size * y.change[l];
        }
    }
}

/// Bounds on the residuals of several blocks.
#[derive(Default)]
pub(super) struct LaneBounds {
    size: [f64; VECTORS],
    change: [f64; VECTORS],
}

impl LaneBounds {
    pub(super) fn of(&self, lane: usize) -> BoundedF64 {
        BoundedF64 { value: 0.0, size: self.size[lane], change: self.change[lane] }
    }

    /// Computes [`BoundedF64::plus`] and [`BoundedF64::times`] for each lane, without values.
    #[inline(always)]
    fn add_product(&mut self, x: &BoundedLanes, y: &BoundedF64) {
        for l in 0..VECTORS {
            self.size[l] += x.size[l] * y.size;
        }
        for l in 0..VECTORS {
            self.change[l] += x.change[l] * y.size + x.size[l] * y.change;
        }
    }
}

struct ComputeVectors<'a> {
    vectors: &'a mut Vectors,
    at: &'a PathVector<BoundedF64>,
    factors: &'a [BoundedLanes],
    child: Option<ForkChild<'a>>,
    largest: &'a [BoundedF64],
}

impl Task for ComputeVectors<'_> {
    type Output = LaneBounds;

    #[inline(always)]
    fn run<R: Registers>(self) -> Self::Output {
        let Self { vectors: Vectors { values, numbers, weighted }, at, factors, child, largest } = self;
        numbers.resize(factors.len(), BoundedLanes::default());
        for ((number, x), factor) in numbers.iter_mut().zip(at.v.iter().chain([&at.factor])).zip(factors) {
            number.set_product(*x, factor);
        }
        if let Some(ForkChild { a, reciprocals }) = child {
            std::mem::swap(numbers, weighted);
            numbers.resize(factors.len(), BoundedLanes::default());
            for (j, v) in numbers.iter_mut().enumerate().take(a.len()) {
                let mut sum = BoundedLanes::default();
                a.iter().zip(weighted.iter()).for_each(|(row, w)| sum.add_product(row[j], w));
                *v = sum;
            }
            numbers.last_mut().into_iter().for_each(|last| last.set_product(at.factor, &reciprocals));
        }
        let mut bounds = LaneBounds::default();
        for (x, largest) in numbers.iter().zip(largest) {
            bounds.add_product(x, largest);
        }
        values.clear();
        values.extend(numbers.iter().map(|x| x.value));
        values.last_mut().into_iter().for_each(|factors| *factors = factors.map(|factor| -factor));
        bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::walk::{TreeBlock, Visitor, small_order, walk};
    use crate::trees::enumerate::Trees;
    use crate::trees::grammar::Grammar;
    use crate::verdict::forms::CoefficientForms;

    /// A visitor that compares the vectors of all bundles with those of their blocks, and counts them.
    struct Comparison<'a>(&'a ForestTables<'a, Doubles>, usize);

    impl Visitor<BoundedF64> for Comparison<'_> {
        fn visit(&mut self, _block: &TreeBlock<BoundedF64>) {}

        fn takes_bundles(&self) -> bool {
            true
        }

        fn visit_bundle(&mut self, bundle: &BlockBundle<BoundedF64>) {
            let tables = self.0;
            let (table, range) = bundle.factors(tables.trees);
            let factors = Factors::new(tables.rows(table));
            let largest: Vec<BoundedF64> = (0..)
                .map(|k| BoundedF64 { value: 0.0, size: 1.0 + f64::from(k), change: 0.1 })
                .take(factors.rows)
                .collect();
            for (block, place) in range.enumerate() {
                let (group, lane) = (place / VECTORS, place % VECTORS);
                let mut vectors = Vectors::default();
                let bounds = vectors.take(tables, bundle, &factors, group, &largest);
                let at = tables.at(&bundle.stem(block));
                let expected: Vec<f64> = at.v.iter().map(|v| v.value).chain([-at.factor.value]).collect();
                assert_eq!(vectors.values().iter().map(|x| x[lane]).collect::<Vec<f64>>(), expected);
                let numbers = at.v.iter().chain([&at.factor]).zip(&largest);
                let bound = numbers.fold(BoundedF64::default(), |sum, (v, largest)| sum.plus(v.times(*largest)));
                assert_eq!(bounds.of(lane), bound);
                assert!(bound.change > 0.0);
                self.1 += 1;
            }
        }
    }

    #[test]
    fn vectors_side_by_side_are_those_of_each_block() {
        for (id, order, most) in [("shome-haug-jay-2-5", 8, 300), ("ono-12", 12, 300), ("gauss-4", 12, 300)] {
            let method = hemiola_tableau::library::method(id).unwrap();
            let grammar = Grammar::partitioned(method.partitions().len());
            let trees = Trees::new(&grammar, small_order(order)).unwrap();
            let forms = CoefficientForms::new(&method);
            let tables = ForestTables::new(&Doubles, &trees, &forms.doubles);
            let compared = walk(&tables, order, 0, || Comparison(&tables, 0)).remove(0).1;
            assert!(compared > most, "{id}: {compared}");
        }
    }
}
