//! Elementary weights of many trees and their derivatives; factors that the trees share are computed once.
//!
//! A forest consists of a smaller forest and one more branch: Ψ(u₁…u_m) = Ψ(u₁…u_{m−1}) ∘ AΨ(children of u_m). In
//! reverse order, the same products propagate derivatives from the root to every coefficient.

use std::collections::HashMap;
use std::mem::take;

use hemiola_order::{NodeKind, Tree};

use crate::pair::coefficients::PairCoefficients;
use crate::pair::partitions::MOST_STAGES;
use crate::simd::lanes::{LowerTriangle, WIDTH, WeightNumber};

/// A forest as a product: another forest, and a branch given by the color of its root and the forest above the
/// root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ForestProduct {
    rest: usize,
    color: usize,
    branch: usize,
}

/// Forests by number, starting with the empty forest, number 0. Each forest consists of earlier ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forests {
    products: Vec<ForestProduct>,
    numbers: HashMap<ForestProduct, usize>,
}

impl Forests {
    /// Returns the color of the root and the number of the forest that remains without the root.
    pub(crate) fn tree(&mut self, tree: &Tree) -> (usize, usize) {
        let forest = tree.children().iter().fold(0, |rest, child| {
            let (color, branch) = self.tree(child);
            self.product(rest, color, branch)
        });
        // Conditions of autonomous systems contain no abscissae of time.
        let (NodeKind::Partition(color) | NodeKind::Time(color)) = tree.kind();
        (color, forest)
    }

    /// Returns the forest of the tall tree with `nodes` nodes of one color: Φ = bᵀA^{nodes−1}𝟙.
    pub(crate) fn tall(&mut self, color: usize, nodes: usize) -> usize {
        (1..nodes).fold(0, |branch, _| self.product(0, color, branch))
    }

    fn product(&mut self, rest: usize, color: usize, branch: usize) -> usize {
        let product = ForestProduct { rest, color, branch };
        *self.numbers.entry(product).or_insert_with(|| {
            self.products.push(product);
            self.products.len()
        })
    }

    /// Evaluates Ψ of every forest.
    #[inline(always)]
    pub(crate) fn evaluate<'a, T: WeightNumber>(&'a self, at: &'a PairCoefficients<T>) -> EvaluatedForests<'a, T> {
        let (stride, count) = (at.stride(), self.products.len());
        let (mut psi, pushed) = (T::taken((count + 1) * stride), T::taken(count * stride));
        psi[..stride].fill(T::from(1.0));
        let mut evaluated = EvaluatedForests { forests: self, at, columns: at.columns(), psi, pushed };
        let EvaluatedForests { columns, psi, pushed, .. } = &mut evaluated;
        for (k, product) in self.products.iter().enumerate() {
            let (before, rest) = psi.split_at_mut((k + 1) * stride);
            let (new, pushed) = (&mut rest[..stride], &mut pushed[k * stride..][..stride]);
            T::apply(&triangle(at, columns, product.color), &before[product.branch * stride..][..stride], pushed);
            new.copy_from_slice(&before[product.rest * stride..][..stride]);
            T::multiply(new, pushed);
        }
        evaluated
    }
}

/// Returns A of a partition as a strictly lower triangular matrix, since the pair is explicit.
#[inline(always)]
fn triangle<'a, T: WeightNumber>(
    at: &'a PairCoefficients<T>,
    columns: &'a [T],
    partition: usize,
) -> LowerTriangle<'a, T> {
    let (stages, stride) = (at.stages, at.stride());
    LowerTriangle {
        stages,
        stride,
        rows: &at.entries[at.row_offset(partition, 0)..][..stages * stride],
        columns: &columns[partition * stages * stride..][..stages * stride],
        occupied: &at.occupied[partition],
    }
}

/// The values of all forests at one point.
pub(crate) struct EvaluatedForests<'a, T: WeightNumber = f64> {
    forests: &'a Forests,
    at: &'a PairCoefficients<T>,
    columns: Vec<T>,
    psi: Vec<T>,
    /// AΨ of the branch of each product.
    pushed: Vec<T>,
}

impl<T: WeightNumber> Drop for EvaluatedForests<'_, T> {
    fn drop(&mut self) {
        T::returned(take(&mut self.psi));
        T::returned(take(&mut self.pushed));
    }
}

