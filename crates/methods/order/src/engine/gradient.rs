//! Derivatives of elementary weights with respect to all coefficients, by the adjoint of the recursion.

use hemiola_tableau::{Butcher, Scalar, Tableau, dot};

use crate::trees::grammar::NodeKind;
use crate::trees::tree::Tree;

/// Computes Φ(t) and ∂Φ(t)/∂(A, b) in the shape of the tableau. In place of c it has the derivatives with respect
/// to the abscissae of time leaves.
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
    let NodeKind::Partition(color) = tree.kind() else {
        return (T::zero(), gradient);
    };
    let node = SweptNode::new(tree, tableau);
    let b = &tableau.partitions[color].b;
    gradient.partitions[color].b.clone_from_slice(&node.psi);
    node.descend(b, tableau, &mut gradient);
    (dot(b, &node.psi), gradient)
}

/// Iterates over all entries (A, b, c) of all partitions in a fixed order.
pub(crate) fn entries<T>(tableau: &Tableau<T>) -> impl Iterator<Item = &T> {
    tableau.partitions.iter().flat_map(|butcher| butcher.a.iter().flatten().chain(&butcher.b).chain(&butcher.c))
}

/// A node with the results of the forward sweep.
struct SweptNode<T> {
    kind: NodeKind,
    /// Ψ of the node.
    psi: Vec<T>,
    /// The node's contribution to its parent: AΨ, or c.
    pushed: Vec<T>,
    children: Vec<SweptNode<T>>,
}

