//! Runs through all trees of an order in blocks: one vector against a range of small forests.

use std::ops::Range;

use hemiola_number::parallel;

use crate::engine::arithmetic::Arithmetic;
use crate::engine::stem::{Stem, Step, Table};
use crate::engine::tables::{Partial, Tables};
use crate::trees::enumerate::{ForestId, TreeId, Trees};

/// Orders with at least this many trees are worth several threads.
const PARALLEL: u128 = 100_000;
/// Into how many parts their work is divided.
const PARTS: usize = 256;

/// Trees of one order that have all but one part in common.
pub(crate) struct Block<'a, N> {
    pub(crate) order: usize,
    pub(crate) root: usize,
    pub(crate) steps: &'a [Step],
    /// The vector that the rows of the table are multiplied with, and the factor of their 1/γ.
    pub(crate) at: &'a Partial<N>,
    pub(crate) table: Table,
    /// Which entries of the table complete the trees.
    pub(crate) members: Range<usize>,
}

impl<'a, N> Block<'a, N> {
    /// The trees of a stem that some entries of its table complete.
    pub(crate) fn new(stem: &'a Stem, at: &'a Partial<N>, members: Range<usize>) -> Self {
        Self { order: stem.order, root: stem.root, steps: &stem.steps, at, table: stem.table, members }
    }

    /// What all trees of the block have in common.
    pub(crate) fn stem(&self) -> Stem {
        Stem { root: self.root, order: self.order, steps: self.steps.to_vec(), table: self.table }
    }
}

/// What is done with a block.
pub(crate) trait Visitor<N>: Send {
    fn visit(&mut self, block: &Block<N>);

    /// Is called after the last block.
    fn finish(&mut self) {}
}

/// The small trees that suffice for all trees up to an order: H + 1 with H = ⌈(order − 1)/2⌉.
pub(crate) fn small_order(order: usize) -> usize {
    order.saturating_sub(1).div_ceil(2) + 1
}

/// Visits all trees of one order. Each visitor sees a part of them; the visitors come back in a fixed sequence.
pub(crate) fn walk<A: Arithmetic, V: Visitor<A::Number>>(
    tables: &Tables<A>,
    order: usize,
    expected: u128,
    visitor: impl Fn() -> V + Sync,
) -> Vec<V> {
    let work = first_steps(tables.trees, order);
    let run = |part: &[(usize, Option<Way>)]| {
        let mut walker = Walker::new(tables, order, visitor());
        part.iter().for_each(|(root, first)| walker.start_at(*root, *first));
        walker.visitor.finish();
        walker.visitor
    };
    if expected < PARALLEL {
        return vec![run(&work)];
    }
    // Parts of a fixed number, so that results do not depend on the number of threads.
    let parts: Vec<_> = work.chunks(work.len().div_ceil(PARTS)).collect();
    parallel::map(parts.len(), |k| run(parts[k]))
}

/// The roots of an order with the first step from each, or none where the forest below the root is small.
fn first_steps(trees: &Trees, order: usize) -> Vec<(usize, Option<Way>)> {
    let mut work = Vec::new();
    for root in (0..trees.kinds().len()).filter(|&kind| trees.grammar().is_root(kind)) {
        if order - 1 < trees.highest_order() {
            work.push((root, None));
        } else {
            work.extend(ways_below(trees, root, order - 1).into_iter().map(|way| (root, Some(way))));
        }
    }
    work
}

/// A way on from a node below which more nodes are to be placed than a small forest has.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// To a child with more than H nodes, past its siblings.
    Down { kind: usize, siblings: ForestId },
    /// To all children of an order, each beside this forest of fewer nodes.
    Beside { order: usize, forest: ForestId },
    /// Past this largest child, which has no more nodes than the rest.
    Past(TreeId),
}

