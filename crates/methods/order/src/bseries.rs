//! B-series over colored trees: those of methods, exact flows and vector fields.
//!
//! B(a) = y + Σ h^{|t|}/σ(t) a(t) F(t)(y), one sum for each root color (P-series). A method has a = Φ, and the exact
//! flow has a = 1/γ. A vector field h f̃ = Σ h^{|t|}/σ(t) b(t) F(t) has the flow a = Σ_{j≥1} 1/j! ∂_b^{j−1} b, where
//! (∂_b c)(t) = Σ c(t∖u) b(u) over all subtrees u that a single cut removes (Hairer, Lubich & Wanner, *Geometric
//! Numerical Integration*, 2006, Lemma IX.9.1 and Theorem IX.9.2; Hairer 1994 for P-series). Solved from small trees to
//! large ones, the same equation gives b from a: the modified equation of backward error analysis.

use std::collections::HashMap;
use std::sync::Arc;

use hemiola_tableau::{Scalar, Tableau};

use crate::engine::weights::{StageSolution, Weights};
use crate::error::OrderError;
use crate::trees::enumerate::Trees;
use crate::trees::grammar::Grammar;
use crate::trees::tree::Tree;

/// Maximum number of trees; more would take minutes in exact arithmetic.
const MOST_TREES: u128 = 100_000;

/// The coefficients a(t) of a B-series, for all trees up to some order.
///
/// ```
/// use hemiola_order::{BSeries, Tree};
/// let euler = hemiola_tableau::library::method("explicit-euler").unwrap().exact();
/// let modified = BSeries::of_method(&euler, 3).unwrap().logarithm();
/// // f̃ = f − h/2 f'f + h²(1/12 f''(f,f) + 1/3 f'f'f) + … (Hairer, Lubich & Wanner 2006, §IX.9).
/// let term = |text| modified.term(&Tree::parse(text, &["all"]).unwrap()).unwrap().to_string();
/// assert_eq!([term("[τ]"), term("[τ,τ]"), term("[[τ]]")], ["-1/2", "1/12", "1/3"]);
/// ```
#[derive(Clone, Debug)]
pub struct BSeries<T> {
    table: Arc<CutTable>,
    coefficients: Vec<T>,
}

/// Trees up to an order, and the two parts that result from each cut of an edge.
#[derive(Debug)]
struct CutTable {
    trees: Vec<Tree>,
    index: HashMap<Tree, usize>,
    /// For each tree and each of its edges: the part with the root, and the subtree above the edge.
    cuts: Vec<Vec<(usize, usize)>>,
}

impl<T: Scalar> BSeries<T> {
    /// Returns the B-series of one step of a method: a(t) = Φ(t).
    ///
    /// # Errors
    /// Returns an [`OrderError`] if the order is out of range or there are more than a hundred thousand trees.
    pub fn of_method(tableau: &Tableau<T>, order: usize) -> Result<Self, OrderError> {
        let (trees, table) = tables(tableau.partitions.len(), order)?;
        let mut weights = Weights::new(&trees, tableau, StageSolution::Solved);
        let ids = (1..=order).flat_map(|order| trees.of_order(order));
        let coefficients = ids.map(|id| weights.elementary_weight(id)).collect();
        Ok(Self { table: Arc::new(table), coefficients })
    }

    /// Returns the B-series of the exact flow over one step: a(t) = 1/γ(t).
    ///
    /// # Errors
    /// Returns the errors of [`of_method`](Self::of_method).
    pub fn of_exact_flow(partitions: usize, order: usize) -> Result<Self, OrderError> {
        let (_, table) = tables(partitions, order)?;
        let coefficients = table.trees.iter().map(|tree| T::ratio(1, tree.density())).collect();
        Ok(Self { table: Arc::new(table), coefficients })
    }

