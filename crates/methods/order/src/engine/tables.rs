//! Derivative weights of all small forests, and elementary weights of larger trees assembled from them.
//!
//! A tree of order n ≤ 2H + 1 is cut along its spine, the path of subtrees with more than H nodes: no node has two of
//! them as children. The subtrees beside the spine and below its end have at most H nodes. The sweep follows the spine
//! from the root with v ← Aᵀ(v∘Ψ(rest)). If a forest is still too large, it strips off the largest trees with v ←
//! v∘AΨ(tree). The result is v·Ψ(forest) with a forest of at most H nodes.

use hemiola_tableau::Tableau;

use crate::engine::arithmetic::Arithmetic;
use crate::engine::tree_path::{CompletionTable, PathStep, SharedPath};
use crate::trees::enumerate::{ForestId, TreeId, Trees};
use crate::trees::grammar::NodeKind;

/// A vector v over the stages and the factor of 1/γ, at some point of a spine.
#[derive(Clone)]
pub(crate) struct PathVector<N> {
    pub(crate) v: Vec<N>,
    pub(crate) factor: N,
}

/// Ψ of all forests of at most H nodes in one arithmetic.
pub(crate) struct ForestTables<'a, A: Arithmetic> {
    pub(crate) arithmetic: &'a A,
    pub(crate) trees: &'a Trees,
    pub(crate) tableau: &'a Tableau<A::Number>,
    /// For each size, one row of Ψ for each stage, and one of 1/γ.
    psi: Vec<Vec<Vec<A::Number>>>,
    /// AΨ of each tree of at most H nodes.
    pushed: Vec<Vec<A::Number>>,
    /// For each order up to H, one row of AΨ for each stage, and one of 1/γ.
    tree_rows: Vec<Vec<Vec<A::Number>>>,
    /// For each size up to H and each tree of at most H nodes, the number of forests without a larger tree.
    prefixes: Vec<Vec<usize>>,
}

impl<'a, A: Arithmetic> ForestTables<'a, A> {
    /// Computes the tables; `trees` extend to order H + 1, so that their forests extend to size H.
    pub(crate) fn new(arithmetic: &'a A, trees: &'a Trees, tableau: &'a Tableau<A::Number>) -> Self {
        let (psi, pushed, tree_rows) = (Vec::new(), Vec::new(), vec![Vec::new()]);
        let sizes = 0..trees.highest_order();
        let small = trees.trees_of_order(sizes.end - 1).end;
        let prefixes = sizes.map(|size| trees.forests_up_to(size, small)).collect();
        let mut tables = Self { arithmetic, trees, tableau, psi, pushed, tree_rows, prefixes };
        for size in 0..trees.highest_order() {
            tables.add_forests(size);
            if size + 1 < trees.highest_order() {
                tables.add_trees(size + 1);
            }
        }
        tables
    }

    fn add_trees(&mut self, order: usize) {
        let mut rows = vec![Vec::new(); self.stages() + 1];
        for tree in self.trees.ids_of_order(order) {
            let pushed = self.push(tree);
            for (row, value) in rows.iter_mut().zip(&pushed) {
                row.push(value.clone());
            }
            rows[pushed.len()].push(self.arithmetic.reciprocal(self.trees.density(tree)));
            self.pushed.push(pushed);
        }
        self.tree_rows.push(rows);
    }

    fn stages(&self) -> usize {
        self.tableau.partitions[0].b.len()
    }

    fn add_forests(&mut self, size: usize) {
        let range = self.trees.forests_of_size(size);
        let s = self.stages();
        let mut rows = vec![vec![self.arithmetic.zero(); range.len()]; s + 1];
        for (f, forest) in range.enumerate() {
            let forest = ForestId::new(forest);
            let values = match self.trees.split(forest) {
                None => vec![self.arithmetic.one(); s],
                Some((tree, rest)) => self.times(&self.pushed[tree.index()], self.forest(rest)),
            };
            for (row, value) in rows.iter_mut().zip(values) {
                row[f] = value;
            }
            rows[s][f] = self.arithmetic.reciprocal(self.trees.forest_density(forest));
        }
        self.psi.push(rows);
    }

    /// Returns Ψ of a small forest.
    fn forest(&self, forest: ForestId) -> impl Iterator<Item = &A::Number> {
        let (size, index) = self.place(forest);
        self.psi[size][..self.stages()].iter().map(move |row| &row[index])
    }

    /// Returns the position of Ψ of a small forest: its size, and its index among those of this size.
    fn place(&self, forest: ForestId) -> (usize, usize) {
        let size = self.trees.forest_size(forest);
        (size, forest.index() - self.trees.forests_of_size(size).start)
    }

    /// Returns Ψ of all forests of one size, row by row; the last row is 1/γ.
    pub(crate) fn forest_rows(&self, size: usize) -> &[Vec<A::Number>] {
        &self.psi[size]
    }

    /// Returns AΨ of all trees of one order, row by row; the last row is 1/γ.
    pub(crate) fn tree_rows(&self, order: usize) -> &[Vec<A::Number>] {
        &self.tree_rows[order]
    }

