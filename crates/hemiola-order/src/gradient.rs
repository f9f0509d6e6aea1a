//! Derivatives of elementary weights with respect to all coefficients, by the adjoint of the recursion.

use hemiola_tableau::{Butcher, Tableau, dot};

use crate::grammar::Kind;
use crate::tree::Tree;

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
pub fn value_and_gradient(tree: &Tree, tableau: &Tableau<f64>) -> (f64, Tableau<f64>) {
    let s = tableau.stages();
    let zero = Butcher { a: vec![vec![0.0; s]; s], b: vec![0.0; s], c: vec![0.0; s] };
    let mut gradient = Tableau { partitions: vec![zero; tableau.partitions.len()] };
    let Kind::Partition(colour) = tree.kind() else {
        return (0.0, gradient);
    };
    let node = Node::new(tree, tableau);
    let b = &tableau.partitions[colour].b;
    gradient.partitions[colour].b.copy_from_slice(&node.psi);
    node.descend(b, tableau, &mut gradient);
    (dot(b, &node.psi), gradient)
}

/// A node with what the forward sweep computes for it.
struct Node {
    kind: Kind,
    /// Ψ of the node.
    psi: Vec<f64>,
    /// What the node contributes to its parent: AΨ, or c.
    pushed: Vec<f64>,
    children: Vec<Node>,
}

impl Node {
    fn new(tree: &Tree, tableau: &Tableau<f64>) -> Self {
        let children: Vec<Self> = tree.children().iter().map(|child| Self::new(child, tableau)).collect();
        let mut psi = vec![1.0; tableau.stages()];
        for child in &children {
            multiply(&mut psi, &child.pushed);
        }
        let pushed = match tree.kind() {
            Kind::Partition(colour) => tableau.partitions[colour].times(&psi),
            Kind::Time(colour) => tableau.partitions[colour].c.clone(),
        };
        Self { kind: tree.kind(), psi, pushed, children }
    }

    /// Adds the derivatives that pass through the children, given those with respect to Ψ.
    fn descend(&self, adjoint: &[f64], tableau: &Tableau<f64>, gradient: &mut Tableau<f64>) {
        for (l, child) in self.children.iter().enumerate() {
            let mut factor = adjoint.to_vec();
            let others = self.children.iter().enumerate().filter(|(k, _)| *k != l);
            others.for_each(|(_, other)| multiply(&mut factor, &other.pushed));
            match child.kind {
                Kind::Time(colour) => add(&mut gradient.partitions[colour].c, &factor, 1.0),
                Kind::Partition(colour) => {
                    let mut below = vec![0.0; factor.len()];
                    let rows = gradient.partitions[colour].a.iter_mut().zip(&tableau.partitions[colour].a);
                    for ((slope, row), &factor) in rows.zip(&factor) {
                        add(slope, &child.psi, factor);
                        add(&mut below, row, factor);
                    }
                    child.descend(&below, tableau, gradient);
                }
            }
        }
    }
}

fn multiply(product: &mut [f64], x: &[f64]) {
    product.iter_mut().zip(x).for_each(|(product, x)| *product *= x);
}

fn add(sum: &mut [f64], x: &[f64], factor: f64) {
    sum.iter_mut().zip(x).for_each(|(sum, x)| *sum += factor * x);
}
