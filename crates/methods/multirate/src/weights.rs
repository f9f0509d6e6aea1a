//! Elementary weights of trees: polynomials in τ along each stage, over any number type.
//!
//! For a tree t with subtrees u, the stage i that starts from r has
//!
//! V(0)[t] = Y_r[t], V′[t] = Δ Π V[u] for a fast root, V′[t] = Σ_j γ^σ_j(τ) Π Y_j[u] for a root σ,
//! Y_i[t] = V(1)[t] + Σ_j Γ^σ_j Π Y_j[u].
//!
//! A start α adds Σ_j α_j Y_j[t] to V(0)[t], and a drift γ adds Σ_j γ_j Y_j[t] to V′[t]: Y₁[t] = 0 for every tree.
//!
//! A value depends only on smaller trees, so implicit stages do not require the solution of equations.

use std::collections::HashMap;
use std::rc::Rc;

use hemiola_order::{NodeKind, TreeId, Trees};
use hemiola_tableau::Scalar;

use crate::polynomial::{at_one, integral, integral_of_product, product};
use crate::stage::InfinitesimalStage;

/// The row of a method whose weights are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// The last stage, the result of the step.
    Step,
    /// The embedded stage.
    Embedded,
}

/// The values of a forest or a tree in all rows.
struct RowValues<T> {
    /// Polynomials along the rows.
    along: Vec<Vec<T>>,
    /// Values of the stages Y₁ … Y_{s+1}, and of the embedded one.
    at_end: Vec<T>,
}

/// Computes elementary weights of an infinitesimal method.
///
/// ```
/// use hemiola_multirate::{MultirateWeights, RowKind, library};
/// use hemiola_order::{Grammar, Trees};
/// let method = library::method("mis-kw3")?;
/// let trees = Trees::new(&Grammar::partitioned(2), 1)?;
/// let mut weights = MultirateWeights::new(&trees, method.exact_rows(), method.stages().len());
/// let weight = |tree| weights.weight(tree, RowKind::Step).to_string();
/// assert_eq!(trees.of_order(1).into_iter().map(weight).collect::<Vec<_>>(), ["1", "1"]);
/// # Ok::<(), hemiola_multirate::MultirateError>(())
/// ```
pub struct MultirateWeights<'a, T> {
    trees: &'a Trees,
    rows: Vec<InfinitesimalStage<T>>,
    stages: usize,
    /// Values of trees, each computed when a larger tree first needs it.
    values: HashMap<TreeId, Rc<RowValues<T>>>,
    /// Products over forests, which trees with different roots share.
    forests: HashMap<Vec<TreeId>, Rc<RowValues<T>>>,
}

impl<'a, T: Scalar> MultirateWeights<'a, T> {
    /// Creates the weights of a method from its rows: the `stages` stages Y₂ … Y_{s+1} and, optionally, the embedded
    /// stage.
    ///
    /// # Panics
    /// Panics if there are fewer rows than stages, or if a row refers to a stage that does not precede it. The rows of
    /// an [`InfinitesimalMethod`](crate::InfinitesimalMethod) never do.
    #[must_use]
    pub fn new(trees: &'a Trees, rows: Vec<InfinitesimalStage<T>>, stages: usize) -> Self {
        assert!(rows.len() >= stages, "every stage has a row");
        Self { trees, rows, stages, values: HashMap::new(), forests: HashMap::new() }
    }

    /// Computes the weight Φ(t) of a tree; zero for the embedded row of a method without one.
    ///
    /// The colors of the nodes are those of the partitions, the fast one first.
    #[must_use]
    pub fn weight(&mut self, tree: TreeId, row: RowKind) -> T {
        let index = match row {
            RowKind::Step => self.stages - 1,
            RowKind::Embedded => self.stages,
        };
        if index >= self.rows.len() {
            return T::zero();
        }
        let children: Vec<TreeId> = self.trees.children(tree).collect();
        let path = self.path(index);
        match color(self.trees.kind(tree)).checked_sub(1) {
            None => self.fast_weight(&children, &path),
            Some(slow) => self.slow_weight(slow, &children, &path),
        }
    }

    /// Returns the rows whose increments add up to the value at the end of a row, last row first, each with its factor:
    /// one for the rows on the path from the beginning of the step, plus the contributions of starts and drifts.
    fn path(&self, index: usize) -> Vec<(usize, T)> {
        let mut factors = vec![T::zero(); index + 1];
        factors[index] = T::one();
        for e in (0..=index).rev() {
            let factor = factors[e].clone();
            if factor.is_zero() {
                continue;
            }
            if let Some(before) = self.rows[e].from.checked_sub(2) {
                factors[before] += factor.clone();
            }
            for (j, coefficient) in self.rows[e].combined().filter(|(j, coefficient)| *j > 0 && !coefficient.is_zero())
            {
                factors[j - 1] += factor.clone() * coefficient.clone();
            }
        }
        factors.into_iter().enumerate().rev().filter(|(_, factor)| !factor.is_zero()).collect()
    }

    /// Computes Σ_e Δ_e ∫₀¹ Π V_e[u] over the rows of a path, times their factors.
    fn fast_weight(&mut self, children: &[TreeId], path: &[(usize, T)]) -> T {
        let (first, rest) = match children.split_first() {
            Some((first, rest)) => (Some(self.tree(*first)), self.forest(rest)),
            None => (None, self.forest(&[])),
        };
        let mut sum = T::zero();
        for (e, factor) in path.iter().filter(|(e, _)| !self.rows[*e].interval.is_zero()) {
            let rest = &rest.along[*e];
            let integral =
                first.as_ref().map_or_else(|| rest[0].clone(), |first| integral_of_product(&first.along[*e], rest));
            sum += factor.clone() * (self.rows[*e].interval.clone() * integral);
        }
        sum
    }