impl<T: Scalar> SweptNode<T> {
    fn new(tree: &Tree, tableau: &Tableau<T>) -> Self {
        let children: Vec<Self> = tree.children().iter().map(|child| Self::new(child, tableau)).collect();
        let mut psi = vec![T::one(); tableau.stages()];
        for child in &children {
            multiply(&mut psi, &child.pushed);
        }
        let pushed = match tree.kind() {
            NodeKind::Partition(color) => tableau.partitions[color].times(&psi),
            NodeKind::Time(color) => tableau.partitions[color].c.clone(),
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
                NodeKind::Time(color) => add(&mut gradient.partitions[color].c, &factor, &T::one()),
                NodeKind::Partition(color) => {
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

/// [`value_and_gradient`] in doubles for many trees, bit by bit. It skips zeros of A and the derivatives with
/// respect to them.
pub(crate) struct SparseGradients {
    stages: usize,
    /// For each partition and row of A, the nonzero columns with their entries.
    rows: Vec<Vec<Vec<(usize, f64)>>>,
    weights: Vec<Vec<f64>>,
    abscissae: Vec<Vec<f64>>,
}

/// A node of a tree in preorder, with the number of nodes of its subtree.
struct PreorderNode {
    kind: NodeKind,
    parent: usize,
    size: usize,
}

impl SparseGradients {
    /// Prepares a tableau. Zeros with nonzero `deltas` may change and are kept.
    pub(crate) fn new(tableau: &Tableau<f64>, deltas: &Tableau<f64>) -> Self {
        let sparse = |(row, deltas): (&Vec<f64>, &Vec<f64>)| {
            let changes = |&(j, a): &(usize, f64)| a != 0.0 || deltas[j] != 0.0;
            row.iter().copied().enumerate().filter(changes).collect()
        };
        let of =
            |(butcher, deltas): (&Butcher<f64>, &Butcher<f64>)| butcher.a.iter().zip(&deltas.a).map(sparse).collect();
        Self {
            stages: tableau.stages(),
            rows: tableau.partitions.iter().zip(&deltas.partitions).map(of).collect(),
            weights: tableau.partitions.iter().map(|butcher| butcher.b.clone()).collect(),
            abscissae: tableau.partitions.iter().map(|butcher| butcher.c.clone()).collect(),
        }
    }

    /// Computes ∂Φ(t)/∂(A, b, c) in the order of [`entries`].
    pub(crate) fn of(&self, tree: &Tree) -> Vec<f64> {
        let s = self.stages;
        let mut gradient = vec![0.0; self.rows.len() * s * (s + 2)];
        let NodeKind::Partition(color) = tree.kind() else { return gradient };
        let mut places = Vec::new();
        preorder(tree, 0, &mut places);
        // Ψ, the contribution of each node to its parent, and the derivative with respect to Ψ.
        let mut psi = vec![1.0; places.len() * s];
        let mut pushed = vec![0.0; places.len() * s];
        let mut adjoint = vec![0.0; places.len() * s];
        for k in (0..places.len()).rev() {
            let own = &mut psi[k * s..][..s];
            children(&places, k).for_each(|child| multiply(own, &pushed[child * s..][..s]));
            self.push(places[k].kind, own, &mut pushed[k * s..][..s]);
        }
        gradient[self.offset(color) + s * s..][..s].copy_from_slice(&psi[..s]);
        adjoint[..s].copy_from_slice(&self.weights[color]);
        for k in 1..places.len() {
            let PreorderNode { kind, parent, .. } = places[k];
            let (above, below) = adjoint.split_at_mut(k * s);
            let mut factor = above[parent * s..][..s].to_vec();
            let others = children(&places, parent).filter(|other| *other != k);
            others.for_each(|other| multiply(&mut factor, &pushed[other * s..][..s]));
            match kind {
                NodeKind::Time(color) => add(&mut gradient[self.offset(color) + s * (s + 1)..][..s], &factor, &1.0),
                NodeKind::Partition(color) => {
                    let (slopes, psi, below) = (&mut gradient[self.offset(color)..], &psi[k * s..], &mut below[..s]);
                    for (i, (row, factor)) in self.rows[color].iter().zip(&factor).enumerate() {
                        for &(j, a) in row {
                            slopes[i * s + j] += factor * psi[j];
                            below[j] += factor * a;
                        }
                    }
                }
            }
        }
        gradient
    }

    fn offset(&self, partition: usize) -> usize {
        partition * self.stages * (self.stages + 2)
    }

    fn push(&self, kind: NodeKind, psi: &[f64], into: &mut [f64]) {
        match kind {
            NodeKind::Time(color) => into.copy_from_slice(&self.abscissae[color]),
            NodeKind::Partition(color) => {
                let product = |row: &Vec<(usize, f64)>| row.iter().fold(0.0, |sum, &(j, a)| sum + a * psi[j]);
                into.iter_mut().zip(&self.rows[color]).for_each(|(into, row)| *into = product(row));
            }
        }
    }
}

/// Appends the nodes of a tree and returns their number.
fn preorder(tree: &Tree, parent: usize, places: &mut Vec<PreorderNode>) -> usize {
    let own = places.len();
    places.push(PreorderNode { kind: tree.kind(), parent, size: 1 });
    places[own].size += tree.children().iter().map(|child| preorder(child, own, places)).sum::<usize>();
    places[own].size
}

fn children(places: &[PreorderNode], parent: usize) -> impl Iterator<Item = usize> {
    let end = parent + places[parent].size;
    let first = (parent + 1 < end).then_some(parent + 1);
    std::iter::successors(first, move |child| Some(child + places[*child].size).filter(|next| *next < end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::enumerate::Trees;
    use crate::trees::grammar::Grammar;

    #[test]
    fn sparse_gradients_have_the_bits_of_plain_ones() {
        let method = |id| hemiola_tableau::library::method(id).unwrap().to_f64();
        for (grammar, tableau, order) in [
            (Grammar::partitioned(2), method("shome-haug-jay-2-5"), 5),
            (Grammar::non_autonomous(2), method("lobatto-iiia-iiib-3"), 4),
            (Grammar::partitioned(1), method("dormand-prince-8"), 9),
        ] {
            let trees = Trees::new(&grammar, order).unwrap();
            let sparse = SparseGradients::new(&tableau, &tableau);
            let nonzero: Vec<bool> = entries(&tableau).map(|x| *x != 0.0).collect();
            for tree in (1..=order).flat_map(|order| trees.of_order(order)).map(|id| trees.tree(id)) {
                let (_, plain) = value_and_gradient(&tree, &tableau);
                let found = sparse.of(&tree);
                let kept = |(k, x): (usize, &f64)| nonzero[k].then_some(x.to_bits());
                let plain: Vec<u64> = entries(&plain).enumerate().filter_map(kept).collect();
                assert_eq!(found.iter().enumerate().filter_map(kept).collect::<Vec<_>>(), plain);
            }
        }
    }
}
