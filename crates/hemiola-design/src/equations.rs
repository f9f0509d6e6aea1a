//! The equations of a design: order conditions, the fast part's polynomial, and the error to be made small.

use dashu::rational::RBig;
use hemiola_order::{Grammar, Stages, Tree, TreeId, Trees, Weights, value_and_gradient};
use hemiola_tableau::{Butcher, Exact, Tableau, dot};
use nalgebra::{DMatrix, DVector};

use crate::error::DesignError;
use crate::pattern::{FAST, Pattern};
use crate::specification::Specification;

/// Residuals and their Jacobian with respect to the unknowns.
pub(crate) struct Linearization {
    pub(crate) residual: DVector<f64>,
    pub(crate) jacobian: DMatrix<f64>,
}

/// One coefficient of the fast part's polynomial: bᵀAᵏ⁻¹𝟙 = β.
struct Target {
    power: usize,
    exact: RBig,
    beta: f64,
}

impl Target {
    /// Rows are scaled by β^{−3/4}: between absolute errors, which drown the small high coefficients, and relative ones,
    /// which let them dominate.
    fn scale(&self) -> f64 {
        if self.beta == 0.0 { 1.0 } else { self.beta.abs().powf(-0.75) }
    }
}

/// All equations of a specification for one pattern of unknowns.
pub(crate) struct Equations<'a> {
    pub(crate) pattern: Pattern,
    shared: &'a Conditions,
}

/// What does not depend on the pattern: the trees and the polynomial.
pub(crate) struct Conditions {
    /// All trees up to order p, and those of the conditions among them.
    trees: Trees,
    ids: Vec<TreeId>,
    conditions: Vec<Tree>,
    errors: Vec<Tree>,
    targets: Vec<Target>,
}

impl Conditions {
    pub(crate) fn new(specification: &Specification) -> Result<Self, DesignError> {
        let order = specification.order;
        let trees = Trees::new(&Grammar::partitioned(2), order + 1)?;
        let ids: Vec<TreeId> = (1..=order).flat_map(|n| trees.of_order(n)).collect();
        let conditions = ids.iter().map(|&id| trees.tree(id)).collect();
        let errors = trees.of_order(order + 1).into_iter().map(|id| trees.tree(id)).collect();
        let beyond = specification.polynomial.iter().enumerate().skip(order + 1);
        let targets = beyond.map(|(power, beta)| Target { power, exact: beta.clone(), beta: beta.to_f64().value() });
        let targets = targets.collect();
        Ok(Self { trees, ids, conditions, errors, targets })
    }
}

impl<'a> Equations<'a> {
    pub(crate) fn new(shared: &'a Conditions, pattern: Pattern) -> Self {
        Self { pattern, shared }
    }

    /// Every order condition and every coefficient of the polynomial, scaled.
    pub(crate) fn constraints(&self, x: &[f64]) -> Linearization {
        let tableau = self.pattern.tableau(x);
        let mut rows = self.tree_rows(&tableau, &self.shared.conditions, |_| 1.0);
        let fast = &tableau.partitions[FAST];
        for target in &self.shared.targets {
            let (moment, gradient) = moment_with_gradient(fast, target.power);
            let mut all = zeros(&tableau);
            all.partitions[FAST] = gradient;
            rows.push((moment - target.beta, self.pattern.restrict(&all), target.scale()));
        }
        linearization(&rows, x.len())
    }

    /// The principal error coefficients (Φ − 1/γ)/σ of order p + 1.
    pub(crate) fn errors(&self, x: &[f64]) -> Linearization {
        let tableau = self.pattern.tableau(x);
        let weight = |tree: &Tree| 1.0 / tree.symmetry() as f64;
        linearization(&self.tree_rows(&tableau, &self.shared.errors, weight), x.len())
    }

    fn tree_rows(&self, tableau: &Tableau<f64>, trees: &[Tree], scale: impl Fn(&Tree) -> f64) -> Vec<Row> {
        let row = |tree: &Tree| {
            let (value, gradient) = value_and_gradient(tree, tableau);
            (value - 1.0 / tree.density() as f64, self.pattern.restrict(&gradient), scale(tree))
        };
        trees.iter().map(row).collect()
    }

