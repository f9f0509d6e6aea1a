//! Linear relations among the residuals of conditions and assumptions. They show which conditions follow from others.
//!
//! The residuals are d(t) = γΦ(t) − 1 of the trees, and the components of the assumptions' vectors. A relation combines
//! a vector ℓ on the side of the weights (bᵀ, a spine of a tree, D(1)) and a vector ρ on the side of the stages (a
//! difference of two γΨ): Σⱼ ℓⱼ ρⱼ Ψⱼ(F) is a combination of Φ of trees whose constant terms cancel. If ℓⱼ or ρⱼ is a
//! residual at each stage, it is also a combination of residuals.
//!
//! The relations hold at every tableau. Their coefficients depend on it, and bounds on the tableau give bounds on
//! them. If the columns of the residuals that are not imposed are independent for all coefficients within the
//! bounds, then all residuals vanish where the imposed ones do.

use std::collections::{BTreeMap, HashMap};

use hemiola_order::{NodeKind, Tree};
use hemiola_tableau::{Scalar, Tableau};
use num_traits::{One, Zero};

use crate::interval::bounds::RealInterval;
use crate::pair::partitions::{FAST, SLOW};
use crate::proof::assumption::{Assumption, Vector, difference};
use crate::proof::independence::are_independent;
use crate::proof::trees::{psi, transposed_times};

/// The columns of residuals with their coefficients.
type Row = BTreeMap<usize, RealInterval>;

/// The relations among the conditions up to an order and some assumptions, at all tableaus within bounds.
pub(crate) struct Relations<'a> {
    tableau: &'a Tableau<RealInterval>,
    order: usize,
    trees: &'a [Tree],
    index: HashMap<&'a Tree, usize>,
    assumptions: &'a [Assumption],
    rows: Vec<Row>,
}

/// A path from the root of a tree to a node to which a forest can be attached: colors and the other subtrees.
#[derive(Clone)]
struct AttachmentPath(Vec<(usize, Vec<Tree>)>);

impl AttachmentPath {
    fn order(&self) -> usize {
        self.0.len() + self.0.iter().map(|(_, others)| size(others)).sum::<usize>()
    }

    fn with(&self, forest: &[Tree]) -> Tree {
        let grown = |below: Vec<Tree>, (color, others): &(usize, Vec<Tree>)| {
            vec![Tree::new(NodeKind::Partition(*color), [others.as_slice(), &below].concat())]
        };
        let mut tree = self.0.iter().rev().fold(forest.to_vec(), grown);
        tree.swap_remove(0)
    }
}

/// A vector on the side of the weights.
struct Left {
    /// The combination of trees that it forms with a forest.
    spines: Vec<(i64, AttachmentPath)>,
    at: Vec<RealInterval>,
    /// The columns of the components that are residuals.
    columns: Vec<Option<usize>>,
    /// Whether the combination of the terms 1/γ vanishes.
    is_balanced: bool,
}

/// A vector on the side of the stages.
struct Right {
    forests: Vec<(RealInterval, Vec<Tree>)>,
    order: usize,
    at: Vec<RealInterval>,
    columns: Vec<Option<usize>>,
}

impl<'a> Relations<'a> {
    pub(crate) fn new(
        tableau: &'a Tableau<RealInterval>,
        order: usize,
        trees: &'a [Tree],
        assumptions: &'a [Assumption],
    ) -> Self {
        let index = trees.iter().enumerate().map(|(i, tree)| (tree, i)).collect();
        let mut relations = Self { tableau, order, trees, index, assumptions, rows: Vec::new() };
        relations.rows = relations.products();
        relations.rows.extend(relations.ends());
        relations.rows.extend(relations.weights());
        relations.rows.retain(|row| !row.is_empty());
        relations
    }

