//! N-trees: the colored trees of second-order equations.

use crate::error::OrderError;
use crate::trees::enumerate::Trees;
use crate::trees::grammar::{Grammar, NodeKind};
use crate::trees::tree::Tree;

/// The color of nodes for q' = v, "meager" nodes in Hairer, Nørsett & Wanner.
pub const POSITION: usize = 0;
/// The color of nodes for v' = f, "fat" nodes.
pub const VELOCITY: usize = 1;

/// The form of a second-order equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NystromProblem {
    /// y″ = f(y): special N-trees.
    Special,
    /// y″ = f(y, y′): N-trees.
    General,
}

/// Returns the N-trees with `order` nodes.
///
/// The root belongs to v' = f. A node for q' = v, which is linear, has at most one child, which belongs to v'. In
/// special N-trees v' never occurs directly below v'.
///
/// The tree t represents the condition Σ bᵢΨᵢ(t) = 1/γ(t) and, up to one order lower, Σ b̄ᵢΨᵢ(t) = 1/((|t| + 1)γ(t))
/// (Hairer, Nørsett & Wanner 1993, §II.14).
///
/// ```
/// use hemiola_order::{NystromProblem, nystrom_trees};
/// let texts = |problem| -> Vec<String> {
///     nystrom_trees(problem, 3).unwrap().iter().map(|tree| tree.text(&["q", "v"])).collect()
/// };
/// assert_eq!(texts(NystromProblem::Special), ["[τ_q,τ_q]_v", "[[τ_v]_q]_v"]);
/// assert_eq!(texts(NystromProblem::General).len(), 6);
/// ```
///
/// # Errors
/// Returns an [`OrderError`] if the order is out of range or there are too many trees.
pub fn nystrom_trees(problem: NystromProblem, order: usize) -> Result<Vec<Tree>, OrderError> {
    let below_velocity = match problem {
        NystromProblem::Special => 1 << POSITION,
        NystromProblem::General => 1 << POSITION | 1 << VELOCITY,
    };
    // The grammar restricts the kinds of children; their number is checked here.
    let trees = Trees::new(&Grammar::with_children(vec![1 << VELOCITY, below_velocity]), order)?;
    let velocity = trees.of_order(order).into_iter().filter(|id| trees.kind(*id) == NodeKind::Partition(VELOCITY));
    Ok(velocity.map(|id| trees.tree(id)).filter(has_linear_positions).collect())
}

fn has_linear_positions(tree: &Tree) -> bool {
    let is_linear = tree.kind() != NodeKind::Partition(POSITION) || tree.children().len() <= 1;
    is_linear && tree.children().iter().all(has_linear_positions)
}

/// Returns the N-trees that remain for methods with the usual row sums: Σⱼ āᵢⱼ = cᵢ²/2 for special equations, Σⱼ aᵢⱼ =
/// cᵢ for general ones. Among trees with the same condition, the one with leaves for q' = v is retained.
///
/// # Errors
/// Returns the errors of [`nystrom_trees`].
pub fn essential_nystrom_trees(problem: NystromProblem, order: usize) -> Result<Vec<Tree>, OrderError> {
    let above = match problem {
        // Ā1 = c²/2: [τ_v]_q counts as two leaves τ_q.
        NystromProblem::Special => POSITION,
        // A1 = c: τ_v counts as τ_q. Below a node for q' the matrix is Ā instead of A.
        NystromProblem::General => VELOCITY,
    };
    let mut trees = nystrom_trees(problem, order)?;
    trees.retain(|tree| !has_velocity_leaf(tree, above));
    Ok(trees)
}

/// Returns whether a node of this color has a leaf for v' = f as a child.
fn has_velocity_leaf(tree: &Tree, above: usize) -> bool {
    let is_leaf = |child: &Tree| child.kind() == NodeKind::Partition(VELOCITY) && child.children().is_empty();
    let is_above = tree.kind() == NodeKind::Partition(above);
    tree.children().iter().any(|child| (is_above && is_leaf(child)) || has_velocity_leaf(child, above))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Enumeration = fn(NystromProblem, usize) -> Result<Vec<Tree>, OrderError>;

    #[test]
    fn counts_agree_with_generating_functions() {
        // tests/data/tree_counts.json: nystrom_special_yddot_f_of_y, …_rowsum_abar_eq_c2_over_2,
        // nystrom_N_trees_general, …_rowsum_a_eq_c.
        let cases: [(Enumeration, NystromProblem, [usize; 9]); 4] = [
            (nystrom_trees, NystromProblem::Special, [1, 1, 2, 3, 6, 10, 20, 36, 72]),
            (essential_nystrom_trees, NystromProblem::Special, [1, 1, 1, 2, 3, 5, 9, 15, 27]),
            (nystrom_trees, NystromProblem::General, [1, 2, 6, 18, 60, 204, 730, 2664, 9975]),
            (essential_nystrom_trees, NystromProblem::General, [1, 1, 3, 7, 20, 55, 164, 489, 1510]),
        ];
        for (trees, problem, expected) in cases {
            let counts: Vec<usize> = (1..=9).map(|order| trees(problem, order).unwrap().len()).collect();
            assert_eq!(counts, expected);
        }
    }
}
