//! The equations of a design: order and coupling conditions, stability polynomials, and linear equations of the
//! structure.

use dashu::rational::RBig;
use hemiola_number::DoubleDouble;
use hemiola_order::{Grammar, StageSolution, Tree, TreeId, Trees, Weights};
use hemiola_tableau::{Exact, dot};
use nalgebra::DVector;

use crate::conditions::elementary_weights::{Linearization, WeightSystem};
use crate::error::DesignError;
use crate::specification::definition::Specification;
use crate::unknowns::free_entries::Unknowns;

/// A prescribed coefficient of a partition's stability polynomial: bᵀAᵏ⁻¹𝟙 = β.
struct PolynomialTarget {
    partition: usize,
    power: usize,
    exact: RBig,
    beta: f64,
}

impl PolynomialTarget {
    fn scale(&self) -> f64 {
        row_scale(self.beta)
    }
}

/// Returns the scale β^{−3/4} of the equation of a polynomial coefficient.
///
/// It lies between absolute errors, in which small high coefficients have no influence, and relative errors, in
/// which they dominate.
///
/// The `pow` functions of different systems may differ in the last bit, which decides where a flat descent ends.
/// The result is therefore the nearest double everywhere: a step of Newton's method is applied to 1 − β³y⁴.
pub(crate) fn row_scale(beta: f64) -> f64 {
    let beta = beta.abs();
    let near = 1.0 / (beta.sqrt() * beta.sqrt().sqrt());
    if !near.is_finite() {
        return 1.0;
    }
    let root = DoubleDouble::from(beta) * DoubleDouble::from(near);
    let missed = DoubleDouble::ONE - root * root * root * DoubleDouble::from(near);
    near + 0.25 * near * missed.0
}

/// The conditions of a specification, independent of the choice of unknowns: order conditions and stability
/// polynomials.
pub(crate) struct Conditions {
    /// All trees up to order p + 2, and the ids of those with an order condition.
    trees: Trees,
    ids: Vec<TreeId>,
    targets: Vec<PolynomialTarget>,
    system: WeightSystem,
}

impl Conditions {
    pub(crate) fn new(specification: &Specification) -> Result<Self, DesignError> {
        let order = specification.order;
        let trees = Trees::new(&Grammar::partitioned(2), order + 2)?;
        let ids: Vec<TreeId> = (1..=order).flat_map(|n| trees.of_order(n)).collect();
        let conditions = Self { trees, ids, targets: targets(specification)?, system: WeightSystem::default() };
        let mut system = WeightSystem::default();
        conditions.push_to(&mut system);
        Ok(Self { system, ..conditions })
    }

    /// Returns all trees of an order up to p + 2.
    pub(crate) fn trees_of_order(&self, order: usize) -> Vec<Tree> {
        self.trees.of_order(order).into_iter().map(|id| self.trees.tree(id)).collect()
    }

    /// Adds the order conditions of the trees and bᵀAᵏ⁻¹𝟙 = β for the coefficients of stability polynomials.
    pub(crate) fn push_to(&self, system: &mut WeightSystem) {
        let trees: Vec<Tree> = self.ids.iter().map(|&id| self.trees.tree(id)).collect();
        system.push_trees(&trees, |_| 1.0);
        let all = self.targets.iter();
        all.for_each(|target| system.push_power(target.partition, target.power, target.beta, target.scale()));
    }
}

/// Returns the prescribed coefficients of the stability polynomials beyond the order.
fn targets(specification: &Specification) -> Result<Vec<PolynomialTarget>, DesignError> {
    let mut targets = Vec::new();
    for (partition, polynomial) in specification.polynomials()?.into_iter().enumerate() {
        let beyond = polynomial.into_iter().flatten().enumerate().skip(specification.order + 1);
        targets.extend(beyond.map(|(power, exact)| {
            let beta = exact.to_f64().value();
            PolynomialTarget { partition, power, exact, beta }
        }));
    }
    Ok(targets)
}

/// Equations for the coordinates of a pair.
pub(crate) trait Equations {
    /// Computes residuals and their gradients.
    fn linearization(&self, x: &[f64]) -> Linearization;

