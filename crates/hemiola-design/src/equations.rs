//! The equations of a design: order conditions, the fast part's polynomial, and the error to be made small.

use dashu::rational::RBig;
use hemiola_order::{Grammar, Stages, Tree, TreeId, Trees, Weights};
use hemiola_tableau::{Exact, dot};
use nalgebra::DVector;

use crate::columns::Columns;
use crate::error::DesignError;
use crate::forests::Coefficients;
use crate::lanes::{Lanes, Number, WIDTH};
use crate::objective::Term;
use crate::pattern::Pattern;
use crate::specification::Specification;
use crate::trees::{Linearization, System};

/// One coefficient of a part's stability polynomial: bᵀAᵏ⁻¹𝟙 = β.
struct Target {
    partition: usize,
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

/// What the terms beside the errors count: nothing where starts are ranked, since they are expensive, …
pub(crate) const NOT_AT_ALL: f64 = 0.0;
/// … and otherwise what the specification says.
pub(crate) const IN_FULL: f64 = 1.0;

/// All equations of a specification for one pattern of unknowns.
pub(crate) struct Equations<'a> {
    pub(crate) pattern: Pattern,
    shared: &'a Conditions,
    /// The factor of the terms beside the errors.
    emphasis: f64,
}

/// What does not depend on the pattern: the trees, the polynomials and what is made small.
pub(crate) struct Conditions {
    /// All trees up to order p, and those of the conditions among them.
    trees: Trees,
    ids: Vec<TreeId>,
    targets: Vec<Target>,
    conditions: System,
    /// The principal error coefficients (Φ − 1/γ)/σ.
    principal: System,
    errors: System,
    /// The errors, then the conditions.
    lagrangian: System,
    others: Vec<Box<dyn Term>>,
}

impl Conditions {
    pub(crate) fn new(specification: &Specification) -> Result<Self, DesignError> {
        let order = specification.order;
        let trees = Trees::new(&Grammar::partitioned(2), order + 2)?;
        let ids: Vec<TreeId> = (1..=order).flat_map(|n| trees.of_order(n)).collect();
        let targets = targets(specification)?;
        let of = |ids: &[TreeId]| ids.iter().map(|&id| trees.tree(id)).collect::<Vec<Tree>>();
        let mut conditions = System::default();
        push_conditions(&mut conditions, &of(&ids), &targets);
        let principal_trees = of(&trees.of_order(order + 1));
        let mut principal = System::default();
        principal.push_trees(&principal_trees, |tree| 1.0 / tree.symmetry() as f64);
        let objective = &specification.objective;
        let mut counted = principal_trees;
        if objective.step.is_some() {
            counted.extend(of(&trees.of_order(order + 2)));
        }
        counted.retain(|tree| objective.factor(tree, order) > 0.0);
        let mut errors = System::default();
        errors.push_trees(&counted, |tree| objective.factor(tree, order) / tree.symmetry() as f64);
        let mut lagrangian = errors.clone();
        push_conditions(&mut lagrangian, &of(&ids), &targets);
        let others = objective.other_terms(specification)?;
        Ok(Self { trees, ids, targets, conditions, principal, errors, lagrangian, others })
    }

    /// Whether anything but errors is made small.
    pub(crate) fn has_others(&self) -> bool {
        !self.others.is_empty()
    }
}

/// Adds the order conditions of trees and bᵀAᵏ⁻¹𝟙 = β for the coefficients of stability polynomials.
fn push_conditions(system: &mut System, trees: &[Tree], targets: &[Target]) {
    system.push_trees(trees, |_| 1.0);
    targets.iter().for_each(|target| system.push_power(target.partition, target.power, target.beta, target.scale()));
}

/// The coefficients beyond the order of the polynomials that the parts are to have.
fn targets(specification: &Specification) -> Result<Vec<Target>, DesignError> {
    let mut targets = Vec::new();
    for (partition, polynomial) in specification.polynomials()?.into_iter().enumerate() {
        let beyond = polynomial.into_iter().flatten().enumerate().skip(specification.order + 1);
        targets.extend(beyond.map(|(power, exact)| {
            let beta = exact.to_f64().value();
            Target { partition, power, exact, beta }
        }));
    }
    Ok(targets)
}

impl<'a> Equations<'a> {
    pub(crate) fn new(shared: &'a Conditions, pattern: Pattern, emphasis: f64) -> Self {
        Self { pattern, shared, emphasis }
    }

    /// The same for other unknowns.
    pub(crate) fn with_pattern(&self, pattern: Pattern) -> Self {
        Self { pattern, ..*self }
    }