    /// Returns whether all residuals vanish where the imposed conditions and assumptions hold.
    ///
    /// The columns M that are not imposed are independent if ‖I − LM‖∞ < 1 for some L; (MᵀM)⁻¹Mᵀ is a good choice.
    pub(crate) fn determine_all(&self, conditions: &[Tree]) -> bool {
        let columns = self.columns();
        let mut is_open = vec![true; columns];
        conditions.iter().filter_map(|tree| self.index.get(tree)).for_each(|&i| is_open[i] = false);
        for (number, assumption) in self.assumptions.iter().enumerate() {
            let all = self.assumption_columns(number);
            assumption.imposed.iter().filter_map(|&j| all.get(j).copied().flatten()).for_each(|i| is_open[i] = false);
        }
        let mut place = vec![None; columns];
        (0..columns).filter(|&i| is_open[i]).enumerate().for_each(|(k, i)| place[i] = Some(k));
        let open = |row: &Row| row.iter().filter_map(|(&i, x)| Some((place[i]?, *x))).collect::<Vec<_>>();
        let rows: Vec<Vec<(usize, RealInterval)>> = self.rows.iter().map(open).filter(|row| !row.is_empty()).collect();
        are_independent(&rows, place.iter().flatten().count())
    }

    fn columns(&self) -> usize {
        self.trees.len() + self.assumptions.iter().map(|assumption| assumption.stages.len()).sum::<usize>()
    }

    /// Returns the columns of the components of an assumption, stage by stage.
    fn assumption_columns(&self, number: usize) -> Vec<Option<usize>> {
        let before: usize = self.assumptions[..number].iter().map(|assumption| assumption.stages.len()).sum();
        let mut columns = vec![None; self.tableau.stages()];
        let stages = self.assumptions[number].stages.iter().enumerate();
        stages.for_each(|(k, &stage)| columns[stage] = Some(self.trees.len() + before + k));
        columns
    }

    /// Returns the relations Σⱼ ℓⱼ ρⱼ Ψⱼ(F) for all ℓ, ρ and F up to the order.
    fn products(&self) -> Vec<Row> {
        let forests = self.forests();
        let (lefts, rights) = (self.lefts(&forests), self.rights());
        let mut rows = Vec::new();
        for right in &rights {
            for left in &lefts {
                let used = left.spines.iter().map(|(_, spine)| spine.order()).max().unwrap_or(0) + right.order;
                // The terms 1/γ cancel for a difference of forests, but not for a single forest.
                if used > self.order || right.order == 0 && !left.is_balanced || !vanishes(left, right) {
                    continue;
                }
                let rests = forests.iter().filter(|(rest, _)| used + size(rest) <= self.order);
                rows.extend(rests.filter_map(|(rest, at)| self.product(left, right, rest, at)));
            }
        }
        rows
    }

    fn product(&self, left: &Left, right: &Right, rest: &[Tree], rest_at: &[RealInterval]) -> Option<Row> {
        let mut row = Row::new();
        for (j, (&l, &r)) in left.at.iter().zip(&right.at).enumerate() {
            let term = match (right.columns[j], left.columns[j]) {
                _ if l.is_zero() || r.is_zero() => continue,
                (Some(column), _) => (column, l),
                (None, Some(column)) => (column, r),
                (None, None) => return None,
            };
            *row.entry(term.0).or_insert_with(RealInterval::zero) += term.1 * rest_at[j];
        }
        for (factor, spine) in &left.spines {
            for (coefficient, forest) in &right.forests {
                let tree = spine.with(&[forest.as_slice(), rest].concat());
                let share = RealInterval::ratio(*factor, tree.density()) * *coefficient;
                *row.entry(*self.index.get(&tree)?).or_insert_with(RealInterval::zero) += -share;
            }
        }
        row.retain(|_, x| !x.is_zero());
        Some(row)
    }

    /// Returns all forests with fewer nodes than the order and their Ψ, the empty forest first.
    fn forests(&self) -> Vec<(Vec<Tree>, Vec<RealInterval>)> {
        let one_root = self.trees.iter().filter(|tree| tree.kind() == NodeKind::Partition(FAST));
        one_root.map(|tree| (tree.children().to_vec(), psi(tree, self.tableau))).collect()
    }

