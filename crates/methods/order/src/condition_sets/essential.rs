//! The conditions that remain if partitions share their abscissae or their weights.

use crate::error::OrderError;
use crate::trees::enumerate::Trees;
use crate::trees::grammar::{Grammar, NodeKind};
use crate::trees::tree::Tree;

/// The coefficients that the partitions of a method share.
///
/// ```
/// use hemiola_order::SharedCoefficients;
/// let pair = hemiola_tableau::library::method("ars-4-4-3-shared-weights").unwrap().exact();
/// assert_eq!(SharedCoefficients::of(&pair), SharedCoefficients { abscissae: true, weights: true });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedCoefficients {
    /// Equal abscissae c = ĉ, as row sums: trees that differ only in the colors of leaves other than the root
    /// have the same condition.
    pub abscissae: bool,
    /// Equal weights b = b̂: trees that differ only in the color of the root have the same condition.
    pub weights: bool,
}

impl SharedCoefficients {
    /// Determines the coefficients that the partitions of a tableau share exactly.
    #[must_use]
    pub fn of<T: hemiola_tableau::Scalar + PartialEq>(tableau: &hemiola_tableau::Tableau<T>) -> Self {
        let neighbors = || tableau.partitions.windows(2);
        Self {
            abscissae: neighbors().all(|pair| pair[0].row_sums() == pair[1].row_sums()),
            weights: neighbors().all(|pair| pair[0].b == pair[1].b),
        }
    }
}

/// Returns one tree for each distinct condition of an order. It is the tree with the first color at all leaves (if
/// abscissae are shared) and at the root (if weights are shared).
///
/// ```
/// use hemiola_order::{SharedCoefficients, essential_trees};
/// let count = |abscissae, weights| essential_trees(2, 4, SharedCoefficients { abscissae, weights }).unwrap().len();
/// assert_eq!([count(false, false), count(true, false), count(false, true), count(true, true)], [52, 18, 26, 9]);
/// ```
///
/// # Errors
/// Returns an [`OrderError`] if the order is out of range or there are too many trees.
pub fn essential_trees(partitions: usize, order: usize, shared: SharedCoefficients) -> Result<Vec<Tree>, OrderError> {
    let trees = Trees::new(&Grammar::partitioned(partitions), order)?;
    let is_first = |tree: &Tree| tree.kind() == NodeKind::Partition(0);
    let all = trees.of_order(order).into_iter().map(|id| trees.tree(id));
    let with_roots = all.filter(|tree| !shared.weights || is_first(tree));
    Ok(with_roots.filter(|tree| !shared.abscissae || tree.children().iter().all(has_first_leaves)).collect())
}

fn has_first_leaves(tree: &Tree) -> bool {
    match tree.children() {
        [] => tree.kind() == NodeKind::Partition(0),
        children => children.iter().all(has_first_leaves),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StageSolution, Weights};
    use hemiola_tableau::{Exact, library};
    use std::collections::HashSet;

    #[test]
    fn counts_agree_with_generating_functions() {
        // tests/data/tree_counts.json: prk_conditions_general, _c_eq_chat, _b_eq_bhat and _b_eq_bhat_and_c_eq_chat.
        for (abscissae, weights, expected) in [
            (false, false, [2, 4, 14, 52, 214, 916, 4116]),
            (true, false, [2, 2, 6, 18, 60, 204, 734]),
            (false, true, [1, 2, 7, 26, 107, 458, 2058]),
            (true, true, [1, 1, 3, 9, 30, 102, 367]),
        ] {
            let count = |order| essential_trees(2, order, SharedCoefficients { abscissae, weights }).unwrap().len();
            assert_eq!([1, 2, 3, 4, 5, 6, 7].map(count), expected);
        }
    }

    #[test]
    fn the_trees_that_are_left_have_all_values() {
        for id in ["kennedy-carpenter-ark-3-2-4", "imex-ssp2-222", "ars-2-2-2"] {
            let tableau = library::method(id).unwrap().exact();
            let shared = SharedCoefficients::of(&tableau);
            let trees = Trees::new(&Grammar::partitioned(2), 4).unwrap();
            let mut weights = Weights::new(&trees, &tableau, StageSolution::Solved);
            let mut value = |id| format!("{:?}", weights.residual(id) as Exact);
            let essential: HashSet<Tree> = essential_trees(2, 4, shared).unwrap().into_iter().collect();
            let (kept, left): (Vec<_>, Vec<_>) =
                trees.of_order(4).into_iter().partition(|id| essential.contains(&trees.tree(*id)));
            let values: HashSet<String> = kept.into_iter().map(&mut value).collect();
            assert!(left.into_iter().all(|id| values.contains(&value(id))), "{id}: {shared:?}");
        }
    }
}