    /// Every order condition, every coefficient of a polynomial, scaled, and every linear equation of the structure.
    pub(crate) fn constraints(&self, x: &[f64]) -> Linearization {
        let (conditions, equalities) = (&self.shared.conditions, self.pattern.equalities());
        let mut all = conditions.linearization(&self.pattern.coefficients(x), &self.pattern, equalities.len());
        for (form, k) in equalities.iter().zip(conditions.count()..) {
            all.residual[k] = form.excess(x);
            let gradient = all.gradients.column_mut(k).as_flattened_mut();
            form.terms.iter().for_each(|&(j, factor)| gradient[j] = factor);
        }
        all
    }

    /// The residuals of [`constraints`](Self::constraints) alone.
    pub(crate) fn constraint_residuals(&self, x: &[f64]) -> DVector<f64> {
        let residual = self.shared.conditions.residual(&self.pattern.coefficients(x));
        let linear = self.pattern.equalities().iter().map(|form| form.excess(x));
        let count = residual.len() + self.pattern.equalities().len();
        DVector::from_iterator(count, residual.iter().copied().chain(linear))
    }

    /// The 2-norm of the principal error coefficients (Φ − 1/γ)/σ of order p + 1.
    pub(crate) fn error_norm(&self, x: &[f64]) -> f64 {
        self.shared.principal.residual(&self.pattern.coefficients(x)).norm()
    }

    /// What is made small: half a sum of squares.
    pub(crate) fn objective(&self, x: &[f64]) -> f64 {
        let [errors, others] = self.shares(x);
        errors + self.emphasis * others
    }

    /// The errors' share of the objective, and that of the other terms before their emphasis.
    pub(crate) fn shares(&self, x: &[f64]) -> [f64; 2] {
        let at = self.pattern.coefficients(x);
        [self.shared.errors.value(&at), self.others().iter().map(|term| term.value(&at)).sum()]
    }

    /// √(2 × the objective): the principal error norm, where that alone is made small.
    pub(crate) fn merit(&self, x: &[f64]) -> f64 {
        (2.0 * self.objective(x)).sqrt()
    }

    /// The terms beside the errors that count.
    fn others(&self) -> &[Box<dyn Term>] {
        if self.emphasis > 0.0 { &self.shared.others } else { &[] }
    }

    /// The objective's gradient.
    pub(crate) fn objective_gradient(&self, x: &[f64]) -> DVector<f64> {
        let at = self.pattern.coefficients(x);
        let errors = DVector::from_vec(self.pattern.restrict(&self.shared.errors.gradient(&at)));
        errors + self.gradient_of(self.others(), &at)
    }

    fn gradient_of(&self, terms: &[Box<dyn Term>], at: &Coefficients) -> DVector<f64> {
        let mut gradient = Coefficients::zero(at.stages);
        terms.iter().for_each(|term| term.add_gradient(at, &mut gradient));
        DVector::from_vec(self.pattern.restrict(&gradient)) * self.emphasis
    }

    /// The gradient of the errors' share plus Jᵀλ for the constraints' Jacobian J and multipliers λ. What is linear has no part
    /// in second derivatives and is left out.
    fn lagrangian_gradient<T: Number>(&self, x: &[T], multipliers: &DVector<f64>) -> Vec<T> {
        let at = self.pattern.coefficients(x);
        let errors = self.shared.errors.count();
        let weight = |i, residual| if i < errors { residual } else { T::from(multipliers[i - errors]) };
        self.pattern.restrict(&self.shared.lagrangian.pulled_back(&at, weight))
    }

    /// The second derivatives of the Lagrangian along directions, by forward differences of gradients at eight points at once.
    pub(crate) fn curvature(&self, x: &[f64], multipliers: &DVector<f64>, along: &Columns) -> Columns {
        /// Balances the step and the rounding over the step in forward differences.
        const STEP: f64 = 1e-8;
        let mut curvature = Columns::zero(x.len(), along.count());
        let here = self.lagrangian_gradient(x, multipliers);
        for first in (0..along.count()).step_by(WIDTH) {
            let count = WIDTH.min(along.count() - first);
            let moved = |j: usize| {
                let moved = |k: usize| if k < count { x[j] + STEP * along.get(j, first + k) } else { x[j] };
                Lanes(std::array::from_fn(moved))
            };
            let moved: Vec<Lanes> = (0..x.len()).map(moved).collect();
            let there = self.lagrangian_gradient(&moved, multipliers);
            for k in 0..count {
                let slopes = curvature.column_mut(first + k).as_flattened_mut();
                (0..x.len()).for_each(|j| slopes[j] = (there[j].0[k] - here[j]) / STEP);
            }
        }
        self.add_curvature_of_others(x, along, &mut curvature);
        curvature
    }

