//! Enumeration of all trees of an order.

use std::ops::Range;

use hemiola_number::parallel;

use crate::engine::arithmetic::Arithmetic;
use crate::engine::tables::{ForestTables, PathVector};
use crate::engine::tree_path::{CompletionTable, PathStep};
use crate::engine::walk::block::{TreeBlock, Visitor};
use crate::engine::walk::block_bundle::{BlockBundle, VaryingStep};
use crate::trees::enumerate::{ForestId, TreeId, Trees};

/// Minimum number of trees of an order for which several threads are worthwhile.
const PARALLEL: u128 = 100_000;
/// Number of parts into which the work is divided.
const PARTS: usize = 64;

/// Returns the order H + 1, H = ⌈(order − 1)/2⌉, up to which small trees suffice to assemble all trees up to an order.
pub(crate) fn small_order(order: usize) -> usize {
    order.saturating_sub(1).div_ceil(2) + 1
}

/// Visits all trees of one order. Each visitor sees a part of the trees; the visitors are returned in a fixed
/// order.
pub(crate) fn walk<A: Arithmetic, V: Visitor<A::Number>>(
    tables: &ForestTables<A>,
    order: usize,
    expected: u128,
    visitor: impl Fn() -> V + Sync,
) -> Vec<V> {
    // A fixed number of parts keeps results independent of the number of threads.
    let parts = parts(tables.trees, order, if expected < PARALLEL { 1 } else { PARTS });
    let run = |k: usize| {
        let mut walker = Walker::new(tables, order, visitor());
        parts[k].iter().for_each(|(root, ways)| walker.start_at(*root, ways));
        walker.visitor.finish();
        walker.visitor
    };
    if parts.len() == 1 { vec![run(0)] } else { parallel::map(parts.len(), run) }
}

/// Divides the roots of an order and the ways from each into parts with equal numbers of ways.
fn parts(trees: &Trees, order: usize, count: usize) -> Vec<Vec<(usize, Continuations)>> {
    let from = |root| ways_below(trees, order - 1).into_iter().map(move |ways| (root, ways));
    let work: Vec<(usize, Continuations)> = trees.inner_kinds().flat_map(from).collect();
    let most = work.iter().map(|(_, ways)| ways.range.len()).sum::<usize>().div_ceil(count);
    let (mut parts, mut room) = (vec![Vec::new()], most);
    for (root, ways) in work {
        let Range { mut start, end } = ways.range;
        while start < end {
            if room == 0 {
                parts.push(Vec::new());
                room = most;
            }
            let first = start..end.min(start + room);
            (start, room) = (first.end, room - first.len());
            parts
                .last_mut()
                .into_iter()
                .for_each(|part| part.push((root, Continuations { to: ways.to, range: first.clone() })));
        }
    }
    parts
}

/// Ways to continue from a node, one for each index of a range in [`Trees`].
#[derive(Clone, Debug)]
struct Continuations {
    to: ContinuationTarget,
    range: Range<usize>,
}

/// The target of ways.
#[derive(Clone, Copy, Debug)]
enum ContinuationTarget {
    /// The end: the forests that complete the tree are small.
    End,
    /// A child of this order, which exceeds H, past a forest of siblings.
    Down { order: usize },
    /// All children of an order, each beside a forest of fewer nodes.
    Beside { order: usize },
    /// Past a largest child of this order, which has no more nodes than the rest.
    Past { order: usize },
}

fn ways_below(trees: &Trees, free: usize) -> Vec<Continuations> {
    let largest = trees.highest_order() - 1;
    if free <= largest {
        return vec![Continuations { to: ContinuationTarget::End, range: 0..1 }];
    }
    let down =
        |order| Continuations { to: ContinuationTarget::Down { order }, range: trees.forests_of_size(free - order) };
    let past = |order| {
        if order > free - order {
            // Any forest of fewer nodes may occur beside any of these trees, and the table of trees is the longer one.
            Continuations { to: ContinuationTarget::Beside { order }, range: trees.forests_of_size(free - order) }
        } else {
            Continuations { to: ContinuationTarget::Past { order }, range: trees.trees_of_order(order) }
        }
    };
    (largest + 1..=free).map(down).chain((1..=largest).map(past)).collect()
}

struct Walker<'t, 'a, A: Arithmetic, V> {
    tables: &'t ForestTables<'a, A>,
    order: usize,
    visitor: V,
    root: usize,
    steps: Vec<PathStep>,
    /// Scratch memory for each depth of stripping.
    scratch: Vec<PathVector<A::Number>>,
    /// Whether the grammar allows all children below every inner kind.
    is_free: bool,
}