fn ways_below(trees: &Trees, parent: usize, free: usize) -> Vec<Way> {
    let largest = trees.highest_order() - 1;
    let grammar = trees.grammar();
    let mut ways = Vec::new();
    for size in largest + 1..=free {
        for siblings in trees.forests_of_size(free - size).map(ForestId::new) {
            // A node with children is never a time.
            let inner = (0..trees.kinds().len()).filter(|&kind| grammar.is_root(kind));
            let allowed = inner.filter(|&kind| grammar.allows(parent, trees.roots_of(siblings) | 1 << kind));
            ways.extend(allowed.map(|kind| Way::Down { kind, siblings }));
        }
    }
    for order in 1..=largest.min(free) {
        if order > free - order {
            // Any forest of fewer nodes may stand beside any of these trees: the table of trees is the longer one.
            let forests = trees.forests_of_size(free - order).map(ForestId::new);
            let allowed = forests.filter(|&forest| grammar.allows(parent, trees.roots_of(forest)));
            ways.extend(allowed.map(|forest| Way::Beside { order, forest }));
        } else {
            let allowed = trees.ids_of_order(order).filter(|&tree| grammar.allows(parent, trees.kind_set(tree)));
            ways.extend(allowed.map(Way::Past));
        }
    }
    ways
}

struct Walker<'t, 'a, A: Arithmetic, V> {
    tables: &'t Tables<'a, A>,
    order: usize,
    visitor: V,
    root: usize,
    steps: Vec<Step>,
    /// One place for each depth of stripping.
    scratch: Vec<Partial<A::Number>>,
}

impl<'t, 'a, A: Arithmetic, V: Visitor<A::Number>> Walker<'t, 'a, A, V> {
    fn new(tables: &'t Tables<'a, A>, order: usize, visitor: V) -> Self {
        let scratch = vec![tables.start(0, order); order + 1];
        Self { tables, order, visitor, root: 0, steps: Vec::new(), scratch }
    }

    fn start_at(&mut self, root: usize, first: Option<Way>) {
        self.root = root;
        let start = self.tables.start(root, self.order);
        match first {
            None => self.place(&start, root, self.order - 1, 0),
            Some(way) => self.take(&start, root, self.order - 1, way, 0),
        }
    }

    /// Places `free` nodes below a node of kind `parent`.
    fn place(&mut self, at: &Partial<A::Number>, parent: usize, free: usize, depth: usize) {
        let trees = self.tables.trees;
        if free < trees.highest_order() {
            self.emit(at, parent, Table::Forests { size: free }, trees.forests_of_size(free).len());
            return;
        }
        for way in ways_below(trees, parent, free) {
            self.take(at, parent, free, way, depth);
        }
    }

    fn take(&mut self, at: &Partial<A::Number>, parent: usize, free: usize, way: Way, depth: usize) {
        match way {
            Way::Down { kind, siblings } => {
                let size = free - self.tables.trees.forest_size(siblings);
                let next = self.tables.down(at, kind, siblings, size);
                self.steps.push(Step::Down { kind, siblings });
                self.place(&next, kind, size - 1, depth);
                self.steps.pop();
            }
            Way::Beside { order, forest } => {
                let mut next = self.taken(depth);
                self.tables.beside(at, forest, &mut next);
                let count = self.tables.trees.trees_of_order(order).len();
                self.emit(&next, parent, Table::Trees { order, beside: forest }, count);
                self.scratch[depth] = next;
            }
            Way::Past(tree) => self.strip(at, parent, free, tree, depth),
        }
    }

    /// Takes `tree` as the largest child of those that are left.
    fn strip(&mut self, at: &Partial<A::Number>, parent: usize, free: usize, tree: TreeId, depth: usize) {
        let trees = self.tables.trees;
        let left = free - trees.order(tree);
        let mut next = self.taken(depth);
        self.tables.past(at, tree, &mut next);
        self.steps.push(Step::Past(tree));
        if left < trees.highest_order() {
            self.emit(&next, parent, Table::Forests { size: left }, trees.forests_up_to(left, tree));
        } else {
            for smaller in (0..=tree.index()).map(TreeId::new) {
                if trees.grammar().allows(parent, trees.kind_set(smaller)) {
                    self.strip(&next, parent, left, smaller, depth + 1);
                }
            }
        }
        self.steps.pop();
        self.scratch[depth] = next;
    }

