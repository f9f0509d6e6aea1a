//! A single rooted tree: its numbers and its text.

use std::cmp::Ordering;

use crate::error::OrderError;
use crate::trees::grammar::NodeKind;

/// Largest size and depth of trees read from text, both far beyond any order that can be checked.
const MOST_NODES: usize = 1000;
const DEEPEST: usize = 100;

/// A rooted tree whose nodes are colored by partition.
///
/// Children are sorted, the largest first, so that equal trees are equal values.
///
/// ```
/// use hemiola_order::Tree;
/// let tree = Tree::parse("[τ_f,[τ_s]_f]_s", &["s", "f"]).unwrap();
/// assert_eq!((tree.order(), tree.density(), tree.symmetry()), (4, 8, 1));
/// assert_eq!(tree.text(&["s", "f"]), "[[τ_s]_f,τ_f]_s");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tree {
    kind: NodeKind,
    children: Vec<Tree>,
}

impl Tree {
    /// Creates the tree with a root above these subtrees.
    #[must_use]
    pub fn new(kind: NodeKind, mut children: Vec<Self>) -> Self {
        children.sort_by(|a, b| b.cmp(a));
        Self { kind, children }
    }

    /// Returns the kind of the root.
    #[must_use]
    pub fn kind(&self) -> NodeKind {
        self.kind
    }

    /// Returns the subtrees below the root, the largest first.
    #[must_use]
    pub fn children(&self) -> &[Self] {
        &self.children
    }

    /// Returns the number of nodes |t|.
    #[must_use]
    pub fn order(&self) -> usize {
        1 + self.children.iter().map(Self::order).sum::<usize>()
    }

    /// Returns the density γ(t) = |t| Π γ(subtrees): the exact solution's elementary weight is 1/γ.
    #[must_use]
    pub fn density(&self) -> u64 {
        self.order() as u64 * self.children.iter().map(Self::density).product::<u64>()
    }

    /// Returns the symmetry σ(t): the number of automorphisms.
    #[must_use]
    pub fn symmetry(&self) -> u64 {
        let mut repeated = 0;
        let mut symmetry = 1;
        for (k, child) in self.children.iter().enumerate() {
            repeated = if k > 0 && self.children[k - 1] == *child { repeated + 1 } else { 1 };
            symmetry *= repeated * child.symmetry();
        }
        symmetry
    }

    /// Returns α(t) = |t|!/(σ γ), the number of monotonic labelings.
    #[must_use]
    pub fn labelings(&self) -> u64 {
        (1..=self.order() as u64).product::<u64>() / (self.symmetry() * self.density())
    }

    /// Returns whether every node has the color of this partition.
    #[must_use]
    pub fn is_monochromatic(&self, partition: usize) -> bool {
        self.kind == NodeKind::Partition(partition)
            && self.children.iter().all(|child| child.is_monochromatic(partition))
    }

    /// Returns the partitions whose colors occur, in ascending order.
    #[must_use]
    pub fn partitions(&self) -> Vec<usize> {
        let (NodeKind::Partition(color) | NodeKind::Time(color)) = self.kind;
        let below = self.children.iter().flat_map(Self::partitions);
        let mut partitions: Vec<usize> = below.chain([color]).collect();
        partitions.sort_unstable();
        partitions.dedup();
        partitions
    }

    /// Formats the tree as text: `τ` is a leaf, `[…]` a node above its subtrees, `_s` the color, `t` the time.
    ///
    /// `labels` names the colors, which are omitted if there is only one.
    #[must_use]
    pub fn text(&self, labels: &[&str]) -> String {
        let NodeKind::Partition(color) = self.kind else {
            return "t".to_owned();
        };
        let children: Vec<String> = self.children.iter().map(|child| child.text(labels)).collect();
        let node = if children.is_empty() { "τ".to_owned() } else { format!("[{}]", children.join(",")) };
        if labels.len() < 2 { node } else { format!("{node}_{}", labels.get(color).unwrap_or(&"?")) }
    }

    /// Reads the text form; `labels` are the names of the colors.
    ///
    /// # Errors
    /// Returns [`OrderError::TreeText`] with the position at which the text stops being a tree.
    pub fn parse(text: &str, labels: &[&str]) -> Result<Self, OrderError> {
        let mut reader = TreeReader { text, position: 0, labels, nodes: 0 };
        let tree = reader.tree(0)?;
        if reader.position == text.len() { Ok(tree) } else { Err(reader.fault("the end")) }
    }
}