    /// That of the terms beside the errors, where they are cheaper near a point.
    fn add_curvature_of_others(&self, x: &[f64], along: &Columns, curvature: &mut Columns) {
        /// Balances step² and rounding over the step, both about 1e-10, in central differences.
        const STEP: f64 = 1e-5;
        if self.others().is_empty() {
            return;
        }
        let at = self.pattern.coefficients(x);
        let nearby: Vec<Box<dyn Term>> = self.others().iter().map(|term| term.near(&at)).collect();
        let slope = |x: DVector<f64>| self.gradient_of(&nearby, &self.pattern.coefficients(x.as_slice()));
        let x = DVector::from_column_slice(x);
        for k in 0..along.count() {
            let direction = DVector::from_fn(x.len(), |j, _| along.get(j, k));
            let change = (slope(&x + &direction * STEP) - slope(&x - &direction * STEP)) / (2.0 * STEP);
            let column = curvature.column_mut(k).as_flattened_mut();
            column.iter_mut().zip(&change).for_each(|(sum, change)| *sum += change);
        }
    }

    /// The residuals of [`constraints`](Self::constraints) in exact arithmetic, each rounded once.
    pub(crate) fn exact_residuals(&self, x: &[RBig]) -> DVector<f64> {
        let numbers: Vec<Exact> = x.iter().cloned().map(Exact::from).collect();
        let tableau = self.pattern.tableau(&numbers);
        let mut weights = Weights::new(&self.shared.trees, &tableau, Stages::Solved);
        let conditions = self.shared.ids.iter().map(|&id| weights.residual(id).to_f64());
        let mut residuals: Vec<f64> = conditions.collect();
        let ones = || vec![Exact::from(1); self.pattern.stages()];
        let powers = tableau.partitions.iter().map(|part| successive(ones(), self.pattern.stages(), |v| part.times(v)));
        let powers: Vec<Vec<Vec<Exact>>> = powers.collect();
        let difference = |target: &Target| {
            let moment = dot(&tableau.partitions[target.partition].b, &powers[target.partition][target.power - 1]);
            (moment - Exact::from(target.exact.clone())).to_f64() * target.scale()
        };
        residuals.extend(self.shared.targets.iter().map(difference));
        residuals.extend(self.pattern.equalities().iter().map(|form| form.exact_excess(x).to_f64().value()));
        DVector::from_vec(residuals)
    }
}

/// v, f(v), f(f(v)), …: k vectors.
fn successive<T: Clone>(v: Vec<T>, k: usize, f: impl Fn(&[T]) -> Vec<T>) -> Vec<Vec<T>> {
    std::iter::successors(Some(v), |v| Some(f(v))).take(k).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::Structure;

    #[test]
    fn jacobians_agree_with_differences() {
        let specification = Specification::new(3, 6, Some(3)).unwrap();
        let conditions = Conditions::new(&specification).unwrap();
        let equations = Equations::new(&conditions, Pattern::new(6, &[0, 2, 5], &Structure::default()), IN_FULL);
        let n = equations.pattern.places().len();
        let x: Vec<f64> = (0..n).map(|i| 0.3 + 0.2 * (i as f64).sin()).collect();
        let difference = |j: usize, f: &dyn Fn(&[f64]) -> DVector<f64>| {
            let step = 1e-5;
            let moved = |sign: f64| {
                let mut y = x.clone();
                y[j] += sign * step;
                f(&y)
            };
            (moved(1.0) - moved(-1.0)) / (2.0 * step)
        };
        let at = equations.constraints(&x);
        let gradient = equations.objective_gradient(&x);
        let multipliers = DVector::from_fn(at.residual.len(), |i, _| (i as f64).cos());
        let combined = DVector::from_vec(equations.lagrangian_gradient(&x, &multipliers));
        let expected = &gradient + at.jacobian().transpose() * &multipliers;
        assert!((&combined - expected).amax() < 1e-12 * (1.0 + combined.amax()));
        let curvature = equations.curvature(&x, &multipliers, &Columns::unit(n, 0..n)).matrix();
        let size = curvature.amax();
        assert!((&curvature - curvature.transpose()).amax() < 1e-6 * size);
        for j in 0..n {
            // Central differences: step² times third derivatives, and rounding over the step.
            let slope = difference(j, &|y| equations.constraint_residuals(y));
            assert!((slope - at.jacobian().column(j)).amax() < 1e-7 * (1.0 + at.jacobian().amax()));
            let slope = difference(j, &|y| DVector::from_element(1, equations.objective(y)));
            assert!((slope[0] - gradient[j]).abs() < 1e-7 * (1.0 + gradient.amax()));
            let slope = difference(j, &|y| DVector::from_vec(equations.lagrangian_gradient(y, &multipliers)));
            assert!((slope - curvature.column(j)).amax() < 1e-6 * (1.0 + size));
        }
    }
}
