//! Which conditions follow from which, by linear algebra over the rationals.
//!
//! With d(t) = γΦ(t) − 1 every assumption is a set of linear relations among the d of trees: at a node whose stages all
//! satisfy an assumption, one forest may take the place of the other and γΦ stays the same; D(1) turns [[F]_q]_r into
//! [F]_q minus [F, τ]_q. All d vanish if they are in the span of the relations and of the conditions that hold.

use std::collections::{BTreeMap, HashMap};

use dashu::rational::RBig;
use hemiola_order::{Grammar, Kind, OrderError, Tree, Trees};

use crate::assumption::Assumption;
use crate::pattern::{FAST, SLOW};

/// A linear combination of trees.
type Row = BTreeMap<usize, RBig>;

/// The conditions up to an order with the relations among them.
pub(crate) struct Consequences {
    pub(crate) trees: Vec<Tree>,
    index: HashMap<Tree, usize>,
    /// The stages that each partition evaluates.
    evaluated: Vec<Vec<usize>>,
    /// Each row under its largest tree.
    echelon: BTreeMap<usize, Row>,
}

impl Consequences {
    pub(crate) fn new(order: usize, evaluated: Vec<Vec<usize>>) -> Result<Self, OrderError> {
        let trees = Trees::new(&Grammar::partitioned(evaluated.len()), order)?;
        let ids = (1..=order).flat_map(|n| trees.of_order(n));
        let trees: Vec<Tree> = ids.map(|id| trees.tree(id)).collect();
        let index = trees.iter().cloned().enumerate().map(|(i, tree)| (tree, i)).collect();
        Ok(Self { trees, index, evaluated, echelon: BTreeMap::new() })
    }

    /// Adds all relations that an assumption makes among the trees; false where they are there already.
    pub(crate) fn assume(&mut self, assumption: &Assumption) -> bool {
        let relations: Vec<Row> = match assumption {
            Assumption::Stages { left, right } => {
                let pairs = self.trees.iter().flat_map(|tree| {
                    let others = self.replaced(tree, left, right);
                    others.into_iter().map(move |other| (tree, other))
                });
                pairs.filter_map(|(tree, other)| self.row(&[(tree, 1.into()), (&other, (-1).into())])).collect()
            }
            Assumption::Weights { b, a } => self.trees.iter().filter_map(|tree| self.adjoint(tree, *b, *a)).collect(),
            Assumption::SharedWeights => {
                let slow = self.trees.iter().filter(|tree| tree.kind() == Kind::Partition(SLOW));
                let fast = |tree: &Tree| Tree::new(Kind::Partition(FAST), tree.children().to_vec());
                slow.filter_map(|tree| self.row(&[(tree, RBig::ONE), (&fast(tree), -RBig::ONE)])).collect()
            }
        };
        // Every relation is added: no stopping at the first that is new.
        relations.into_iter().filter(|relation| self.add(relation.clone())).count() > 0
    }

    /// Adds a condition that holds; false where it follows from what there is.
    pub(crate) fn impose(&mut self, tree: &Tree) -> bool {
        self.row(&[(tree, RBig::ONE)]).is_some_and(|row| self.add(row))
    }

    /// Whether two trees are tied by the relations so far.
    pub(crate) fn agree(&self, left: &Tree, right: &Tree) -> bool {
        left == right
            || self.row(&[(left, RBig::ONE), (right, -RBig::ONE)]).is_some_and(|row| self.reduced(row).is_empty())
    }

    fn row(&self, terms: &[(&Tree, RBig)]) -> Option<Row> {
        let mut row = Row::new();
        for (tree, factor) in terms {
            *row.entry(*self.index.get(tree)?).or_default() += factor;
        }
        row.retain(|_, factor| !factor.is_zero());
        Some(row)
    }

    fn add(&mut self, row: Row) -> bool {
        let row = self.reduced(row);
        let Some((&largest, factor)) = row.last_key_value() else { return false };
        let factor = factor.clone();
        self.echelon.insert(largest, row.into_iter().map(|(i, x)| (i, x / &factor)).collect());
        true
    }