impl<'t, 'a, A: Arithmetic, V: Visitor<A::Number>> Walker<'t, 'a, A, V> {
    fn new(tables: &'t ForestTables<'a, A>, order: usize, visitor: V) -> Self {
        let scratch = vec![tables.start(0, order); order + 1];
        let is_free = tables.trees.inner_kinds().all(|kind| tables.trees.grammar().allows_all(kind));
        Self { tables, order, visitor, root: 0, steps: Vec::new(), scratch, is_free }
    }

    fn start_at(&mut self, root: usize, ways: &Continuations) {
        self.root = root;
        let start = self.tables.start(root, self.order);
        self.take(&start, root, self.order - 1, ways, 0);
    }

    /// Places `free` nodes below a node of kind `parent`.
    fn place(&mut self, at: &PathVector<A::Number>, parent: usize, free: usize, depth: usize) {
        for ways in ways_below(self.tables.trees, free) {
            self.take(at, parent, free, &ways, depth);
        }
    }

    fn take(&mut self, at: &PathVector<A::Number>, parent: usize, free: usize, ways: &Continuations, depth: usize) {
        let range = ways.range.clone();
        match ways.to {
            ContinuationTarget::End => {
                let count = self.tables.trees.forests_of_size(free).len();
                self.emit(at, parent, CompletionTable::Forests { size: free }, count);
            }
            ContinuationTarget::Down { order } => self.down(at, parent, order, range, depth),
            ContinuationTarget::Beside { order } => self.beside(at, parent, order, range, depth),
            ContinuationTarget::Past { order } => self.strip(at, parent, free - order, range, depth),
        }
    }

    /// Descends to children of an order, past each of the forests of siblings.
    fn down(&mut self, at: &PathVector<A::Number>, parent: usize, order: usize, siblings: Range<usize>, depth: usize) {
        let trees = self.tables.trees;
        if order == trees.highest_order() && self.are_bundles_taken() {
            for kind in trees.inner_kinds() {
                self.bundle(at, VaryingStep::Down { kind, order, siblings: siblings.clone() });
            }
            return;
        }
        for siblings in siblings.map(ForestId::new) {
            // A node with children is never a time.
            for kind in trees.inner_kinds() {
                if trees.grammar().allows(parent, trees.roots_of(siblings) | 1 << kind) {
                    let next = self.tables.down(at, kind, siblings, order);
                    self.steps.push(PathStep::Down { kind, siblings });
                    self.place(&next, kind, order - 1, depth);
                    self.steps.pop();
                }
            }
        }
    }

    /// Visits all children of an order, beside each of the forests.
    fn beside(&mut self, at: &PathVector<A::Number>, parent: usize, order: usize, forests: Range<usize>, depth: usize) {
        if self.are_bundles_taken() {
            self.bundle(at, VaryingStep::Beside { order, forests });
            return;
        }
        let trees = self.tables.trees;
        let count = trees.trees_of_order(order).len();
        let mut next = self.take_scratch(depth);
        for forest in forests.map(ForestId::new) {
            if trees.grammar().allows(parent, trees.roots_of(forest)) {
                self.tables.beside(at, forest, &mut next);
                self.emit(&next, parent, CompletionTable::Trees { order, beside: forest }, count);
            }
        }
        self.scratch[depth] = next;
    }

    /// Takes each tree of a range, all of one order, as the largest remaining child; `left` nodes remain after it.
    fn strip(&mut self, at: &PathVector<A::Number>, parent: usize, left: usize, range: Range<usize>, depth: usize) {
        let trees = self.tables.trees;
        let is_last = left < trees.highest_order();
        if is_last && self.are_bundles_taken() {
            self.bundle(at, VaryingStep::Past { trees: range, left });
            return;
        }
        let mut next = self.take_scratch(depth);
        for tree in range.map(TreeId::new) {
            if !trees.grammar().allows(parent, trees.kind_set(tree)) {
                continue;
            }
            self.tables.past(at, tree, &mut next);
            self.steps.push(PathStep::Past(tree));
            if is_last {
                self.emit(
                    &next,
                    parent,
                    CompletionTable::Forests { size: left },
                    self.tables.forests_up_to(left, tree),
                );
            } else {
                for order in 1..=trees.order(tree) {
                    let Range { start, end } = trees.trees_of_order(order);
                    self.strip(&next, parent, left - order, start..end.min(tree.index() + 1), depth + 1);
                }
            }
            self.steps.pop();
        }
        self.scratch[depth] = next;
    }