    /// Returns the assumptions on the side of the weights, and all spines.
    fn lefts(&self, forests: &[(Vec<Tree>, Vec<RealInterval>)]) -> Vec<Left> {
        let mut lefts: Vec<Left> = (0..self.assumptions.len()).filter_map(|number| self.assumed_left(number)).collect();
        let weights = self.tableau.partitions.iter().map(|butcher| butcher.b.clone());
        let mut spines: Vec<(AttachmentPath, Vec<RealInterval>)> =
            weights.enumerate().map(|(r, b)| (AttachmentPath(vec![(r, Vec::new())]), b)).collect();
        let mut next = 0;
        while let Some((spine, at)) = spines.get(next).cloned() {
            for (others, psi) in forests.iter().filter(|(others, _)| spine.order() + size(others) + 2 <= self.order) {
                let hung: Vec<RealInterval> = at.iter().zip(psi).map(|(x, y)| *x * *y).collect();
                for (q, butcher) in self.tableau.partitions.iter().enumerate() {
                    let mut longer = spine.clone();
                    if let Some(last) = longer.0.last_mut() {
                        last.1.clone_from(others);
                    }
                    longer.0.push((q, Vec::new()));
                    spines.push((longer, transposed_times(&butcher.a, &hung)));
                }
            }
            next += 1;
        }
        let plain = |(spine, at): (AttachmentPath, Vec<RealInterval>)| {
            let zero = match spine.0.as_slice() {
                [(b, _)] => self.number_of(&Vector::ZeroWeights { b: *b }),
                [(b, others), (a, _)] if *others == [leaf()] => {
                    self.number_of(&Vector::WeightedColumns { b: *b, a: *a })
                }
                _ => None,
            };
            let columns = zero.map_or_else(|| vec![None; at.len()], |number| self.assumption_columns(number));
            Left { spines: vec![(1, spine)], at, columns, is_balanced: false }
        };
        lefts.extend(spines.into_iter().map(plain));
        lefts
    }

    fn assumed_left(&self, number: usize) -> Option<Left> {
        let root = |r: usize| AttachmentPath(vec![(r, Vec::new())]);
        let below = |r: usize, q: usize| AttachmentPath(vec![(r, Vec::new()), (q, Vec::new())]);
        let vector = &self.assumptions[number].vector;
        let spines = match *vector {
            Vector::Weights { b, a } => {
                vec![(1, below(b, a)), (-1, root(a)), (1, AttachmentPath(vec![(a, vec![leaf()])]))]
            }
            Vector::Matrices { b } => vec![(1, below(b, SLOW)), (-1, below(b, FAST))],
            Vector::SharedWeights => vec![(1, root(SLOW)), (-1, root(FAST))],
            // `lefts` lists these vectors with their spines.
            Vector::ZeroWeights { .. } | Vector::WeightedColumns { .. } => return None,
            Vector::Stages { .. } | Vector::Proportional { .. } => return None,
        };
        Some(Left { spines, at: vector.at(self.tableau), columns: self.assumption_columns(number), is_balanced: true })
    }

    /// Returns the assumptions on the side of the stages, and the vector of ones.
    fn rights(&self) -> Vec<Right> {
        let s = self.tableau.stages();
        let one = RealInterval::one();
        let ones = Right { forests: vec![(one, Vec::new())], order: 0, at: vec![one; s], columns: vec![None; s] };
        let assumed = self.assumptions.iter().enumerate().filter_map(|(number, assumption)| {
            let scaled = |factor: RealInterval, tree: &Tree| {
                (factor * RealInterval::ratio(tree.density() as i64, 1), tree.children().to_vec())
            };
            let (order, forests) = match &assumption.vector {
                Vector::Stages { left, right } => (left.order(), vec![scaled(one, left), scaled(-one, right)]),
                Vector::Proportional { left, right, base, pivot } => {
                    let [x, y] = [left, right].map(|tree| difference(tree, base, self.tableau)[*pivot]);
                    (base.order(), vec![scaled(y, left), scaled(-x, right), scaled(x - y, base)])
                }
                _ => return None,
            };
            let (at, columns) = (assumption.vector.at(self.tableau), self.assumption_columns(number));
            Some(Right { forests, order: order - 1, at, columns })
        });
        [ones].into_iter().chain(assumed).collect()
    }