impl Ord for Tree {
    /// Compares by order, then by the subtrees, then by the root.
    fn cmp(&self, other: &Self) -> Ordering {
        self.order()
            .cmp(&other.order())
            .then_with(|| self.children.cmp(&other.children))
            .then_with(|| rank(self.kind).cmp(&rank(other.kind)))
    }
}

impl PartialOrd for Tree {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn rank(kind: NodeKind) -> (u8, usize) {
    match kind {
        NodeKind::Partition(color) => (0, color),
        NodeKind::Time(color) => (1, color),
    }
}

struct TreeReader<'a> {
    text: &'a str,
    position: usize,
    labels: &'a [&'a str],
    nodes: usize,
}

impl TreeReader<'_> {
    fn fault(&self, expected: &'static str) -> OrderError {
        let position = self.text[..self.position].chars().count() + 1;
        OrderError::TreeText { text: self.text.to_owned(), position, expected }
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.text[self.position..].starts_with(token);
        self.position += if found { token.len() } else { 0 };
        found
    }

    fn tree(&mut self, depth: usize) -> Result<Tree, OrderError> {
        self.nodes += 1;
        if depth > DEEPEST || self.nodes > MOST_NODES {
            return Err(self.fault("a smaller tree"));
        }
        let mut children = Vec::new();
        if self.take("[") {
            children.push(self.tree(depth + 1)?);
            while self.take(",") {
                children.push(self.tree(depth + 1)?);
            }
            if !self.take("]") {
                return Err(self.fault("`,` or `]`"));
            }
        } else if !self.take("τ") {
            return Err(self.fault("`τ` or `[`"));
        }
        Ok(Tree::new(NodeKind::Partition(self.color()?), children))
    }

    fn color(&mut self) -> Result<usize, OrderError> {
        if self.labels.len() < 2 {
            return Ok(0);
        }
        if !self.take("_") {
            return Err(self.fault("`_` and a color"));
        }
        // The longest label that fits, because one label may be a prefix of another.
        let rest = &self.text[self.position..];
        let fits = self.labels.iter().enumerate().filter(|(_, label)| rest.starts_with(**label));
        let Some((color, label)) = fits.max_by_key(|(_, label)| label.len()) else {
            return Err(self.fault("one of the colors"));
        };
        self.position += label.len();
        Ok(color)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grammar, Trees};

    #[test]
    fn text_is_read_back() {
        let labels = ["slow", "s"];
        let trees = Trees::new(&Grammar::partitioned(2), 5).unwrap();
        for id in (1..=5).flat_map(|order| trees.of_order(order)) {
            let tree = trees.tree(id);
            let numbers = (trees.order(id), trees.density(id), trees.symmetry(id));
            assert_eq!((tree.order(), tree.density(), tree.symmetry()), numbers);
            assert_eq!(Tree::parse(&tree.text(&labels), &labels).unwrap(), tree);
        }
    }

    #[test]
    fn equal_trees_are_equal_values() {
        let parse = |text| Tree::parse(text, &["all"]).unwrap();
        assert_eq!(parse("[[τ],τ]"), parse("[τ,[τ]]"));
        assert_eq!(parse("[τ,τ,[τ,τ]]").symmetry(), 4);
        assert_eq!(parse("[[τ]]").labelings(), 1);
    }

    #[test]
    fn faults_have_a_place() {
        let fault = |text: &str| Tree::parse(text, &["s", "f"]).unwrap_err();
        assert!(matches!(fault("[τ_s"), OrderError::TreeText { position: 5, .. }));
        assert!(matches!(fault("τ_x"), OrderError::TreeText { expected: "one of the colors", .. }));
        assert!(matches!(fault("τ"), OrderError::TreeText { expected: "`_` and a color", .. }));
        assert!(matches!(fault(&"[".repeat(5000)), OrderError::TreeText { expected: "a smaller tree", .. }));
        assert!(matches!(fault("τ_s τ_s"), OrderError::TreeText { expected: "the end", .. }));
    }
}