    /// Iterates over the trees with their coefficients a(t), by ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (&Tree, &T)> {
        self.table.trees.iter().zip(&self.coefficients)
    }

    /// Returns the coefficient a(t), or `None` beyond the order of the series.
    #[must_use]
    pub fn coefficient(&self, tree: &Tree) -> Option<&T> {
        self.coefficients.get(*self.table.index.get(tree)?)
    }

    /// Returns the factor a(t)/σ(t) of h^{|t|} F(t), or `None` beyond the order of the series.
    #[must_use]
    pub fn term(&self, tree: &Tree) -> Option<T> {
        Some(self.coefficient(tree)?.clone() * T::ratio(1, tree.symmetry()))
    }

    /// Returns the series of h f̃ with a vector field f̃ whose flow over one step is this series. For a method
    /// this is its modified equation.
    #[must_use]
    pub fn logarithm(&self) -> Self {
        self.solve(|a, beyond| {
            let field = a - beyond;
            (field.clone(), field)
        })
    }

    /// Returns the flow over one step of the vector field given by this series.
    #[must_use]
    pub fn exponential(&self) -> Self {
        self.solve(|field, beyond| (field.clone(), field + beyond))
    }

    /// Evaluates a = b + Σ_{j≥2} 1/j! ∂_b^{j−1} b by ascending order. The sum depends only on smaller trees;
    /// given the value at a tree and this sum, `step` returns the field b at the tree and the result.
    fn solve(&self, step: impl Fn(T, T) -> (T, T)) -> Self {
        // derivatives[t][j − 1] is (∂_b^{j−1} b)(t); the first is b itself.
        let mut derivatives: Vec<Vec<T>> = Vec::with_capacity(self.coefficients.len());
        let mut coefficients = Vec::with_capacity(self.coefficients.len());
        for (given, cuts) in self.coefficients.iter().zip(&self.table.cuts) {
            let mut higher = vec![T::zero(); self.table.trees[derivatives.len()].order() - 1];
            for &(trunk, branch) in cuts {
                let field = derivatives[branch][0].clone();
                for (sum, lower) in higher.iter_mut().zip(&derivatives[trunk]) {
                    *sum += lower.clone() * field.clone();
                }
            }
            let mut factorial = 1;
            let mut beyond = T::zero();
            for (j, derivative) in higher.iter().enumerate() {
                factorial *= j as u64 + 2;
                beyond += derivative.clone() * T::ratio(1, factorial);
            }
            let (field, found) = step(given.clone(), beyond);
            derivatives.push(std::iter::once(field).chain(higher).collect());
            coefficients.push(found);
        }
        Self { table: Arc::clone(&self.table), coefficients }
    }
}

fn tables(partitions: usize, order: usize) -> Result<(Trees, CutTable), OrderError> {
    let grammar = Grammar::partitioned(partitions);
    grammar.check_total(order, MOST_TREES)?;
    let enumerated = Trees::new(&grammar, order)?;
    let ids = (1..=order).flat_map(|order| enumerated.of_order(order));
    let trees: Vec<Tree> = ids.map(|id| enumerated.tree(id)).collect();
    let index: HashMap<Tree, usize> = trees.iter().cloned().enumerate().map(|(k, tree)| (tree, k)).collect();
    // Every tree with fewer nodes is in the table, so no part of a cut is missing.
    let known = |(trunk, branch): (Tree, Tree)| Some((*index.get(&trunk)?, *index.get(&branch)?));
    let cuts = trees.iter().map(|tree| cuts(tree).into_iter().filter_map(known).collect()).collect();
    Ok((enumerated, CutTable { trees, index, cuts }))
}