    fn number_of(&self, vector: &Vector) -> Option<usize> {
        self.assumptions.iter().position(|assumption| assumption.vector == *vector)
    }

    /// Returns relations at stages where Σᵢ bᵢʳ aᵢⱼᑫ is empty by structure: D(1) then states −bⱼᑫ(1 − cⱼ) = 0 for
    /// every r.
    fn ends(&self) -> Vec<Row> {
        let of = |number: usize| match self.assumptions[number].vector {
            Vector::Weights { a, .. } => Some((number, a)),
            _ => None,
        };
        let all: Vec<(usize, usize)> = (0..self.assumptions.len()).filter_map(of).collect();
        let parts = &self.tableau.partitions;
        let mut rows = Vec::new();
        for (k, &(one, p)) in all.iter().enumerate() {
            for &(other, q) in &all[..k] {
                let columns = self.assumption_columns(one).into_iter().zip(self.assumption_columns(other));
                for (j, columns) in columns.enumerate() {
                    let is_empty = [p, q].iter().all(|&a| parts[a].a.iter().all(|row| row[j].is_zero()));
                    if let (Some(x), Some(y), true) = (columns.0, columns.1, is_empty) {
                        let (u, v) = if p == q {
                            (RealInterval::one(), RealInterval::one())
                        } else {
                            (parts[q].b[j], parts[p].b[j])
                        };
                        rows.push(Row::from([(x, u), (y, -v)]));
                    }
                }
            }
        }
        rows
    }

    /// Returns the relations (bˢ − bᶠ)ⱼ = bⱼˢ − bⱼᶠ whose terms are residuals or zero by structure.
    fn weights(&self) -> Vec<Row> {
        let Some(shared) = self.number_of(&Vector::SharedWeights) else { return Vec::new() };
        let shared = self.assumption_columns(shared);
        let zeros = [SLOW, FAST].map(|b| {
            let number = self.number_of(&Vector::ZeroWeights { b });
            number.map_or_else(|| vec![None; shared.len()], |number| self.assumption_columns(number))
        });
        let relation = |j: usize| {
            let mut row = Row::from([(shared[j]?, RealInterval::one())]);
            for (r, sign) in [(SLOW, -RealInterval::one()), (FAST, RealInterval::one())] {
                match zeros[r][j] {
                    Some(column) => drop(row.insert(column, sign)),
                    None if self.tableau.partitions[r].b[j].is_zero() => {}
                    None => return None,
                }
            }
            Some(row)
        };
        (0..shared.len()).filter_map(relation).collect()
    }
}

/// Returns the fast tree with one node.
fn leaf() -> Tree {
    Tree::new(NodeKind::Partition(FAST), Vec::new())
}

fn size(forest: &[Tree]) -> usize {
    forest.iter().map(Tree::order).sum()
}

