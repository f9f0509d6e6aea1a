//! Elementary weights of many trees and their derivatives, with all that the trees share computed once.
//!
//! A forest is a smaller forest and one branch more: Ψ(u₁…u_m) = Ψ(u₁…u_{m−1}) ∘ AΨ(children of u_m). Read backwards,
//! the same products carry derivatives from the root down to every coefficient.

use std::collections::HashMap;

use hemiola_order::{Kind, Tree};

use crate::lanes::Number;
use crate::specification::MOST_STAGES;

/// The coefficients of both partitions in one row each: A row by row, then b.
#[derive(Clone, Debug)]
pub(crate) struct Coefficients<T = f64> {
    pub(crate) stages: usize,
    pub(crate) entries: Vec<T>,
}

impl<T: Number> Coefficients<T> {
    pub(crate) fn zero(stages: usize) -> Self {
        Self { stages, entries: vec![T::from(0.0); 2 * stages * (stages + 1)] }
    }

    /// Where a row of A of a partition begins; the row after the last is b.
    pub(crate) fn at(&self, partition: usize, row: usize) -> usize {
        (partition * (self.stages + 1) + row) * self.stages
    }

    /// A row of A of a partition, or b after the last.
    pub(crate) fn row(&self, partition: usize, row: usize) -> &[T] {
        let at = self.at(partition, row);
        &self.entries[at..at + self.stages]
    }

    fn b(&self, partition: usize) -> &[T] {
        self.row(partition, self.stages)
    }

    fn add(&mut self, partition: usize, row: usize, factor: T, x: &[T]) {
        let at = self.at(partition, row);
        add(&mut self.entries[at..], factor, x);
    }
}

/// A forest: another one, and a branch whose root has a colour and a forest above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Product {
    rest: usize,
    colour: usize,
    branch: usize,
}

/// Forests by number, from the empty one, which is number 0; each is made of earlier ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forests {
    products: Vec<Product>,
    numbers: HashMap<Product, usize>,
}

impl Forests {
    /// The root's colour and the number of the forest that remains without the root.
    pub(crate) fn tree(&mut self, tree: &Tree) -> (usize, usize) {
        let forest = tree.children().iter().fold(0, |rest, child| {
            let (colour, branch) = self.tree(child);
            self.product(rest, colour, branch)
        });
        // Abscissae of time do not occur in the conditions of autonomous systems.
        let (Kind::Partition(colour) | Kind::Time(colour)) = tree.kind();
        (colour, forest)
    }

    /// The forest of the tall tree with so many nodes of one colour: Φ = bᵀA^{nodes−1}𝟙.
    pub(crate) fn tall(&mut self, colour: usize, nodes: usize) -> usize {
        (1..nodes).fold(0, |branch, _| self.product(0, colour, branch))
    }

    fn product(&mut self, rest: usize, colour: usize, branch: usize) -> usize {
        let product = Product { rest, colour, branch };
        *self.numbers.entry(product).or_insert_with(|| {
            self.products.push(product);
            self.products.len()
        })
    }

    /// Ψ of every forest.
    pub(crate) fn evaluate<'a, T: Number>(&'a self, at: &'a Coefficients<T>) -> Evaluated<'a, T> {
        let s = at.stages;
        let count = self.products.len();
        let mut psi = vec![T::from(1.0); (count + 1) * s];
        let mut pushed = vec![T::from(0.0); count * s];
        for (k, product) in self.products.iter().enumerate() {
            let (before, rest) = psi.split_at_mut((k + 1) * s);
            let (new, pushed) = (&mut rest[..s], &mut pushed[k * s..][..s]);
            let (other, branch) = (&before[product.rest * s..][..s], &before[product.branch * s..][..s]);
            for i in 0..s {
                // The pair is explicit.
                pushed[i] = dot(&at.row(product.colour, i)[..i], &branch[..i]);
                new[i] = other[i] * pushed[i];
            }
        }
        Evaluated { forests: self, at, psi, pushed }
    }
}