/// Returns for each edge of a tree the part with the root and the subtree above the edge.
fn cuts(tree: &Tree) -> Vec<(Tree, Tree)> {
    let mut cuts_found = Vec::new();
    for (k, child) in tree.children().iter().enumerate() {
        let others =
            || tree.children().iter().enumerate().filter(move |(l, _)| *l != k).map(|(_, other)| other.clone());
        cuts_found.push((Tree::new(tree.kind(), others().collect()), child.clone()));
        for (trunk, branch) in cuts(child) {
            cuts_found.push((Tree::new(tree.kind(), others().chain([trunk]).collect()), branch));
        }
    }
    cuts_found
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::{Exact, library};
    use num_traits::{One, Zero};

    fn modified(id: &str, order: usize) -> BSeries<Exact> {
        BSeries::of_method(&library::method(id).unwrap().exact(), order).unwrap().logarithm()
    }

    fn terms(series: &BSeries<Exact>, labels: &[&str], texts: &[&str]) -> Vec<String> {
        let term = |text: &&str| series.term(&Tree::parse(text, labels).unwrap()).unwrap().to_string();
        texts.iter().map(term).collect()
    }

    #[test]
    fn explicit_euler() {
        // … − h³(1/4 f'f'f'f + 1/12 f''(f'f,f) + 1/12 f'f''(f,f)) (Hairer, Lubich & Wanner 2006, §IX.9).
        let euler = modified("explicit-euler", 4);
        let trees = ["τ", "[τ]", "[τ,τ]", "[[τ]]", "[τ,τ,τ]", "[[τ],τ]", "[[τ,τ]]", "[[[τ]]]"];
        let expected = ["1", "-1/2", "1/12", "1/3", "0", "-1/12", "-1/12", "-1/4"];
        assert_eq!(terms(&euler, &["all"], &trees), expected);
        // For y' = λy only tall trees remain, and h f̃ = log(1 + hλ): coefficients (−1)ⁿ⁻¹/n.
        let euler = modified("explicit-euler", 9);
        let mut tall = Tree::new(crate::NodeKind::Partition(0), Vec::new());
        for n in 1..=9 {
            assert_eq!(*euler.coefficient(&tall).unwrap(), Exact::ratio(if n % 2 == 0 { -1 } else { 1 }, n));
            tall = Tree::new(tall.kind(), vec![tall]);
        }
    }

    #[test]
    fn implicit_midpoint() {
        // f̃ = f + h²(−1/24 f''(f,f) + 1/12 f'f'f) + …
        let midpoint = modified("implicit-midpoint", 5);
        let trees = ["[τ]", "[τ,τ]", "[[τ]]"];
        assert_eq!(terms(&midpoint, &["all"], &trees), ["0", "-1/24", "1/12"]);
        // The modified equation of a symmetric method has only even powers of h: trees of odd order (Theorem
        // IX.2.2).
        assert!(midpoint.iter().all(|(tree, coefficient)| tree.order() % 2 == 1 || coefficient.is_zero()));
    }

    #[test]
    fn symplectic_euler() {
        // By the Baker–Campbell–Hausdorff formula for q' = g(p), p' = f(q) (Hairer, Lubich & Wanner 2006,
        // §III.5.3), with the position updated first: H̃ = H − h/2 HqHp + h²/12 (…), where f''(g,g) has the
        // factor 1/12 and f'g'f −1/6.
        let labels = ["q", "p"];
        let euler = modified("symplectic-euler", 3);
        let second = ["[τ_p]_q", "[τ_q]_p"];
        assert_eq!(terms(&euler, &labels, &second), ["1/2", "-1/2"]);
        let third = ["[τ_p,τ_p]_q", "[τ_q,τ_q]_p", "[[τ_q]_p]_q", "[[τ_p]_q]_p"];
        assert_eq!(terms(&euler, &labels, &third), ["1/12", "1/12", "-1/6", "-1/6"]);
    }

    #[test]
    fn a_method_of_order_p_changes_the_equation_at_h_to_the_p() {
        let gauss = modified("gauss-2", 5);
        let exact = BSeries::of_exact_flow(1, 5).unwrap();
        let scheme = BSeries::of_method(&library::method("gauss-2").unwrap().exact(), 5).unwrap();
        for (tree, coefficient) in gauss.iter() {
            match tree.order() {
                1 => assert!(coefficient.is_one()),
                2..=4 => assert!(coefficient.is_zero()),
                // The first terms are the principal error (Theorem IX.1.2).
                _ => {
                    let error = scheme.coefficient(tree).unwrap().clone() - exact.coefficient(tree).cloned().unwrap();
                    assert_eq!(*coefficient, error);
                }
            }
        }
    }

    #[test]
    fn the_flow_of_the_modified_equation_is_the_method() {
        for (id, order) in [("rk4", 8), ("gauss-2", 6), ("radau-iia-2", 7), ("stormer-verlet", 6), ("ars-2-2-2", 5)] {
            let series = BSeries::of_method(&library::method(id).unwrap().exact(), order).unwrap();
            let again = series.logarithm().exponential();
            assert!(series.iter().eq(again.iter()), "{id}");
        }
        // The field f itself has the exact flow, for three colors as well.
        for partitions in 1..=3 {
            let exact: BSeries<Exact> = BSeries::of_exact_flow(partitions, 5).unwrap();
            let field = exact.logarithm();
            assert!(field.iter().all(|(tree, b)| if tree.order() == 1 { b.is_one() } else { b.is_zero() }));
        }
    }

    #[test]
    fn requests_that_cannot_finish_are_refused() {
        let refused = BSeries::<f64>::of_exact_flow(2, 10).unwrap_err();
        assert!(matches!(refused, OrderError::TooManyTrees { count: 547_404, .. }));
    }
}