    /// The residuals of [`constraints`](Self::constraints) in exact arithmetic, each rounded once.
    pub(crate) fn exact_residuals(&self, x: &[RBig]) -> DVector<f64> {
        let x: Vec<Exact> = x.iter().cloned().map(Exact::from).collect();
        let tableau = self.pattern.tableau(&x);
        let mut weights = Weights::new(&self.shared.trees, &tableau, Stages::Solved);
        let conditions = self.shared.ids.iter().map(|&id| weights.residual(id).to_f64());
        let mut residuals: Vec<f64> = conditions.collect();
        let fast = &tableau.partitions[FAST];
        let powers = successive(vec![Exact::from(1); self.pattern.stages()], self.pattern.stages(), |v| fast.times(v));
        let difference = |target: &Target| {
            let moment = dot(&fast.b, &powers[target.power - 1]);
            (moment - Exact::from(target.exact.clone())).to_f64() * target.scale()
        };
        residuals.extend(self.shared.targets.iter().map(difference));
        DVector::from_vec(residuals)
    }
}

/// A residual, its gradient and the factor of both.
type Row = (f64, Vec<f64>, f64);

fn linearization(rows: &[Row], unknowns: usize) -> Linearization {
    let residual = DVector::from_iterator(rows.len(), rows.iter().map(|(residual, _, scale)| residual * scale));
    let jacobian = DMatrix::from_fn(rows.len(), unknowns, |i, j| rows[i].1[j] * rows[i].2);
    Linearization { residual, jacobian }
}

/// bᵀAᵏ⁻¹𝟙 and its derivatives: A^{k−1}𝟙 with respect to b, Σ_m (Aᵀ)ᵐb ⊗ A^{k−2−m}𝟙 with respect to A.
fn moment_with_gradient(butcher: &Butcher<f64>, k: usize) -> (f64, Butcher<f64>) {
    let s = butcher.stages();
    let forward = successive(vec![1.0; s], k, |v| butcher.times(v));
    let transposed = |w: &[f64]| (0..s).map(|j| (0..s).map(|i| butcher.a[i][j] * w[i]).sum()).collect();
    let backward = successive(butcher.b.clone(), k, transposed);
    let moment = butcher.b.iter().zip(&forward[k - 1]).map(|(b, v)| b * v).sum();
    let slope = |i: usize, j: usize| (0..k - 1).map(|m| backward[m][i] * forward[k - 2 - m][j]).sum();
    let a = (0..s).map(|i| (0..s).map(|j| slope(i, j)).collect()).collect();
    (moment, Butcher { a, b: forward[k - 1].clone(), c: vec![0.0; s] })
}

/// v, f(v), f(f(v)), …: k vectors.
fn successive<T: Clone>(v: Vec<T>, k: usize, f: impl Fn(&[T]) -> Vec<T>) -> Vec<Vec<T>> {
    std::iter::successors(Some(v), |v| Some(f(v))).take(k).collect()
}

fn zeros(tableau: &Tableau<f64>) -> Tableau<f64> {
    let s = tableau.stages();
    let zero = Butcher { a: vec![vec![0.0; s]; s], b: vec![0.0; s], c: vec![0.0; s] };
    Tableau { partitions: vec![zero; 2] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_polynomial::Axis;

    #[test]
    fn jacobians_agree_with_differences() {
        let specification = Specification::new(3, 6, Some(3), Axis::Imaginary).unwrap();
        let conditions = Conditions::new(&specification).unwrap();
        let equations = Equations::new(&conditions, Pattern::new(6, &[0, 2, 5]));
        let n = equations.pattern.places().len();
        let x: Vec<f64> = (0..n).map(|i| 0.3 + 0.2 * (i as f64).sin()).collect();
        for part in [Equations::constraints, Equations::errors] {
            let at = part(&equations, &x);
            for j in 0..n {
                let step = 1e-5;
                let moved = |sign: f64| {
                    let mut y = x.clone();
                    y[j] += sign * step;
                    part(&equations, &y).residual
                };
                let difference = (moved(1.0) - moved(-1.0)) / (2.0 * step);
                // Central differences: step² times third derivatives, and rounding over the step.
                assert!((difference - at.jacobian.column(j)).amax() < 1e-7 * (1.0 + at.jacobian.amax()));
            }
        }
    }
}
