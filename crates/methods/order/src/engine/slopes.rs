//! Doubles with their derivatives with respect to all coefficients. A gradient costs two vectors for each stage.

use std::sync::Arc;

use hemiola_number::vector::{Registers, Task, dispatch};
use hemiola_tableau::{Butcher, Tableau};

use crate::engine::arithmetic::Arithmetic;

/// A number with its derivatives with respect to the coefficients.
#[derive(Clone, Debug)]
pub(crate) struct ValueWithGradient {
    pub(crate) value: f64,
    slopes: GradientStorage,
}

#[derive(Clone, Debug)]
enum GradientStorage {
    None,
    /// A coefficient itself, whose own slope is one.
    Own(usize),
    All(Arc<[f64]>),
}

/// Arithmetic with this many derivatives.
pub(crate) struct Gradients {
    pub(crate) count: usize,
}

impl Gradients {
    /// Converts the coefficients of a tableau. `places` has for each entry, in the order of
    /// [`entries`](crate::engine::gradient::entries), the index of its derivative.
    pub(crate) fn tableau(tableau: &Tableau<f64>, places: &[Option<usize>]) -> Tableau<ValueWithGradient> {
        let mut places = places.iter();
        let mut sloped = |value: &f64| {
            let slopes = places.next().copied().flatten().map_or(GradientStorage::None, GradientStorage::Own);
            ValueWithGradient { value: *value, slopes }
        };
        let butcher = |butcher: &Butcher<f64>| Butcher {
            a: butcher.a.iter().map(|row| row.iter().map(&mut sloped).collect()).collect(),
            b: butcher.b.iter().map(&mut sloped).collect(),
            c: butcher.c.iter().map(&mut sloped).collect(),
        };
        Tableau { partitions: tableau.partitions.iter().map(butcher).collect() }
    }

    /// Adds the derivatives of Σ xᵢyᵢ.
    pub(crate) fn add_slopes<'a>(
        slopes: &mut [f64],
        pairs: impl Iterator<Item = (&'a ValueWithGradient, &'a ValueWithGradient)>,
    ) {
        let mut terms: Vec<(f64, &[f64])> = Vec::new();
        for (x, y) in pairs {
            for (factor, other) in [(x.value, y), (y.value, x)] {
                match &other.slopes {
                    _ if factor == 0.0 => {}
                    GradientStorage::None => {}
                    GradientStorage::Own(place) => slopes[*place] += factor,
                    GradientStorage::All(all) => terms.push((factor, all)),
                }
            }
        }
        dispatch(AddMultiples { sums: slopes, terms: &terms });
    }
}

impl Arithmetic for Gradients {
    type Number = ValueWithGradient;

    fn zero(&self) -> ValueWithGradient {
        ValueWithGradient { value: 0.0, slopes: GradientStorage::None }
    }

    fn one(&self) -> ValueWithGradient {
        ValueWithGradient { value: 1.0, slopes: GradientStorage::None }
    }

    fn reciprocal(&self, n: u64) -> ValueWithGradient {
        ValueWithGradient { value: 1.0 / n as f64, slopes: GradientStorage::None }
    }

    fn negative(&self, x: &ValueWithGradient) -> ValueWithGradient {
        let mut negative = self.zero();
        self.add_product(&mut negative, &ValueWithGradient { value: -1.0, slopes: GradientStorage::None }, x);
        negative
    }

    fn product(&self, x: &ValueWithGradient, y: &ValueWithGradient) -> ValueWithGradient {
        let mut product = self.zero();
        self.add_product(&mut product, x, y);
        product
    }

