//! Derivatives of elementary weights with respect to all coefficients, by the adjoint of the recursion.

use hemiola_tableau::{Butcher, Scalar, Tableau, dot};

use crate::trees::grammar::Kind;
use crate::trees::tree::Tree;

/// Φ(t) and ∂Φ(t)/∂(A, b) in the shape of the tableau; in place of c stand the derivatives with respect to the abscissae
/// that time leaves use.
///
/// ```
/// use hemiola_order::{Tree, value_and_gradient};
/// let heun = hemiola_tableau::library::method("heun-2").unwrap().to_f64();
/// let tree = Tree::parse("[τ]", &["all"]).unwrap();
/// // Σ bᵢaᵢⱼ: its derivative with respect to a₂₁ is b₂.
/// let (value, gradient) = value_and_gradient(&tree, &heun);
/// assert_eq!((value, gradient.partitions[0].a[1][0]), (0.5, 0.5));
/// ```
#[must_use]
pub fn value_and_gradient<T: Scalar>(tree: &Tree, tableau: &Tableau<T>) -> (T, Tableau<T>) {
    let s = tableau.stages();
    let zeros = || vec![T::zero(); s];
    let zero = Butcher { a: vec![zeros(); s], b: zeros(), c: zeros() };
    let mut gradient = Tableau { partitions: vec![zero; tableau.partitions.len()] };
    let Kind::Partition(color) = tree.kind() else {
        return (T::zero(), gradient);
    };
    let node = Node::new(tree, tableau);
    let b = &tableau.partitions[color].b;
    gradient.partitions[color].b.clone_from_slice(&node.psi);
    node.descend(b, tableau, &mut gradient);
    (dot(b, &node.psi), gradient)
}

/// All entries (A, b, c) of all partitions in a fixed sequence.
pub(crate) fn entries<T>(tableau: &Tableau<T>) -> impl Iterator<Item = &T> {
    tableau.partitions.iter().flat_map(|butcher| butcher.a.iter().flatten().chain(&butcher.b).chain(&butcher.c))
}

/// A node with what the forward sweep computes for it.
struct Node<T> {
    kind: Kind,
    /// Ψ of the node.
    psi: Vec<T>,
    /// What the node contributes to its parent: AΨ, or c.
    pushed: Vec<T>,
    children: Vec<Node<T>>,
}

impl<T: Scalar> Node<T> {
    fn new(tree: &Tree, tableau: &Tableau<T>) -> Self {
        let children: Vec<Self> = tree.children().iter().map(|child| Self::new(child, tableau)).collect();
        let mut psi = vec![T::one(); tableau.stages()];
        for child in &children {
            multiply(&mut psi, &child.pushed);
        }
        let pushed = match tree.kind() {
            Kind::Partition(color) => tableau.partitions[color].times(&psi),
            Kind::Time(color) => tableau.partitions[color].c.clone(),
        };
        Self { kind: tree.kind(), psi, pushed, children }
    }

    /// Adds the derivatives that pass through the children, given those with respect to Ψ.
    fn descend(&self, adjoint: &[T], tableau: &Tableau<T>, gradient: &mut Tableau<T>) {
        for (l, child) in self.children.iter().enumerate() {
            let mut factor = adjoint.to_vec();
            let others = self.children.iter().enumerate().filter(|(k, _)| *k != l);
            others.for_each(|(_, other)| multiply(&mut factor, &other.pushed));
            match child.kind {
                Kind::Time(color) => add(&mut gradient.partitions[color].c, &factor, &T::one()),
                Kind::Partition(color) => {
                    let mut below = vec![T::zero(); factor.len()];
                    let rows = gradient.partitions[color].a.iter_mut().zip(&tableau.partitions[color].a);
                    for ((slope, row), factor) in rows.zip(&factor) {
                        add(slope, &child.psi, factor);
                        add(&mut below, row, factor);
                    }
                    child.descend(&below, tableau, gradient);
                }
            }
        }
    }
}

fn multiply<T: Scalar>(product: &mut [T], x: &[T]) {
    product.iter_mut().zip(x).for_each(|(product, x)| *product = product.clone() * x.clone());
}

fn add<T: Scalar>(sum: &mut [T], x: &[T], factor: &T) {
    sum.iter_mut().zip(x).for_each(|(sum, x)| *sum += factor.clone() * x.clone());
}
