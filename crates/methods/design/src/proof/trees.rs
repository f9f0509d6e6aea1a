//! Trees of the conditions, and their elementary weights in any number type.

use hemiola_order::{Grammar, NodeKind, OrderError, Tree, Trees};
use hemiola_tableau::{Scalar, Tableau, dot};

use crate::pair::partitions::LABELS;

/// Returns all trees up to an order, smallest first.
pub(crate) fn trees(partitions: usize, order: usize) -> Result<Vec<Tree>, OrderError> {
    let trees = Trees::new(&Grammar::partitioned(partitions), order)?;
    Ok((1..=order).flat_map(|n| trees.of_order(n)).map(|id| trees.tree(id)).collect())
}

/// Returns whether all nodes of a tree are slow or fast.
pub(crate) fn is_colored(tree: &Tree) -> bool {
    matches!(tree.kind(), NodeKind::Partition(color) if color < LABELS.len()) && tree.children().iter().all(is_colored)
}

/// Computes Ψ(t), the product of the contributions of the subtrees at each stage.
pub(crate) fn psi<T: Scalar>(tree: &Tree, tableau: &Tableau<T>) -> Vec<T> {
    let mut product = vec![T::one(); tableau.stages()];
    for child in tree.children() {
        if let NodeKind::Partition(color) = child.kind() {
            let pushed = tableau.partitions[color].times(&psi(child, tableau));
            product.iter_mut().zip(pushed).for_each(|(x, y)| *x = x.clone() * y);
        }
    }
    product
}

/// Computes the elementary weight Σᵢ bᵢΨᵢ(t).
pub(crate) fn weight<T: Scalar>(tree: &Tree, tableau: &Tableau<T>) -> T {
    let NodeKind::Partition(root) = tree.kind() else { return T::zero() };
    dot(&tableau.partitions[root].b, &psi(tree, tableau))
}

/// Returns the tree of a partition whose elementary weight is bᵀAᵏ⁻¹𝟙.
pub(crate) fn chain(partition: usize, k: usize) -> Tree {
    let node = |children| Tree::new(NodeKind::Partition(partition), children);
    (1..k).fold(node(Vec::new()), |tree, _| node(vec![tree]))
}

/// Computes Σᵢ wᵢ aᵢⱼ for each stage j.
pub(crate) fn transposed_times<T: Scalar>(a: &[Vec<T>], w: &[T]) -> Vec<T> {
    let column = |j: usize| a.iter().map(|row| row[j].clone()).collect::<Vec<T>>();
    (0..w.len()).map(|j| dot(&column(j), w)).collect()
}