    fn add_product(&self, sum: &mut ValueWithGradient, x: &ValueWithGradient, y: &ValueWithGradient) {
        sum.value += x.value * y.value;
        let is_constant = |factor: &ValueWithGradient, other: &ValueWithGradient| {
            factor.value == 0.0 || matches!(other.slopes, GradientStorage::None)
        };
        if is_constant(x, y) && is_constant(y, x) {
            return;
        }
        let mut all: Arc<[f64]> = match std::mem::replace(&mut sum.slopes, GradientStorage::None) {
            GradientStorage::All(all) => all,
            GradientStorage::Own(place) => (0..self.count).map(|k| f64::from(u8::from(k == place))).collect(),
            GradientStorage::None => std::iter::repeat_n(0.0, self.count).collect(),
        };
        Self::add_slopes(Arc::make_mut(&mut all), std::iter::once((x, y)));
        sum.slopes = GradientStorage::All(all);
    }
}

struct AddMultiples<'a> {
    sums: &'a mut [f64],
    terms: &'a [(f64, &'a [f64])],
}

/// Number of sums that stay in registers during the loop over the terms.
const CHUNK: usize = 32;

impl Task for AddMultiples<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Registers>(self) {
        let Self { sums, terms } = self;
        let mut chunks = sums.chunks_exact_mut(CHUNK);
        let mut start = 0;
        for chunk in &mut chunks {
            let mut part = [0.0; CHUNK];
            part.copy_from_slice(chunk);
            for (factor, x) in terms {
                part.iter_mut().zip(&x[start..start + CHUNK]).for_each(|(sum, x)| *sum = factor.mul_add(*x, *sum));
            }
            chunk.copy_from_slice(&part);
            start += CHUNK;
        }
        let rest = chunks.into_remainder();
        for (factor, x) in terms {
            rest.iter_mut().zip(&x[start..]).for_each(|(sum, x)| *sum = factor.mul_add(*x, *sum));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::gradient::{entries, value_and_gradient};
    use crate::engine::tables::ForestTables;
    use crate::engine::walk::{TreeBlock, Visitor, small_order, walk};
    use crate::trees::enumerate::Trees;
    use crate::trees::grammar::Grammar;

    /// A visitor that measures the largest distance of a gradient from that of the plain adjoint.
    struct Distance<'a>(&'a ForestTables<'a, Gradients>, &'a Tableau<f64>, f64);

    impl Visitor<ValueWithGradient> for Distance<'_> {
        fn visit(&mut self, block: &TreeBlock<ValueWithGradient>) {
            for member in block.members.clone() {
                let residual = self.0.residual(block.at, block.table, member);
                let mut found = vec![0.0; self.0.arithmetic.count];
                Gradients::add_slopes(&mut found, std::iter::once((&self.0.arithmetic.one(), &residual)));
                let tree = block.stem().spine(self.0.trees, member).tree(self.0.trees);
                let (value, expected) = value_and_gradient(&tree, self.1);
                let expected: Vec<f64> = entries(&expected).copied().collect();
                let distances = found.iter().zip(&expected).map(|(found, expected)| (found - expected).abs());
                let own = (residual.value - (value - 1.0 / tree.density() as f64)).abs();
                self.2 = distances.chain([own]).fold(self.2, f64::max);
            }
        }
    }

    #[test]
    fn gradients_are_those_of_the_adjoint() {
        let method = |id| hemiola_tableau::library::method(id).unwrap().to_f64();
        for (grammar, tableau, order) in [
            (Grammar::partitioned(2), method("shome-haug-jay-2-5"), 6),
            (Grammar::non_autonomous(2), method("lobatto-iiia-iiib-3"), 4),
            (Grammar::partitioned(1), method("dormand-prince-8"), 9),
        ] {
            let count = entries(&tableau).count();
            let places: Vec<Option<usize>> = (0..count).map(Some).collect();
            let (arithmetic, sloped) = (Gradients { count }, Gradients::tableau(&tableau, &places));
            let trees = Trees::new(&grammar, small_order(order)).unwrap();
            let tables = ForestTables::new(&arithmetic, &trees, &sloped);
            for order in 1..=order {
                let found = walk(&tables, order, 0, || Distance(&tables, &tableau, 0.0));
                assert!(found.iter().all(|visitor| visitor.2 < 1e-11), "{}", found[0].2);
            }
        }
    }
}