    fn reduced(&self, mut row: Row) -> Row {
        let mut place = row.last_key_value().map(|(&i, _)| i);
        while let Some(i) = place {
            if let (Some(factor), Some(known)) = (row.get(&i).cloned(), self.echelon.get(&i)) {
                for (&k, x) in known {
                    *row.entry(k).or_default() -= x * &factor;
                }
                row.retain(|_, x| !x.is_zero());
            }
            place = row.range(..i).next_back().map(|(&k, _)| k);
        }
        row
    }

    /// The trees that arise where one node's forest `left` becomes `right`.
    fn replaced(&self, tree: &Tree, left: &Tree, right: &Tree) -> Vec<Tree> {
        let (Kind::Partition(own), Kind::Partition(root)) = (tree.kind(), left.kind()) else { return Vec::new() };
        let mut found = Vec::new();
        let covered = self.evaluated[own].iter().all(|stage| self.evaluated[root].contains(stage));
        if let Some(rest) = Some(tree).filter(|_| covered).and_then(|tree| without(tree.children(), left.children())) {
            found.push(Tree::new(tree.kind(), [rest, right.children().to_vec()].concat()));
        }
        for (k, child) in tree.children().iter().enumerate() {
            for other in self.replaced(child, left, right) {
                let mut children = tree.children().to_vec();
                children[k] = other;
                found.push(Tree::new(tree.kind(), children));
            }
        }
        found
    }

    /// d([[F]_q]_r)/γ − d([F]_q)/γ + d([F, τ]_q)/γ = 0.
    fn adjoint(&self, tree: &Tree, r: usize, q: usize) -> Option<Row> {
        let [child] = tree.children() else { return None };
        if tree.kind() != Kind::Partition(r) || child.kind() != Kind::Partition(q) {
            return None;
        }
        let leaf = Tree::new(Kind::Partition(FAST), Vec::new());
        let larger = Tree::new(child.kind(), [child.children(), &[leaf]].concat());
        let share = |tree: &Tree| RBig::ONE / RBig::from(tree.density());
        self.row(&[(tree, share(tree)), (child, -share(child)), (&larger, share(&larger))])
    }
}

/// What is left of a forest without some of its trees.
fn without(forest: &[Tree], taken: &[Tree]) -> Option<Vec<Tree>> {
    let mut rest = forest.to_vec();
    for tree in taken {
        let place = rest.iter().position(|other| other == tree)?;
        rest.remove(place);
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        Tree::parse(text, &["s", "f"]).unwrap()
    }

    #[test]
    fn common_abscissae_leave_one_condition_of_each_quadrature() {
        let mut consequences = Consequences::new(3, vec![vec![0, 2], vec![0, 1, 2]]).unwrap();
        // At the slow stages only: what hangs on a fast node stays as it is.
        consequences.assume(&Assumption::Stages { left: tree("[τ_s]_s"), right: tree("[τ_f]_s") });
        assert!(consequences.impose(&tree("[τ_s,τ_s]_s")));
        assert!(!consequences.impose(&tree("[τ_s,τ_f]_s")) && !consequences.impose(&tree("[τ_f,τ_f]_s")));
        assert!(consequences.impose(&tree("[τ_s]_f")) && consequences.impose(&tree("[τ_f]_f")));
    }

    #[test]
    fn the_adjoint_assumption_is_butchers() {
        // Hairer, Nørsett & Wanner 1993, §II.1: with D(1), [[F]] follows from [F] and [F, τ].
        let mut consequences = Consequences::new(4, vec![vec![0, 1], vec![0, 1]]).unwrap();
        consequences.assume(&Assumption::Stages { left: tree("[τ_s]_f"), right: tree("[τ_f]_f") });
        consequences.assume(&Assumption::Weights { b: 0, a: 0 });
        for quadrature in ["τ_s", "[τ_s,τ_s]_s", "[τ_s,τ_s,τ_s]_s"] {
            assert!(consequences.impose(&tree(quadrature)));
        }
        for follows in ["[τ_s]_s", "[[τ_s]_s]_s", "[[τ_s,τ_f]_s]_s"] {
            assert!(!consequences.impose(&tree(follows)), "{follows}");
        }
        assert!(consequences.impose(&tree("[[τ_s]_f]_s")));
    }
}