/// All forests at one point.
pub(crate) struct Evaluated<'a, T = f64> {
    forests: &'a Forests,
    at: &'a Coefficients<T>,
    psi: Vec<T>,
    /// AΨ of each product's branch.
    pushed: Vec<T>,
}

impl<T: Number> Evaluated<'_, T> {
    fn psi(&self, forest: usize) -> &[T] {
        &self.psi[forest * self.at.stages..][..self.at.stages]
    }

    /// Φ = bᵀΨ of the tree with a root of this colour on a forest.
    pub(crate) fn weight(&self, colour: usize, forest: usize) -> T {
        dot(self.at.b(colour), self.psi(forest))
    }

    /// Adds ∂Φ/∂(A, b).
    pub(crate) fn add_gradient(&self, colour: usize, forest: usize, gradient: &mut Coefficients<T>) {
        gradient.add(colour, self.at.stages, T::from(1.0), self.psi(forest));
        let mut adjoint = [T::from(0.0); MOST_STAGES];
        adjoint[..self.at.stages].copy_from_slice(self.at.b(colour));
        self.descend(forest, adjoint, gradient);
    }

    /// Carries derivatives with respect to Ψ of a forest on to the coefficients in its branches.
    fn descend(&self, mut forest: usize, mut adjoint: [T; MOST_STAGES], gradient: &mut Coefficients<T>) {
        while forest > 0 {
            let product = self.forests.products[forest - 1];
            let below = self.pass(product, &adjoint, gradient);
            if product.branch > 0 {
                self.descend(product.branch, below, gradient);
            }
            multiply(&mut adjoint[..self.at.stages], &self.pushed[(forest - 1) * self.at.stages..]);
            forest = product.rest;
        }
    }

    /// Σ weight·∂Φ/∂(A, b) over trees, in one backward sweep over all forests.
    pub(crate) fn gradient_of_sum(&self, terms: impl Iterator<Item = (usize, usize, T)>) -> Coefficients<T> {
        let s = self.at.stages;
        let mut gradient = Coefficients::zero(s);
        let mut adjoints = vec![T::from(0.0); self.psi.len()];
        for (colour, forest, weight) in terms {
            gradient.add(colour, s, weight, self.psi(forest));
            add(&mut adjoints[forest * s..], weight, self.at.b(colour));
        }
        for (k, &product) in self.forests.products.iter().enumerate().rev() {
            let (before, rest) = adjoints.split_at_mut((k + 1) * s);
            let adjoint = &mut rest[..s];
            let below = self.pass(product, adjoint, &mut gradient);
            add(&mut before[product.branch * s..], T::from(1.0), &below[..s]);
            multiply(adjoint, &self.pushed[k * s..]);
            add(&mut before[product.rest * s..], T::from(1.0), adjoint);
        }
        gradient
    }

    /// The share of A in the derivatives that arrive at a product; returns those with respect to Ψ of its branch.
    fn pass(&self, product: Product, adjoint: &[T], gradient: &mut Coefficients<T>) -> [T; MOST_STAGES] {
        let Product { rest, colour, branch } = product;
        let (other, branch) = (self.psi(rest), self.psi(branch));
        let mut below = [T::from(0.0); MOST_STAGES];
        for i in 1..self.at.stages {
            let factor = adjoint[i] * other[i];
            gradient.add(colour, i, factor, &branch[..i]);
            add(&mut below, factor, &self.at.row(colour, i)[..i]);
        }
        below
    }
}

fn dot<T: Number>(x: &[T], y: &[T]) -> T {
    x.iter().zip(y).fold(T::from(0.0), |sum, (&x, &y)| sum + x * y)
}

fn add<T: Number>(sum: &mut [T], factor: T, x: &[T]) {
    sum.iter_mut().zip(x).for_each(|(sum, &x)| *sum += factor * x);
}

fn multiply<T: Number>(product: &mut [T], x: &[T]) {
    product.iter_mut().zip(x).for_each(|(product, &x)| *product = *product * x);
}