    /// Computes only the residuals.
    fn residuals(&self, x: &[f64]) -> DVector<f64>;

    /// Returns the size of residuals due to rounding.
    fn rounding(&self) -> f64 {
        // Sums of some hundred products of numbers up to one.
        5e-15
    }
}

/// The conditions of a specification and the linear equations of its structure, for a choice of unknowns.
pub(crate) struct DesignEquations<'a> {
    pub(crate) unknowns: Unknowns,
    conditions: &'a Conditions,
}

impl<'a> DesignEquations<'a> {
    pub(crate) fn new(conditions: &'a Conditions, unknowns: Unknowns) -> Self {
        Self { unknowns, conditions }
    }

    /// Returns the same equations for other unknowns.
    pub(crate) fn with_unknowns(&self, unknowns: Unknowns) -> Self {
        Self { unknowns, ..*self }
    }

    /// Computes the residuals of [`linearization`](Equations::linearization) in exact arithmetic, each rounded once.
    pub(crate) fn exact_residuals(&self, x: &[RBig]) -> DVector<f64> {
        let numbers: Vec<Exact> = x.iter().cloned().map(Exact::from).collect();
        let tableau = self.unknowns.tableau(&numbers);
        let mut weights = Weights::new(&self.conditions.trees, &tableau, StageSolution::Solved);
        let conditions = self.conditions.ids.iter().map(|&id| weights.residual(id).to_f64());
        let mut residuals: Vec<f64> = conditions.collect();
        let ones = || vec![Exact::from(1); self.unknowns.stages()];
        let powers =
            tableau.partitions.iter().map(|part| successive(ones(), self.unknowns.stages(), |v| part.times(v)));
        let powers: Vec<Vec<Vec<Exact>>> = powers.collect();
        let difference = |target: &PolynomialTarget| {
            let moment = dot(&tableau.partitions[target.partition].b, &powers[target.partition][target.power - 1]);
            (moment - Exact::from(target.exact.clone())).to_f64() * target.scale()
        };
        residuals.extend(self.conditions.targets.iter().map(difference));
        residuals.extend(self.unknowns.equalities().iter().map(|form| form.exact_excess(x).to_f64().value()));
        DVector::from_vec(residuals)
    }
}

impl Equations for DesignEquations<'_> {
    /// Linearizes every order condition, every scaled equation of a polynomial coefficient, and every linear
    /// equation of the structure.
    fn linearization(&self, x: &[f64]) -> Linearization {
        let (conditions, equalities) = (&self.conditions.system, self.unknowns.equalities());
        let mut all = conditions.linearization(&self.unknowns.coefficients(x), &self.unknowns, equalities.len());
        for (form, k) in equalities.iter().zip(conditions.count()..) {
            all.residual[k] = form.excess(x);
            let gradient = all.gradients.column_mut(k).as_flattened_mut();
            form.terms.iter().for_each(|&(j, factor)| gradient[j] = factor);
        }
        all
    }

    fn residuals(&self, x: &[f64]) -> DVector<f64> {
        let residual = self.conditions.system.residual(&self.unknowns.coefficients(x));
        let linear = self.unknowns.equalities().iter().map(|form| form.excess(x));
        let count = residual.len() + self.unknowns.equalities().len();
        DVector::from_iterator(count, residual.iter().copied().chain(linear))
    }
}

/// Returns the k vectors v, f(v), f(f(v)), ….
fn successive<T: Clone>(v: Vec<T>, k: usize, f: impl Fn(&[T]) -> Vec<T>) -> Vec<Vec<T>> {
    std::iter::successors(Some(v), |v| Some(f(v))).take(k).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_the_nearest_doubles() {
        // β^{−3/4} to 20 digits for 1/32, for which a widespread `pow` gives the next double, for 1/128, 3/16 and
        // extremes.
        for (beta, scale) in
            [(0.03125, 13.454342644059432), (0.0078125, 38.05462768008707), (-0.1875, 3.5095307012066463)]
        {
            assert_eq!(row_scale(beta), scale);
        }
        assert_eq!((row_scale(0.0), row_scale(16.0), row_scale(2f64.powi(-800))), (1.0, 0.125, 2f64.powi(600)));
    }
}