    /// Computes Σ_j b_j Π Y_j[u], where b_j are the integrals of the forcing over a path, with the corrections, times the
    /// factors of the rows.
    fn slow_weight(&mut self, slow: usize, children: &[TreeId], path: &[(usize, T)]) -> T {
        let values: Vec<Rc<RowValues<T>>> = children.iter().map(|child| self.tree(*child)).collect();
        let mut products: Vec<Option<T>> = vec![None; self.rows.len() + 1];
        let mut sum = T::zero();
        for (e, factor) in path {
            let row = &self.rows[*e];
            let powers = row.forcing[slow].iter().enumerate();
            let forcing = powers.map(|(k, columns)| (columns, T::ratio(1, k as u64 + 1)));
            for (columns, scale) in forcing.chain([(&row.correction[slow], T::one())]) {
                let mut part = T::zero();
                for (j, coefficient) in columns.iter().enumerate().filter(|(_, coefficient)| !coefficient.is_zero()) {
                    let stage = self.column(*e, j);
                    let product = products[stage].get_or_insert_with(|| {
                        values.iter().fold(T::one(), |product, value| product * value.at_end[stage].clone())
                    });
                    part += coefficient.clone() * product.clone();
                }
                sum += factor.clone() * (scale * part);
            }
        }
        sum
    }

    /// Returns the products over the trees of a forest.
    fn forest(&mut self, forest: &[TreeId]) -> Rc<RowValues<T>> {
        if let Some(found) = self.forests.get(forest) {
            return Rc::clone(found);
        }
        let values = match forest.split_first() {
            None => {
                let rows = self.rows.len();
                Rc::new(RowValues { along: vec![vec![T::one()]; rows], at_end: vec![T::one(); rows + 1] })
            }
            Some((&tree, [])) => self.tree(tree),
            Some((&tree, rest)) => {
                let (first, rest) = (self.tree(tree), self.forest(rest));
                let along = first.along.iter().zip(&rest.along).map(|(x, y)| product(x, y)).collect();
                let ends = first.at_end.iter().zip(&rest.at_end);
                Rc::new(RowValues { along, at_end: ends.map(|(x, y)| x.clone() * y.clone()).collect() })
            }
        };
        self.forests.insert(forest.to_vec(), Rc::clone(&values));
        values
    }

    /// Returns the values of a tree.
    fn tree(&mut self, tree: TreeId) -> Rc<RowValues<T>> {
        if let Some(found) = self.values.get(&tree) {
            return Rc::clone(found);
        }
        let forest = self.forest(&self.trees.children(tree).collect::<Vec<_>>());
        let color = color(self.trees.kind(tree));
        let mut values = RowValues { along: Vec::with_capacity(self.rows.len()), at_end: vec![T::zero()] };
        for e in 0..self.rows.len() {
            let (row, mut slope) = (&self.rows[e], self.slope(e, color, &forest));
            let start = values.at_end[row.from - 1].clone() + combination(&row.start, &values.at_end);
            let drift = combination(&row.drift, &values.at_end);
            match slope.first_mut() {
                Some(constant) => *constant += drift,
                None if drift.is_zero() => {}
                None => slope.push(drift),
            }
            let along = integral(start, slope);
            values.at_end.push(at_one(&along) + self.correction(e, color, &forest));
            values.along.push(along);
        }
        let values = Rc::new(values);
        self.values.insert(tree, Rc::clone(&values));
        values
    }

    /// Computes V′ along a row for a root of this color.
    fn slope(&self, e: usize, color: usize, forest: &RowValues<T>) -> Vec<T> {
        let row = &self.rows[e];
        match color.checked_sub(1) {
            None if row.interval.is_zero() => Vec::new(),
            None => forest.along[e].iter().map(|coefficient| row.interval.clone() * coefficient.clone()).collect(),
            Some(slow) => row.forcing[slow].iter().map(|columns| self.sum(e, columns, forest)).collect(),
        }
    }

    /// Computes Σ_j Γ_j Π Y_j for a root of this color.
    fn correction(&self, e: usize, color: usize, forest: &RowValues<T>) -> T {
        color.checked_sub(1).map_or_else(T::zero, |slow| self.sum(e, &self.rows[e].correction[slow], forest))
    }

    /// Computes the sum of the stages' products with these coefficients.
    fn sum(&self, e: usize, columns: &[T], forest: &RowValues<T>) -> T {
        let mut sum = T::zero();
        for (j, coefficient) in columns.iter().enumerate() {
            // Coefficients are zero by structure.
            if !coefficient.is_zero() {
                sum += coefficient.clone() * forest.at_end[self.column(e, j)].clone();
            }
        }
        sum
    }

    /// Returns the index of the values to which a column of a row refers. The embedded stage has the column of the last
    /// stage.
    fn column(&self, e: usize, j: usize) -> usize {
        if e == self.stages && j == self.stages { j + 1 } else { j }
    }
}

/// Computes Σ_j α_j Y_j of one tree.
fn combination<T: Scalar>(columns: &[T], at_end: &[T]) -> T {
    let nonzero = columns.iter().zip(at_end).filter(|(coefficient, _)| !coefficient.is_zero());
    nonzero.fold(T::zero(), |mut sum, (coefficient, value)| {
        sum += coefficient.clone() * value.clone();
        sum
    })
}

fn color(kind: NodeKind) -> usize {
    let (NodeKind::Partition(color) | NodeKind::Time(color)) = kind;
    color
}
