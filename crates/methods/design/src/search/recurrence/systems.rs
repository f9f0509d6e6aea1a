//! The conditions and errors of pairs with a given fast polynomial.

use hemiola_order::{NodeKind, Tree};

use crate::conditions::elementary_weights::WeightSystem;
use crate::conditions::equations::Conditions;
use crate::pair::partitions::FAST;

/// The equations that the fast polynomial does not satisfy by itself.
pub(crate) struct Systems {
    pub(crate) conditions: WeightSystem,
    pub(crate) errors: WeightSystem,
}

impl Systems {
    /// Collects the conditions up to an order and the errors of the next; `shared` says whether abscissae are common.
    pub(crate) fn new(conditions: &Conditions, order: usize, shared: bool) -> Self {
        let trees = (1..=order).flat_map(|n| conditions.trees_of_order(n)).collect();
        let mut system = WeightSystem::default();
        for (tree, _) in distinct(trees, shared) {
            if !is_tall(&tree) {
                system.push_tree(&tree, 1.0);
            }
        }
        let mut errors = WeightSystem::default();
        for (tree, square) in distinct(conditions.trees_of_order(order + 1), shared) {
            errors.push_tree(&tree, square.sqrt());
        }
        Self { conditions: system, errors }
    }
}

/// Returns trees that differ in more than the colors of leaves, if these do not matter, with the sum of 1/σ² over all
/// trees of each kind.
fn distinct(trees: Vec<Tree>, shared: bool) -> Vec<(Tree, f64)> {
    let mut found: Vec<(Tree, f64)> = Vec::new();
    for tree in trees {
        let square = (tree.symmetry() as f64).powi(-2);
        let tree = if shared { with_fast_leaves(&tree) } else { tree };
        match found.iter_mut().find(|(other, _)| *other == tree) {
            Some((_, sum)) => *sum += square,
            None => found.push((tree, square)),
        }
    }
    found
}

/// Returns a tree whose leaves other than the root are fast.
fn with_fast_leaves(tree: &Tree) -> Tree {
    let child = |child: &Tree| match child.children() {
        [] => Tree::new(NodeKind::Partition(FAST), Vec::new()),
        _ => with_fast_leaves(child),
    };
    Tree::new(tree.kind(), tree.children().iter().map(child).collect())
}

/// Returns whether a tree is fast and has no branches, so that the polynomial determines its weight.
fn is_tall(tree: &Tree) -> bool {
    tree.is_monochromatic(FAST) && tree.children().len() <= 1 && tree.children().iter().all(is_tall)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specification::Specification;

    #[test]
    fn leaves_count_once_with_common_abscissae() {
        let specification = Specification::new(4, 6, None).unwrap();
        let conditions = Conditions::new(&specification).unwrap();
        let counts = [false, true].map(|shared| Systems::new(&conditions, 4, shared).conditions.count());
        // Of 2 + 4 + 14 + 52 trees, four are fast and tall; 24 differ otherwise.
        assert_eq!(counts, [68, 24]);
    }
}