/// Returns whether ℓⱼρⱼ vanishes at all stages if all residuals do.
fn vanishes(left: &Left, right: &Right) -> bool {
    let is_known = |j: usize| left.columns[j].or(right.columns[j]).is_some();
    (0..left.at.len()).all(|j| left.at[j].is_zero() || right.at[j].is_zero() || is_known(j))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::free_coefficients::FreeCoefficients;
    use crate::proof::trees::{trees, weight};
    use hemiola_tableau::{Exact, Method, library};
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn tree(text: &str) -> Tree {
        Tree::parse(text, &["s", "f"]).unwrap()
    }

    fn stages(left: &str, right: &str) -> Vector {
        Vector::Stages { left: tree(left), right: tree(right) }
    }

    fn everywhere(vector: Vector, stages: &[usize]) -> Assumption {
        Assumption { vector, stages: stages.to_vec(), imposed: stages.to_vec() }
    }

    /// Returns a random explicit pair whose slow partition is evaluated at some stages, with small fractions and
    /// some zero weights.
    fn random(random: &mut impl Rng, slow_stages: &[usize]) -> Tableau<Exact> {
        let s = 5;
        let mut number = || Exact::from_ratio(random.random_range(-9..9), random.random_range(1..9));
        let mut parts = Vec::new();
        for r in [SLOW, FAST] {
            let mut entry = |i: usize, j: usize| {
                let is_free = j < i && (r == FAST || slow_stages.contains(&j));
                if is_free { number() } else { Exact::zero() }
            };
            let a: Vec<Vec<Exact>> = (0..s).map(|i| (0..s).map(|j| entry(i, j)).collect()).collect();
            let b = (0..s).map(|j| entry(s, j)).collect();
            parts.push((a, b, None));
        }
        Tableau::new(parts)
    }

    #[test]
    fn relations_hold_at_every_tableau() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let all = trees(2, 5).unwrap();
        let mut seen = 0;
        for slow_stages in [[0, 1, 3].as_slice(), &[1, 2, 4], &[0, 4], &[0, 1, 2, 3, 4]] {
            let tableau = random(&mut rng, slow_stages);
            let [left, right, base] = ["[[τ_f]_f]_f", "[[τ_f]_s]_f", "[τ_f,τ_f]_f"].map(tree);
            let mut vectors = vec![
                stages("[τ_s]_s", "[τ_f]_s"),
                stages("[[τ_s]_f]_f", "[τ_f,τ_s]_f"),
                Vector::Proportional { left, right, base, pivot: 3 },
                Vector::SharedWeights,
            ];
            for b in [SLOW, FAST] {
                vectors.extend([Vector::Matrices { b }, Vector::ZeroWeights { b }]);
                vectors.extend([SLOW, FAST].map(|a| Vector::Weights { b, a }));
                vectors.extend([SLOW, FAST].map(|a| Vector::WeightedColumns { b, a }));
            }
            // Residuals at all stages, and at some.
            for part in [1.0, 0.7] {
                let mut some = || (0..5).filter(|_| rng.random_bool(part)).collect::<Vec<usize>>();
                let assumptions: Vec<Assumption> =
                    vectors.iter().map(|vector| everywhere(vector.clone(), &some())).collect();
                let ball = FreeCoefficients::new(&tableau).ball(&tableau, 0.0);
                let relations = Relations::new(&ball, 5, &all, &assumptions);
                let of_trees = all
                    .iter()
                    .map(|tree| Exact::from_ratio(tree.density() as i64, 1) * weight(tree, &tableau) - Exact::from(1));
                let of_stages = assumptions.iter().flat_map(|assumption| {
                    let at = assumption.vector.at(&tableau);
                    assumption.stages.iter().map(move |&j| at[j].clone())
                });
                let missing: Vec<f64> = of_trees.chain(of_stages).map(|x| x.to_f64()).collect();
                for row in &relations.rows {
                    let terms: Vec<f64> = row.iter().map(|(&i, x)| x.middle() * missing[i]).collect();
                    let size: f64 = terms.iter().map(|x| x.abs()).sum();
                    assert!(terms.iter().sum::<f64>().abs() <= 1e-12 * size, "{row:?}");
                    seen += usize::from(size > 0.0);
                }
            }
        }
        assert!(seen > 5000, "{seen}");
    }

    /// Returns the classical method in both partitions, with its properties cˢ = cᶠ, bˢ = bᶠ and D(1).
    fn classical() -> (Tableau<Exact>, Vec<Assumption>) {
        let rk4: Method = library::method("rk4").unwrap();
        let butcher = rk4.exact().partitions[0].clone();
        let tableau = Tableau { partitions: vec![butcher.clone(), butcher] };
        let (first, all) = ([1, 2, 3], [0, 1, 2, 3]);
        let mut assumptions =
            vec![everywhere(stages("[τ_s]_s", "[τ_f]_s"), &first), everywhere(Vector::SharedWeights, &all)];
        let adjoint = [SLOW, FAST].map(|a| everywhere(Vector::Weights { b: SLOW, a }, &all));
        assumptions.extend(adjoint);
        (tableau, assumptions)
    }

    #[test]
    fn with_the_adjoint_assumption_quadratures_suffice() {
        // Hairer, Nørsett & Wanner 1993, §II.1: with D(1), [[F]] follows from [F] and [F, τ].
        let (tableau, assumptions) = classical();
        let all = trees(2, 4).unwrap();
        let ball = FreeCoefficients::new(&tableau).ball(&tableau, 1e-9);
        let conditions =
            ["τ_s", "[τ_s,τ_s]_s", "[τ_s,τ_s,τ_s]_s", "[τ_s,[τ_s]_s]_s", "[τ_s,[τ_s]_f]_s"].map(tree).to_vec();
        let suffice = |assumptions: &[Assumption], conditions: &[Tree]| {
            Relations::new(&ball, 4, &all, assumptions).determine_all(conditions)
        };
        assert!(suffice(&assumptions, &conditions));
        for k in 0..conditions.len() {
            let fewer = [&conditions[..k], &conditions[k + 1..]].concat();
            assert!(!suffice(&assumptions, &fewer), "{k}");
        }
        for k in 0..assumptions.len() {
            let fewer = [&assumptions[..k], &assumptions[k + 1..]].concat();
            assert!(!suffice(&fewer, &conditions), "{k}");
        }
        // If D(1) is imposed at all stages but one, it follows at that stage from the sum; if the assumption omits that
        // stage, it does not follow.
        let mut one_less = assumptions.clone();
        one_less[2].imposed.pop();
        let with_sum = [conditions.clone(), vec![tree("[τ_s]_s")]].concat();
        assert!(suffice(&one_less, &with_sum));
        one_less[2].stages.pop();
        assert!(!suffice(&one_less, &with_sum));
    }

    #[test]
    fn stages_may_be_excepted_where_the_weights_vanish() {
        // Σ bᵢ(cᵢˢ − cᵢᶠ)cᵢ follows at the root, where b₂ = 0; below another node it does not.
        let (tableau, _) = classical();
        let mut tableau = tableau;
        for butcher in &mut tableau.partitions {
            butcher.b[1] = Exact::zero();
        }
        let all = trees(2, 3).unwrap();
        let ball = FreeCoefficients::new(&tableau).ball(&tableau, 1e-9);
        let abscissae = everywhere(stages("[τ_s]_s", "[τ_f]_s"), &[2, 3]);
        let zero = everywhere(Vector::ZeroWeights { b: SLOW }, &[1]);
        let row_of = |assumptions: &[Assumption], left: &str, right: &str| {
            let relations = Relations::new(&ball, 3, &all, assumptions);
            let [left, right] = [left, right].map(|text| relations.index[&tree(text)]);
            relations.rows.iter().any(|row| row.contains_key(&left) && row.contains_key(&right))
        };
        let both = [abscissae.clone(), zero];
        assert!(row_of(&both, "[τ_s,τ_s]_s", "[τ_f,τ_s]_s"));
        assert!(!row_of(&both[..1], "[τ_s,τ_s]_s", "[τ_f,τ_s]_s"));
        assert!(!row_of(&both, "[[τ_s]_s]_s", "[[τ_f]_s]_s"));
    }
}