    /// A place is taken out while deeper calls use those below it.
    fn taken(&mut self, depth: usize) -> Partial<A::Number> {
        let empty = Partial { v: Vec::new(), factor: self.tables.arithmetic.zero() };
        std::mem::replace(&mut self.scratch[depth], empty)
    }

    /// Hands over the first `count` entries of a table, or those among them that may hang below `parent`.
    fn emit(&mut self, at: &Partial<A::Number>, parent: usize, table: Table, count: usize) {
        let trees = self.tables.trees;
        let (order, root) = (self.order, self.root);
        let block = |steps, members| Block { order, root, steps, at, table, members };
        if trees.grammar().allows_all(parent) {
            if count > 0 {
                self.visitor.visit(&block(&self.steps, 0..count));
            }
            return;
        }
        for member in 0..count {
            let roots = match table {
                Table::Forests { size } => trees.roots_of(ForestId::new(trees.forests_of_size(size).start + member)),
                Table::Trees { order, .. } => trees.kind_set(TreeId::new(trees.trees_of_order(order).start + member)),
            };
            if trees.grammar().allows(parent, roots) {
                self.visitor.visit(&block(&self.steps, member..member + 1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grammar;
    use crate::engine::arithmetic::ExactNumbers;
    use crate::engine::weights::{Stages, Weights};
    use crate::trees::tree::Tree;
    use hemiola_tableau::Exact;
    use std::collections::HashSet;

    /// Keeps every tree with the residual that its block gives.
    struct Everything<'a>(&'a Tables<'a, ExactNumbers>, Vec<(Stem, usize, Exact)>);

    impl Visitor<Exact> for Everything<'_> {
        fn visit(&mut self, block: &Block<Exact>) {
            for member in block.members.clone() {
                let residual = self.0.residual(block.at, block.table, member);
                self.1.push((block.stem(), member, residual));
            }
        }
    }

    #[test]
    fn every_tree_comes_once_with_the_residual_of_the_plain_recursion() {
        let pair = hemiola_tableau::library::method("mprk-p2").unwrap().exact();
        let single = hemiola_tableau::library::method("radau-ia-1").unwrap().exact();
        for (grammar, tableau, order) in [
            (Grammar::partitioned(2), &pair, 6),
            (Grammar::separable(2), &pair, 9),
            (Grammar::non_autonomous(2), &pair, 4),
            (Grammar::non_autonomous(1), &single, 6),
            (Grammar::partitioned(1), &single, 10),
        ] {
            let all = Trees::new(&grammar, order).unwrap();
            let mut plain = Weights::new(&all, tableau, Stages::Solved);
            let small = Trees::new(&grammar, small_order(order)).unwrap();
            let tables = Tables::new(&ExactNumbers, &small, tableau);
            for n in 1..=order {
                let expected: Vec<(Tree, Exact)> =
                    all.of_order(n).into_iter().map(|id| (all.tree(id), plain.residual(id))).collect();
                let found = walk(&tables, n, 0, || Everything(&tables, Vec::new())).pop().unwrap().1;
                assert_eq!(found.len(), expected.len(), "order {n}");
                let mut seen = HashSet::new();
                for (stem, member, residual) in found {
                    let spine = stem.spine(&small, member);
                    let tree = spine.tree(&small);
                    assert_eq!(spine.density(&small), tree.density());
                    assert_eq!(tables.residual(&tables.at(&stem), stem.table, member), residual);
                    let (_, value) = expected.iter().find(|(other, _)| *other == tree).unwrap();
                    assert_eq!(*value, residual);
                    assert!(seen.insert(tree));
                }
            }
        }
    }
}