    fn are_bundles_taken(&self) -> bool {
        self.is_free && self.visitor.takes_bundles()
    }

    fn bundle(&mut self, at: &PathVector<A::Number>, fork: VaryingStep) {
        self.visitor.visit_bundle(&BlockBundle { order: self.order, root: self.root, steps: &self.steps, at, fork });
    }

    /// Takes the scratch memory of a depth, while deeper calls use that of greater depths.
    fn take_scratch(&mut self, depth: usize) -> PathVector<A::Number> {
        let empty = PathVector { v: Vec::new(), factor: self.tables.arithmetic.zero() };
        std::mem::replace(&mut self.scratch[depth], empty)
    }

    /// Passes on the first `count` entries of a table, or those among them that are allowed below `parent`.
    fn emit(&mut self, at: &PathVector<A::Number>, parent: usize, table: CompletionTable, count: usize) {
        let trees = self.tables.trees;
        let (order, root) = (self.order, self.root);
        let block = |steps, members| TreeBlock { order, root, steps, at, table, members };
        if trees.grammar().allows_all(parent) {
            if count > 0 {
                self.visitor.visit(&block(&self.steps, 0..count));
            }
            return;
        }
        for member in 0..count {
            let roots = match table {
                CompletionTable::Forests { size } => {
                    trees.roots_of(ForestId::new(trees.forests_of_size(size).start + member))
                }
                CompletionTable::Trees { order, .. } => {
                    trees.kind_set(TreeId::new(trees.trees_of_order(order).start + member))
                }
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
    use crate::engine::tree_path::SharedPath;
    use crate::engine::weights::{StageSolution, Weights};
    use crate::trees::tree::Tree;
    use hemiola_tableau::Exact;
    use std::collections::HashSet;

    /// A visitor that records every tree with its residual from the block, one by one or in bundles.
    struct Everything<'a> {
        tables: &'a ForestTables<'a, ExactNumbers>,
        takes_bundles: bool,
        found: Vec<(SharedPath, usize, Exact)>,
        bundles: usize,
    }

    impl Visitor<Exact> for Everything<'_> {
        fn visit(&mut self, block: &TreeBlock<Exact>) {
            for member in block.members.clone() {
                let residual = self.tables.residual(block.at, block.table, member);
                self.found.push((block.stem(), member, residual));
            }
        }

        fn takes_bundles(&self) -> bool {
            self.takes_bundles
        }

        fn visit_bundle(&mut self, bundle: &BlockBundle<Exact>) {
            self.bundles += 1;
            for block in 0..bundle.factors(self.tables.trees).1.len() {
                let stem = bundle.stem(block);
                let at = self.tables.at(&stem);
                self.visit(&TreeBlock::new(&stem, &at, 0..bundle.length(self.tables, block)));
            }
        }
    }

    #[test]
    fn every_tree_comes_once_with_the_residual_of_the_plain_recursion() {
        let pair = hemiola_tableau::library::method("mprk-p2").unwrap().exact();
        let single = hemiola_tableau::library::method("radau-ia-1").unwrap().exact();
        for (grammar, tableau, order, is_free) in [
            (Grammar::partitioned(2), &pair, 7, true),
            (Grammar::separable(2), &pair, 9, false),
            (Grammar::non_autonomous(2), &pair, 4, false),
            (Grammar::non_autonomous(1), &single, 6, true),
            (Grammar::partitioned(1), &single, 11, true),
        ] {
            let all = Trees::new(&grammar, order).unwrap();
            let mut plain = Weights::new(&all, tableau, StageSolution::Solved);
            let small = Trees::new(&grammar, small_order(order)).unwrap();
            let tables = ForestTables::new(&ExactNumbers, &small, tableau);
            for n in 1..=order {
                let expected: Vec<(Tree, Exact)> =
                    all.of_order(n).into_iter().map(|id| (all.tree(id), plain.residual(id))).collect();
                for takes_bundles in [false, true] {
                    let everything = || Everything { tables: &tables, takes_bundles, found: Vec::new(), bundles: 0 };
                    let visitors = walk(&tables, n, if takes_bundles { PARALLEL } else { 0 }, everything);
                    let bundles: usize = visitors.iter().map(|visitor| visitor.bundles).sum();
                    assert_eq!(bundles > 0, takes_bundles && is_free && n > small_order(order));
                    let found: Vec<_> = visitors.into_iter().flat_map(|visitor| visitor.found).collect();
                    let mut seen = HashSet::new();
                    assert_eq!(found.len(), expected.len(), "order {n}");
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
}
