//! Conditions that follow from a product rule for three trees, or from the form of the last row.

use super::shape::Shape;
use crate::stage::InfinitesimalStage;

/// Returns whether a tree has a fast node below its root with a single fast child f\[w\] and k leaves.
///
/// The product rule V\[f\[w\]\]·V\[lᵏ⁺¹\] = V\[f\[f\[w\], lᵏ\]\] (k+1) + V\[f\[w, lᵏ⁺¹\]\] holds along each stage, so
/// the condition follows from those of the other two trees.
pub(super) fn follows_from_a_product(shape: &Shape) -> bool {
    let is_product = |node: &Shape| node.color == 0 && matches!(&node.children[..], [child] if child.color == 0);
    shape.children.iter().any(|child| is_product(child) || follows_from_a_product(child))
}

/// Returns whether the condition of a tree with a fast root follows from the moments of the last row.
///
/// An explicit last row that starts at the beginning of the step has p(τ) = Σⱼ γⱼ(τ) cⱼ of a degree d ≥ 1. The
/// conditions of s\[l\] and f\[s\[l\], lᵐ\] with m < d prescribe d + 1 moments of p. They imply p(τ) = τ, so a child
/// s\[l\] of a fast root equals the power l²/2.
pub(super) fn follows_from_moments<T>(shape: &Shape, rows: &[InfinitesimalStage<T>], order: usize) -> bool {
    let Some(last) = rows.last().filter(|row| row.from == 1 && shape.color == 0) else { return false };
    shape.children.iter().filter(|child| child.is_slow_above_a_leaf()).any(|child| {
        let part = child.color - 1;
        let degree = last.forcing[part].len().saturating_sub(1);
        let is_determined = degree >= 1 && last.correction[part].is_empty() && degree + 2 <= order;
        is_determined && (shape.children.len() > 1 || shape.leaves >= degree)
    })
}
