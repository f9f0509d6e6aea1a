//! Positions of a tree's nodes in a picture, as plain numbers.
//!
//! The algorithm is that of Reingold & Tilford (*Tidier drawings of trees*, 1981): each subtree is drawn by itself,
//! subtrees are put side by side as closely as their outlines allow, and the root is centered below them. Isomorphic
//! subtrees look alike, edges never cross, and a small subtree may extend below the overhang of a large one.

use crate::trees::grammar::NodeKind;
use crate::trees::tree::Tree;

/// A node of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedNode {
    /// The kind of the node.
    pub kind: NodeKind,
    /// The position to the right of the root; nodes side by side are at least 1 apart.
    pub x: f64,
    /// The number of edges between the root and the node: its height.
    pub level: usize,
    /// The index of the node below, at the other end of the edge; `None` for the root.
    pub parent: Option<usize>,
}

/// The nodes of a tree with their positions: the root first, every node after its parent.
///
/// ```
/// use hemiola_order::Tree;
/// let layout = Tree::parse("[[τ,τ],τ]", &["all"]).unwrap().layout();
/// let places: Vec<(f64, usize)> = layout.nodes().iter().map(|node| (node.x, node.level)).collect();
/// assert_eq!(places, [(0.0, 0), (-0.5, 1), (-1.0, 2), (0.0, 2), (0.5, 1)]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TreeLayout {
    nodes: Vec<PlacedNode>,
}

impl TreeLayout {
    /// Returns the nodes.
    #[must_use]
    pub fn nodes(&self) -> &[PlacedNode] {
        &self.nodes
    }

    /// Iterates over the edges, each from a node to the one below it, as indices.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.nodes.iter().enumerate().filter_map(|(child, node)| node.parent.map(|parent| (child, parent)))
    }
}

impl Tree {
    /// Computes the positions of the nodes in a picture: the root at the bottom, children above it in the order
    /// of the text.
    #[must_use]
    pub fn layout(&self) -> TreeLayout {
        let mut nodes = Vec::with_capacity(self.order());
        place(&Drawing::of(self), None, 0.0, 0, &mut nodes);
        TreeLayout { nodes }
    }
}

/// A subtree drawn by itself, with positions relative to its own root.
struct Drawing {
    kind: NodeKind,
    /// The drawings above the root, each with its offset.
    above: Vec<(f64, Self)>,
    outline: SubtreeOutline,
}

/// The leftmost and the rightmost position at each level.
#[derive(Default)]
struct SubtreeOutline(Vec<(f64, f64)>);

impl Drawing {
    fn of(tree: &Tree) -> Self {
        let mut side_by_side = SubtreeOutline::default();
        let mut above = Vec::new();
        for child in tree.children() {
            let drawing = Self::of(child);
            let offset = side_by_side.least_offset(&drawing.outline);
            side_by_side.add(&drawing.outline, offset);
            above.push((offset, drawing));
        }
        // The first child is at 0: the root belongs below the middle of the first and the last.
        let middle = above.last().map_or(0.0, |(offset, _)| 0.5 * offset);
        for (offset, _) in &mut above {
            *offset -= middle;
        }
        let levels = side_by_side.0.into_iter().map(|(left, right)| (left - middle, right - middle));
        Self { kind: tree.kind(), above, outline: SubtreeOutline(std::iter::once((0.0, 0.0)).chain(levels).collect()) }
    }
}

impl SubtreeOutline {
    /// Returns the least offset at which another outline has a distance of 1 from this one at every level they
    /// share.
    fn least_offset(&self, other: &Self) -> f64 {
        let distances = self.0.iter().zip(&other.0).map(|((_, right), (left, _))| right - left + 1.0);
        distances.reduce(f64::max).unwrap_or(0.0)
    }

    /// Extends the outline by another one to the right.
    fn add(&mut self, other: &Self, offset: f64) {
        for (level, &(left, right)) in other.0.iter().enumerate() {
            match self.0.get_mut(level) {
                Some(mine) => mine.1 = right + offset,
                None => self.0.push((left + offset, right + offset)),
            }
        }
    }
}

fn place(drawing: &Drawing, parent: Option<usize>, x: f64, level: usize, nodes: &mut Vec<PlacedNode>) {
    let index = nodes.len();
    nodes.push(PlacedNode { kind: drawing.kind, x, level, parent });
    for (offset, child) in &drawing.above {
        place(child, Some(index), x + offset, level + 1, nodes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grammar, Trees};

    /// Returns all trees with up to eight nodes.
    fn trees() -> Vec<Tree> {
        let trees = Trees::new(&Grammar::partitioned(1), 8).unwrap();
        (1..=8).flat_map(|order| trees.of_order(order)).map(|id| trees.tree(id)).collect()
    }

    #[test]
    fn nodes_keep_their_distance_and_their_sequence() {
        for tree in trees() {
            let layout = tree.layout();
            assert_eq!(layout.nodes().len(), tree.order());
            for level in 0..tree.order() {
                // In depth-first order, the nodes of a level come from left to right.
                let xs: Vec<f64> = layout.nodes().iter().filter(|n| n.level == level).map(|n| n.x).collect();
                assert!(xs.windows(2).all(|pair| pair[1] - pair[0] >= 1.0), "{}: {xs:?}", tree.text(&["all"]));
            }
        }
    }

    #[test]
    fn parents_stand_in_the_middle_below_their_children() {
        for tree in trees() {
            let layout = tree.layout();
            for (parent, node) in layout.nodes().iter().enumerate() {
                let above: Vec<f64> = layout
                    .edges()
                    .filter(|(_, below)| *below == parent)
                    .map(|(child, _)| {
                        assert_eq!(layout.nodes()[child].level, node.level + 1);
                        layout.nodes()[child].x
                    })
                    .collect();
                if let (Some(first), Some(last)) = (above.first(), above.last()) {
                    assert!((0.5 * (first + last) - node.x).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn equal_subtrees_look_alike() {
        let layout = Tree::parse("[[τ,τ],[τ,τ]]", &["all"]).unwrap().layout();
        let x = |k: usize| layout.nodes()[k].x;
        assert_eq!([x(1), x(2), x(3)].map(|x| x + 2.0), [x(4), x(5), x(6)]);
    }
}
