//! Enumeration of rooted trees with colored nodes, without hashing or canonical forms.
//!
//! A tree is a root and the forest below it; a forest is its largest tree and the forest of the remaining trees.
//! Trees are numbered by order, and the forests of each size are sorted by their largest tree. The forests that
//! can remain after a tree, those whose largest tree is not larger, therefore form a prefix, and every forest
//! arises exactly once.

use std::ops::Range;

use crate::error::OrderError;
use crate::trees::grammar::{Grammar, KindSet, NodeKind};
use crate::trees::tree::Tree;

/// Highest order, for which densities γ up to 20! fit into 64 bits.
const HIGHEST_ORDER: usize = 20;
/// Maximum number of trees (some 200 MB with their forests).
const MOST_NODES: u128 = 3_000_000;

/// A tree, as an index in its [`Trees`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeId(u32);

/// A forest, as an index in its [`Trees`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ForestId(u32);

impl ForestId {
    pub(crate) const EMPTY: Self = Self(0);

    pub(crate) fn new(index: usize) -> Self {
        Self(index as u32)
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl TreeId {
    pub(crate) fn new(index: usize) -> Self {
        Self(index as u32)
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct TreeEntry {
    kind: u8,
    order: u8,
    forest: ForestId,
}

#[derive(Clone, Copy, Debug)]
struct Forest {
    /// The largest tree and the rest; meaningless for the empty forest.
    largest: TreeId,
    rest: ForestId,
    /// The multiplicity of the largest tree.
    multiplicity: u8,
    /// The kinds of all roots.
    roots: KindSet,
    /// The partitions whose colors occur.
    colors: KindSet,
    size: u8,
    /// The product of the densities γ of the trees.
    density: u64,
    /// The order of the forest's symmetry group.
    symmetry: u64,
}

/// All trees of a [`Grammar`] up to some order.
#[derive(Clone, Debug)]
pub struct Trees {
    kinds: Vec<NodeKind>,
    trees: Vec<TreeEntry>,
    forests: Vec<Forest>,
    /// The ranges of trees of each order n (empty for n = 0).
    trees_by_order: Vec<Range<usize>>,
    forests_by_size: Vec<Range<usize>>,
    grammar: Grammar,
}

impl Trees {
    /// Enumerates the trees of orders 1 to `order`.
    ///
    /// ```
    /// use hemiola_order::{Grammar, Trees};
    /// let trees = Trees::new(&Grammar::partitioned(1), 4).unwrap();
    /// let texts: Vec<String> = trees.of_order(4).into_iter().map(|id| trees.tree(id).text(&["all"])).collect();
    /// assert_eq!(texts, ["[τ,τ,τ]", "[[τ],τ]", "[[τ,τ]]", "[[[τ]]]"]);
    /// ```
    ///
    /// # Errors
    /// Returns [`OrderError::OrderTooHigh`] beyond order 20, [`OrderError::TooManyTrees`] if memory would not suffice,
    /// [`OrderError::TooManyColors`] beyond 32 kinds of nodes.
    pub fn new(grammar: &Grammar, order: usize) -> Result<Self, OrderError> {
        if order > HIGHEST_ORDER {
            return Err(OrderError::OrderTooHigh { order, highest: HIGHEST_ORDER });
        }
        let kinds = grammar.kinds().to_vec();
        grammar.check_total(order, MOST_NODES)?;
        let empty = Forest {
            largest: TreeId(0),
            rest: ForestId::EMPTY,
            multiplicity: 0,
            roots: 0,
            colors: 0,
            size: 0,
            density: 1,
            symmetry: 1,
        };
        let mut trees = Self {
            kinds,
            trees: Vec::new(),
            forests: vec![empty],
            trees_by_order: std::iter::once(0..0).collect(),
            forests_by_size: std::iter::once(0..1).collect(),
            grammar: grammar.clone(),
        };
        for n in 1..=order {
            trees.add_trees(n);
            if n < order {
                trees.add_forests(n);
            }
        }
        Ok(trees)
    }

    fn add_trees(&mut self, n: usize) {
        let first = self.trees.len();
        for forest in self.forests_by_size[n - 1].clone() {
            for kind in self.grammar.parents(self.forests[forest].roots) {
                self.trees.push(TreeEntry { kind: kind as u8, order: n as u8, forest: ForestId(forest as u32) });
            }
        }
        self.trees_by_order.push(first..self.trees.len());
    }

    /// Adds all forests with n nodes: each tree t of at most n nodes is combined with each remaining forest up to
    /// t.
    fn add_forests(&mut self, n: usize) {
        let first = self.forests.len();
        for t in 0..self.trees.len() {
            let size = usize::from(self.trees[t].order);
            for rest in self.forests_by_size[n - size].clone() {
                if rest != 0 && self.forests[rest].largest.index() > t {
                    break;
                }
                let forest = self.forest(t, rest);
                if self.grammar.parents(forest.roots).next().is_some() {
                    self.forests.push(forest);
                }
            }
        }
        self.forests_by_size.push(first..self.forests.len());
    }

    fn forest(&self, largest: usize, rest: usize) -> Forest {
        let tree = self.trees[largest];
        let below = self.forests[rest];
        let repeated = rest != 0 && below.largest.index() == largest;
        let multiplicity = if repeated { below.multiplicity + 1 } else { 1 };
        let inner = self.forests[tree.forest.index()];
        Forest {
            largest: TreeId(largest as u32),
            rest: ForestId(rest as u32),
            multiplicity,
            roots: below.roots | 1 << tree.kind,
            colors: below.colors | self.colors(TreeId::new(largest)),
            size: below.size + tree.order,
            density: below.density * u64::from(tree.order) * inner.density,
            symmetry: below.symmetry * inner.symmetry * u64::from(multiplicity),
        }
    }

    /// Returns the highest order in the table.
    #[must_use]
    pub fn highest_order(&self) -> usize {
        self.trees_by_order.len() - 1
    }

    /// Returns the trees of one order that represent a condition: those with a partition's color at the root.
    #[must_use]
    pub fn of_order(&self, order: usize) -> Vec<TreeId> {
        let range = self.trees_by_order.get(order).cloned().unwrap_or(0..0);
        range.filter(|&t| self.grammar.is_root(usize::from(self.trees[t].kind))).map(|t| TreeId(t as u32)).collect()
    }

    /// Returns the number of nodes |t|.
    #[must_use]
    pub fn order(&self, tree: TreeId) -> usize {
        usize::from(self.trees[tree.index()].order)
    }

    /// Returns the density γ(t): the product of the orders of all subtrees. The exact solution's weight is 1/γ.
    #[must_use]
    pub fn density(&self, tree: TreeId) -> u64 {
        self.order(tree) as u64 * self.forests[self.forest_of(tree).index()].density
    }

    /// Returns the symmetry σ(t): the number of automorphisms of the tree.
    #[must_use]
    pub fn symmetry(&self, tree: TreeId) -> u64 {
        self.forests[self.forest_of(tree).index()].symmetry
    }

    /// Returns the kind of the root.
    #[must_use]
    pub fn kind(&self, tree: TreeId) -> NodeKind {
        self.kinds[usize::from(self.trees[tree.index()].kind)]
    }

    /// Iterates over the subtrees below the root, with repetition, the largest first.
    pub fn children(&self, tree: TreeId) -> impl Iterator<Item = TreeId> {
        let mut forest = self.forest_of(tree);
        std::iter::from_fn(move || {
            let (first, rest) = self.split(forest)?;
            forest = rest;
            Some(first)
        })
    }

    pub(crate) fn forest_of(&self, tree: TreeId) -> ForestId {
        self.trees[tree.index()].forest
    }

    pub(crate) fn forest_count(&self) -> usize {
        self.forests.len()
    }

    pub(crate) fn tree_count(&self) -> usize {
        self.trees.len()
    }

    /// Splits a forest into its largest tree and the rest; `None` for the empty forest.
    pub(crate) fn split(&self, forest: ForestId) -> Option<(TreeId, ForestId)> {
        let Forest { largest, rest, .. } = self.forests[forest.index()];
        (forest != ForestId::EMPTY).then_some((largest, rest))
    }

    pub(crate) fn kinds(&self) -> &[NodeKind] {
        &self.kinds
    }

    pub(crate) fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// Iterates over the kinds of nodes that may have children.
    pub(crate) fn inner_kinds(&self) -> impl Iterator<Item = usize> + use<'_> {
        (0..self.kinds.len()).filter(|&kind| self.grammar.is_root(kind))
    }

    /// Iterates over all trees of an order, with any root.
    pub(crate) fn ids_of_order(&self, order: usize) -> impl Iterator<Item = TreeId> + use<> {
        self.trees_by_order[order].clone().map(TreeId::new)
    }

    /// Returns the index range of the trees of an order.
    pub(crate) fn trees_of_order(&self, order: usize) -> Range<usize> {
        self.trees_by_order[order].clone()
    }

    pub(crate) fn forests_of_size(&self, size: usize) -> Range<usize> {
        self.forests_by_size[size].clone()
    }

    /// Returns for each of the first `trees` trees the number of forests of a size without a larger tree; these
    /// forests come first.
    pub(crate) fn forests_up_to(&self, size: usize, trees: usize) -> Vec<usize> {
        let forests = &self.forests[self.forests_of_size(size)];
        let mut count = 0;
        let up_to = |tree: usize| {
            count += forests[count..].iter().take_while(|forest| size == 0 || forest.largest.index() <= tree).count();
            count
        };
        (0..trees).map(up_to).collect()
    }

    pub(crate) fn forest_density(&self, forest: ForestId) -> u64 {
        self.forests[forest.index()].density
    }

    pub(crate) fn forest_size(&self, forest: ForestId) -> usize {
        usize::from(self.forests[forest.index()].size)
    }

    pub(crate) fn forest_symmetry(&self, forest: ForestId) -> u64 {
        self.forests[forest.index()].symmetry
    }

    /// Returns the partitions whose colors occur in a forest.
    pub(crate) fn forest_colors(&self, forest: ForestId) -> KindSet {
        self.forests[forest.index()].colors
    }

    /// Returns the partitions whose colors occur in a tree.
    pub(crate) fn colors(&self, tree: TreeId) -> KindSet {
        let (NodeKind::Partition(color) | NodeKind::Time(color)) = self.kind(tree);
        self.forest_colors(self.forest_of(tree)) | 1 << color
    }

    /// Returns the multiplicity of a tree in a forest.
    pub(crate) fn multiplicity(&self, forest: ForestId, tree: TreeId) -> usize {
        let mut forest = forest;
        while let Some((largest, rest)) = self.split(forest).filter(|(largest, _)| *largest >= tree) {
            if largest == tree {
                return usize::from(self.forests[forest.index()].multiplicity);
            }
            forest = rest;
        }
        0
    }

    pub(crate) fn roots_of(&self, forest: ForestId) -> KindSet {
        self.forests[forest.index()].roots
    }

    pub(crate) fn kind_set(&self, tree: TreeId) -> KindSet {
        1 << self.trees[tree.index()].kind
    }

    /// Returns the tree as a separate value.
    #[must_use]
    pub fn tree(&self, tree: TreeId) -> Tree {
        Tree::new(self.kind(tree), self.trees_of_forest(self.forest_of(tree)))
    }

    pub(crate) fn trees_of_forest(&self, forest: ForestId) -> Vec<Tree> {
        let mut forest = forest;
        let mut trees = Vec::new();
        while let Some((tree, rest)) = self.split(forest) {
            trees.push(self.tree(tree));
            forest = rest;
        }
        trees
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(grammar: &Grammar, order: usize) -> Vec<usize> {
        let trees = Trees::new(grammar, order).unwrap();
        (1..=order).map(|n| trees.of_order(n).len()).collect()
    }

    #[test]
    fn counts_agree_with_the_literature() {
        // OEIS A000081, A038055 and the alternating two-colored trees, by generating functions.
        assert_eq!(counts(&Grammar::partitioned(1), 12), [1, 1, 2, 4, 9, 20, 48, 115, 286, 719, 1842, 4766]);
        assert_eq!(counts(&Grammar::partitioned(2), 8), [2, 4, 14, 52, 214, 916, 4116, 18996]);
        assert_eq!(counts(&Grammar::separable(2), 10), [2, 2, 4, 8, 18, 40, 96, 230, 572, 1438]);
    }

    #[test]
    fn labeled_trees_sum_to_powers() {
        // Σ 1/(σγ) over rooted trees of order n, times n!, counts monotonic labelings: (n−1)! (Butcher 2016,
        // §2.5).
        let trees = Trees::new(&Grammar::partitioned(1), 9).unwrap();
        for n in 1..=9 {
            let factorial = (1..=n as u64).product::<u64>();
            let labelings: u64 =
                trees.of_order(n).into_iter().map(|t| factorial / (trees.symmetry(t) * trees.density(t))).sum();
            assert_eq!(labelings, (1..n as u64).product::<u64>().max(1), "order {n}");
        }
    }

    #[test]
    fn time_is_a_leaf_below_its_own_color() {
        // One color: leaves double, so orders 1, 2, 3 have 1, 2, 5 trees ([t,t], [t,τ], [τ,τ], [[t]], [[τ]]).
        assert_eq!(counts(&Grammar::non_autonomous(1), 3), [1, 2, 5]);
        // Two colors: a root of either color with one leaf of three allowed kinds.
        assert_eq!(counts(&Grammar::non_autonomous(2), 2), [2, 6]);
    }

    #[test]
    fn requests_beyond_memory_are_refused() {
        assert!(matches!(Trees::new(&Grammar::partitioned(1), 21), Err(OrderError::OrderTooHigh { order: 21, .. })));
        // The count is known before anything is allocated (Euler transform, OEIS A038059).
        let refused = Trees::new(&Grammar::partitioned(3), 20).unwrap_err();
        assert!(matches!(refused, OrderError::TooManyTrees { order: 20, count, .. } if count > 1 << 50));
        assert!(matches!(Trees::new(&Grammar::partitioned(40), 2), Err(OrderError::TooManyColors { colors: 40 })));
    }
}
