//! The conditions that remain under the simplifying assumptions C(q) and D(r).
//!
//! C(q) replaces a node whose only children are k − 1 < q leaves by k leaves. D(r) replaces a root that has, besides k
//! − 1 < r leaves, a single child t by the trees t, and t with k more leaves, both of t's color. The conditions that
//! neither assumption changes imply all others; this is proved (Butcher 1964; Hairer & Wanner 1996, §IV.5).

use crate::error::OrderError;
use crate::trees::enumerate::Trees;
use crate::trees::grammar::Grammar;
use crate::trees::tree::Tree;

/// Returns the trees of an order whose conditions remain for methods with C(q) and D(r).
///
/// For several partitions, C(q) and D(r) are the coupled assumptions
/// ([`simplifying_assumptions`](crate::simplifying_assumptions)). Together with the trees of lower order, the returned
/// ones imply all others.
///
/// ```
/// use hemiola_order::reduced_trees;
/// // C(2) and D(1) leave nothing but quadrature up to order 4 = q + r + 1.
/// let left: Vec<String> = reduced_trees(1, 4, 2, 1).unwrap().iter().map(|tree| tree.text(&["all"])).collect();
/// assert_eq!(left, ["[τ,τ,τ]"]);
/// ```
///
/// # Errors
/// Returns an [`OrderError`] if the order is out of range or there are too many trees.
pub fn reduced_trees(partitions: usize, order: usize, q: usize, r: usize) -> Result<Vec<Tree>, OrderError> {
    let trees = Trees::new(&Grammar::partitioned(partitions), order)?;
    let all = trees.of_order(order).into_iter().map(|id| trees.tree(id));
    let remains =
        |tree: &Tree| !is_reduced_by_d(tree, r) && !tree.children().iter().any(|child| is_reduced_by_c(child, q));
    Ok(all.filter(remains).collect())
}

/// Returns whether a proper subtree has a node with fewer than q children, all of them leaves.
fn is_reduced_by_c(tree: &Tree, q: usize) -> bool {
    let children = tree.children();
    // For a node without children k is 1, and there is no reduction, because abscissae are row sums.
    let is_bush = !children.is_empty() && children.len() < q && children.iter().all(is_leaf);
    is_bush || children.iter().any(|child| is_reduced_by_c(child, q))
}

/// Returns whether the root has one child that is not a leaf and fewer than r leaves.
fn is_reduced_by_d(tree: &Tree, r: usize) -> bool {
    let leaves = tree.children().iter().filter(|child| is_leaf(child)).count();
    tree.children().len() == leaves + 1 && leaves < r
}

fn is_leaf(tree: &Tree) -> bool {
    tree.children().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CheckOptions, OrderCheck, simplifying_assumptions};
    use hemiola_tableau::library;

    fn counts(q: usize, r: usize) -> Vec<usize> {
        (1..=6).map(|order| reduced_trees(1, order, q, r).unwrap().len()).collect()
    }

    #[test]
    fn known_numbers() {
        assert_eq!(counts(1, 0), [1, 1, 2, 4, 9, 20]);
        // D(1) drops the trees on a stem: as many as there are trees of the order below, except for the leaf.
        assert_eq!(counts(1, 1), [1, 1, 1, 2, 5, 11]);
        // Butcher's theorem: B(p), C(q), D(r) imply order p for p ≤ q + r + 1 and p ≤ 2q + 2.
        for (q, r) in [(1, 0), (2, 0), (1, 1), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3)] {
            let reach = (q + r + 1).min(2 * q + 2);
            for order in 1..=reach.min(7) {
                assert_eq!(reduced_trees(1, order, q, r).unwrap().len(), 1, "C({q}), D({r}), order {order}");
            }
            if reach < 7 {
                assert!(reduced_trees(1, reach + 1, q, r).unwrap().len() > 1, "C({q}), D({r})");
            }
        }
    }

    #[test]
    fn what_is_left_decides() {
        // For methods with these assumptions, all conditions of an order hold if the remaining ones do.
        for id in [
            "gauss-2",
            "lobatto-iiic-3",
            "radau-ia-3",
            "rk4",
            "dormand-prince-5",
            "imex-ssp2-222",
            "lobatto-iiia-iiib-3",
        ] {
            let method = library::method(id).unwrap();
            let assumptions = simplifying_assumptions(&method).coupled;
            let (q, r) = (assumptions.c.exact, assumptions.d.exact);
            let options = CheckOptions { highest_order: 6, ..CheckOptions::default() };
            let order = OrderCheck::new(&method, options).unwrap().order();
            let exact = method.exact();
            let holds = |tree: &Tree| {
                crate::value_and_gradient(tree, &exact).0 == hemiola_tableau::Scalar::ratio(1, tree.density())
            };
            let partitions = exact.partitions.len();
            let found = (1..=6).take_while(|n| reduced_trees(partitions, *n, q, r).unwrap().iter().all(holds)).count();
            assert_eq!(found, order, "{id}");
        }
    }
}
