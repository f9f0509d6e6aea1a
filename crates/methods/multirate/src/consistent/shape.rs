//! Trees modulo the identities of internal consistency and of the exact fast solution.

use hemiola_order::{NodeKind, Tree};

/// A node of color `color` with `leaves` leaves of any color and further subtrees, in ascending order.
///
/// Every fast node except the root has a slow inner node below it, since other fast subtrees are powers of the
/// abscissa.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Shape {
    pub(super) color: usize,
    pub(super) children: Vec<Shape>,
    pub(super) leaves: usize,
}

/// A tree in normal form, times the factor by which its elementary weight differs.
pub(super) enum Normal {
    /// A power of the abscissa.
    Power(usize, f64),
    Shape(Shape, f64),
}

impl Shape {
    fn new(color: usize, leaves: usize, mut children: Vec<Self>) -> Self {
        children.sort();
        Self { color, children, leaves }
    }

    fn order(&self) -> usize {
        1 + self.leaves + self.children.iter().map(Self::order).sum::<usize>()
    }

    /// Returns γ.
    pub(super) fn density(&self) -> u64 {
        self.order() as u64 * self.children.iter().map(Self::density).product::<u64>()
    }

    /// Returns whether it is s[l] with one slow node above one leaf.
    pub(super) fn is_slow_above_a_leaf(&self) -> bool {
        self.color > 0 && self.leaves == 1 && self.children.is_empty()
    }

    /// Returns the tree with slow leaves.
    pub(super) fn tree(&self) -> Tree {
        let leaves = (0..self.leaves).map(|_| Tree::new(NodeKind::Partition(1), Vec::new()));
        Tree::new(NodeKind::Partition(self.color), self.children.iter().map(Self::tree).chain(leaves).collect())
    }
}

/// Returns the normal form of a tree.
pub(super) fn normal(tree: &Tree) -> Normal {
    let (NodeKind::Partition(color) | NodeKind::Time(color)) = tree.kind();
    let (mut leaves, mut factor, mut children) = (0, 1.0, Vec::new());
    for child in tree.children() {
        match normal(child) {
            Normal::Power(power, by) => {
                leaves += power;
                factor *= by;
            }
            Normal::Shape(shape, by) => {
                children.push(shape);
                factor *= by;
            }
        }
    }
    if children.is_empty() && (color == 0 || leaves == 0) {
        return Normal::Power(leaves + 1, factor / (leaves + 1) as f64);
    }
    Normal::Shape(Shape::new(color, leaves, children), factor)
}

/// Returns the representative of all shapes that differ only by a move of the root, and the factor between their
/// residuals.
pub(super) fn representative(shape: Shape) -> (Shape, f64) {
    let (mut shape, mut factor) = (shape, 1.0);
    // A root with leaves only beside a fast child becomes a power below that child, which shortens the tree.
    while shape.color == 0 && shape.children.len() == 1 && shape.children[0].color == 0 {
        let (moved, by) = with_root_at(&shape, 0);
        (shape, factor) = (moved, factor * by);
    }
    let mut known = vec![(shape, factor)];
    let mut next = 0;
    while next < known.len() {
        let (shape, factor) = known[next].clone();
        next += 1;
        for child in 0..shape.children.len() {
            if shape.color == 0 && shape.children[child].color == 0 {
                let (moved, by) = with_root_at(&shape, child);
                if known.iter().all(|(known, _)| *known != moved) {
                    known.push((moved, factor * by));
                }
            }
        }
    }
    // The set contains at least the shape itself.
    known.into_iter().min_by(|(x, _), (y, _)| x.cmp(y)).unwrap_or_else(|| unreachable!())
}

/// Moves the root to a fast child u = [w]: [u, o] and [w, [o]] are the terms of the product rule for V[u]·V[[o]], whose
/// factors satisfy conditions of lower order.
fn with_root_at(shape: &Shape, child: usize) -> (Shape, f64) {
    let mut others = shape.children.clone();
    let child = others.remove(child);
    let Shape { leaves, mut children, .. } = child;
    if others.is_empty() {
        let power = shape.leaves + 1;
        return (Shape::new(0, leaves + power, children), -1.0 / power as f64);
    }
    children.push(Shape::new(0, shape.leaves, others));
    (Shape::new(0, leaves, children), -1.0)
}