/// Length of the longest padded vector of stages.
const LONGEST: usize = MOST_STAGES.next_multiple_of(WIDTH);

impl<T: WeightNumber> EvaluatedForests<'_, T> {
    #[inline(always)]
    fn psi(&self, forest: usize) -> &[T] {
        let stride = self.at.stride();
        &self.psi[forest * stride..][..stride]
    }

    /// Computes Φ = bᵀΨ of the tree that consists of a root of this color on a forest.
    #[inline(always)]
    pub(crate) fn weight(&self, color: usize, forest: usize) -> T {
        T::dot(self.at.b(color), self.psi(forest))
    }

    /// Adds ∂Φ/∂(A, b) to a gradient.
    #[inline(always)]
    pub(crate) fn add_gradient(&self, color: usize, forest: usize, gradient: &mut PairCoefficients<T>) {
        let stride = self.at.stride();
        let b = gradient.row_offset(color, self.at.stages);
        T::accumulate(&mut gradient.entries[b..][..stride], T::from(1.0), self.psi(forest));
        // Stack of branches with the derivatives with respect to their Ψ, processed after the forest below them.
        let mut waiting = vec![(forest, [T::from(0.0); LONGEST])];
        waiting[0].1[..stride].copy_from_slice(self.at.b(color));
        let mut slope = [T::from(0.0); LONGEST];
        while let Some((mut forest, mut adjoint)) = waiting.pop() {
            while forest > 0 {
                let product = self.forests.products[forest - 1];
                let mut below = [T::from(0.0); LONGEST];
                self.pass(product, &adjoint[..stride], gradient, [&mut slope[..stride], &mut below[..stride]]);
                if product.branch > 0 {
                    waiting.push((product.branch, below));
                }
                T::multiply(&mut adjoint[..stride], &self.pushed[(forest - 1) * stride..][..stride]);
                forest = product.rest;
            }
        }
    }

    /// Computes Σ weight·∂Φ/∂(A, b) over trees in one backward sweep over all forests.
    #[inline(always)]
    pub(crate) fn gradient_of_sum(&self, terms: impl Iterator<Item = (usize, usize, T)>) -> PairCoefficients<T> {
        let stride = self.at.stride();
        let mut gradient = PairCoefficients::zero(self.at.stages);
        let mut adjoints = T::taken(self.psi.len());
        adjoints.fill(T::from(0.0));
        for (color, forest, weight) in terms {
            let b = gradient.row_offset(color, self.at.stages);
            T::accumulate(&mut gradient.entries[b..][..stride], weight, self.psi(forest));
            T::accumulate(&mut adjoints[forest * stride..][..stride], weight, self.at.b(color));
        }
        let (mut slope, mut below) = ([T::from(0.0); LONGEST], [T::from(0.0); LONGEST]);
        let (slope, below) = (&mut slope[..stride], &mut below[..stride]);
        for (k, &product) in self.forests.products.iter().enumerate().rev() {
            let (before, rest) = adjoints.split_at_mut((k + 1) * stride);
            let adjoint = &mut rest[..stride];
            self.pass(product, adjoint, &mut gradient, [slope, below]);
            T::accumulate(&mut before[product.branch * stride..][..stride], T::from(1.0), below);
            T::multiply(adjoint, &self.pushed[k * stride..][..stride]);
            T::accumulate(&mut before[product.rest * stride..][..stride], T::from(1.0), adjoint);
        }
        T::returned(adjoints);
        gradient
    }

    /// Adds the derivatives with respect to A that pass through a product, and computes those with respect to Ψ of
    /// its branch.
    #[inline(always)]
    fn pass(
        &self,
        product: ForestProduct,
        adjoint: &[T],
        gradient: &mut PairCoefficients<T>,
        [slope, below]: [&mut [T]; 2],
    ) {
        let ForestProduct { rest, color, branch } = product;
        let stride = self.at.stride();
        slope.copy_from_slice(adjoint);
        T::multiply(slope, self.psi(rest));
        let a = gradient.row_offset(color, 0);
        let own = &mut gradient.entries[a..][..self.at.stages * stride];
        T::pull(&triangle(self.at, &self.columns, color), slope, self.psi(branch), own, below);
    }
}