    fn push(&self, tree: TreeId) -> Vec<A::Number> {
        match self.trees.kind(tree) {
            NodeKind::Time(color) => self.tableau.partitions[color].c.clone(),
            NodeKind::Partition(color) => {
                let psi: Vec<_> = self.forest(self.trees.forest_of(tree)).collect();
                let row = |row: &Vec<A::Number>| {
                    let mut sum = self.arithmetic.zero();
                    row.iter().zip(psi.iter().copied()).for_each(|(a, x)| self.arithmetic.add_product(&mut sum, a, x));
                    sum
                };
                self.tableau.partitions[color].a.iter().map(row).collect()
            }
        }
    }

    fn times<'y>(&self, x: &[A::Number], y: impl Iterator<Item = &'y A::Number>) -> Vec<A::Number>
    where
        A::Number: 'y,
    {
        x.iter().zip(y).map(|(x, y)| self.arithmetic.product(x, y)).collect()
    }

    /// Starts a spine with the weights of a root and 1/n.
    pub(crate) fn start(&self, root: usize, order: usize) -> PathVector<A::Number> {
        let NodeKind::Partition(color) = self.trees.kinds()[root] else {
            return PathVector { v: vec![self.arithmetic.zero(); self.stages()], factor: self.arithmetic.zero() };
        };
        PathVector { v: self.tableau.partitions[color].b.clone(), factor: self.arithmetic.reciprocal(order as u64) }
    }

    /// Computes v ← Aᵀ(v∘Ψ(siblings)) for a child with `order` nodes.
    pub(crate) fn down(
        &self,
        at: &PathVector<A::Number>,
        kind: usize,
        siblings: ForestId,
        order: usize,
    ) -> PathVector<A::Number> {
        let NodeKind::Partition(color) = self.trees.kinds()[kind] else {
            return at.clone();
        };
        let weighted = self.times(&at.v, self.forest(siblings));
        let mut v = vec![self.arithmetic.zero(); self.stages()];
        for (w, row) in weighted.iter().zip(&self.tableau.partitions[color].a) {
            for (v, a) in v.iter_mut().zip(row) {
                self.arithmetic.add_product(v, a, w);
            }
        }
        let density = self.trees.forest_density(siblings) * order as u64;
        PathVector { v, factor: self.arithmetic.product(&at.factor, &self.arithmetic.reciprocal(density)) }
    }

    /// Computes v ← v∘Ψ(forest).
    pub(crate) fn beside(&self, at: &PathVector<A::Number>, forest: ForestId, into: &mut PathVector<A::Number>) {
        for ((into, v), x) in into.v.iter_mut().zip(&at.v).zip(self.forest(forest)) {
            *into = self.arithmetic.product(v, x);
        }
        let density = self.arithmetic.reciprocal(self.trees.forest_density(forest));
        into.factor = self.arithmetic.product(&at.factor, &density);
    }

    /// Computes v ← v∘AΨ(tree).
    pub(crate) fn past(&self, at: &PathVector<A::Number>, tree: TreeId, into: &mut PathVector<A::Number>) {
        for ((into, v), x) in into.v.iter_mut().zip(&at.v).zip(&self.pushed[tree.index()]) {
            *into = self.arithmetic.product(v, x);
        }
        into.factor = self.arithmetic.product(&at.factor, &self.arithmetic.reciprocal(self.trees.density(tree)));
    }

    /// Computes the vector that multiplies the rows of a block's table, by following its stem.
    pub(crate) fn at(&self, stem: &SharedPath) -> PathVector<A::Number> {
        let mut at = self.start(stem.root, stem.order);
        let mut left = stem.order - 1;
        for step in &stem.steps {
            match *step {
                PathStep::Down { kind, siblings } => {
                    left -= self.trees.forest_size(siblings);
                    at = self.down(&at, kind, siblings, left);
                    left -= 1;
                }
                PathStep::Past(tree) => {
                    let mut next = at.clone();
                    self.past(&at, tree, &mut next);
                    at = next;
                    left -= self.trees.order(tree);
                }
            }
        }
        match stem.table {
            CompletionTable::Forests { .. } => at,
            CompletionTable::Trees { beside, .. } => {
                let mut next = at.clone();
                self.beside(&at, beside, &mut next);
                next
            }
        }
    }

    /// Returns the number of forests of a size without a tree larger than this one; they come first.
    pub(crate) fn forests_up_to(&self, size: usize, tree: TreeId) -> usize {
        self.prefixes[size][tree.index()]
    }

    /// Returns the rows of a table.
    pub(crate) fn rows(&self, table: CompletionTable) -> &[Vec<A::Number>] {
        match table {
            CompletionTable::Forests { size } => self.forest_rows(size),
            CompletionTable::Trees { order, .. } => self.tree_rows(order),
        }
    }

    /// Computes Φ − 1/γ of a member of a block.
    pub(crate) fn residual(&self, at: &PathVector<A::Number>, table: CompletionTable, member: usize) -> A::Number {
        let rows = self.rows(table);
        let mut residual = self.arithmetic.zero();
        at.v.iter().zip(rows).for_each(|(v, row)| self.arithmetic.add_product(&mut residual, v, &row[member]));
        let expected = &rows[self.stages()][member];
        self.arithmetic.add_product(&mut residual, &self.arithmetic.negative(&at.factor), expected);
        residual
    }
}
