//! The nonlinear program of a design: minimize an objective among the solutions of the equations, subject to
//! inequalities.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use nalgebra::DVector;

use crate::conditions::elementary_weights::Linearization;
use crate::conditions::equations::{Conditions, DesignEquations};
use crate::error::DesignError;
use crate::pair::coefficients::PairCoefficients;
use crate::simd::columns::PaddedColumns;
use crate::simd::lanes::{EightPoints, WIDTH, WeightNumber};
use crate::specification::definition::Specification;
use crate::specification::solver::DescentSolver;
use crate::terms::objective::Terms;
use crate::terms::term::Term;
use crate::unknowns::free_entries::Unknowns;

/// Emphasis that omits the terms other than errors, because they are too expensive for the ranking of starts.
pub(crate) const NOT_AT_ALL: f64 = 0.0;
/// Emphasis that counts the terms other than errors as specified.
pub(crate) const IN_FULL: f64 = 1.0;

/// The part of the program that does not depend on the unknowns.
pub(crate) struct Formulation {
    conditions: Conditions,
    terms: Terms,
    /// The solver of descents.
    pub(crate) solver: DescentSolver,
    counts: [AtomicUsize; 3],
}

/// Numbers of evaluations of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvaluationCounts {
    /// Values of the objective.
    pub values: usize,
    /// Gradients of the objective.
    pub gradients: usize,
    /// Directions along which second derivatives were computed, each at the cost of about a gradient of the Lagrangian.
    pub curvatures: usize,
}

impl Formulation {
    pub(crate) fn new(specification: &Specification) -> Result<Self, DesignError> {
        let conditions = Conditions::new(specification)?;
        let terms = Terms::new(specification, &conditions)?;
        Ok(Self { terms, conditions, solver: specification.solver, counts: Default::default() })
    }

    pub(crate) fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// Returns the numbers of evaluations so far.
    pub(crate) fn counts(&self) -> EvaluationCounts {
        let [values, gradients, curvatures] = [0, 1, 2].map(|kind| self.counts[kind].load(Relaxed));
        EvaluationCounts { values, gradients, curvatures }
    }

    /// Returns whether the objective has terms other than errors.
    pub(crate) fn has_others(&self) -> bool {
        !self.terms.others.is_empty()
    }

    /// Returns the program for a choice of unknowns, with a factor for the terms other than errors.
    pub(crate) fn problem(&self, unknowns: Unknowns, emphasis: f64) -> Problem<'_> {
        Problem { equations: DesignEquations::new(&self.conditions, unknowns), formulation: self, emphasis }
    }
}

/// The program for a choice of unknowns.
pub(crate) struct Problem<'a> {
    pub(crate) equations: DesignEquations<'a>,
    formulation: &'a Formulation,
    /// The factor of the terms other than errors.
    emphasis: f64,
}

impl Problem<'_> {
    pub(crate) fn unknowns(&self) -> &Unknowns {
        &self.equations.unknowns
    }

    /// Returns the same program for other unknowns.
    pub(crate) fn with_unknowns(&self, unknowns: Unknowns) -> Self {
        Self { equations: self.equations.with_unknowns(unknowns), ..*self }
    }

    /// Computes the 2-norm of the principal error coefficients (Φ − 1/γ)/σ of order p + 1.
    pub(crate) fn error_norm(&self, x: &[f64]) -> f64 {
        self.formulation.terms.principal.residual(&self.unknowns().coefficients(x)).norm()
    }

    /// Computes the objective: half a sum of squares.
    pub(crate) fn objective(&self, x: &[f64]) -> f64 {
        let [errors, others] = self.shares(x);
        errors + self.emphasis * others
    }

    /// Returns the shares of the errors and of the other terms in the objective, the latter without their emphasis.
    pub(crate) fn shares(&self, x: &[f64]) -> [f64; 2] {
        self.count(0, 1);
        let at = self.unknowns().coefficients(x);
        [self.formulation.terms.errors.value(&at), self.others().iter().map(|term| term.value(&at)).sum()]
    }

    /// Computes √(2 × the objective), which is the principal error norm if there are no other terms.
    pub(crate) fn merit(&self, x: &[f64]) -> f64 {
        (2.0 * self.objective(x)).sqrt()
    }

    /// Computes the error coefficients; `None` if the objective has other terms.
    pub(crate) fn error_coefficients(&self, x: &[f64]) -> Option<DVector<f64>> {
        let (errors, at) = (&self.formulation.terms.errors, self.unknowns().coefficients(x));
        self.others().is_empty().then(|| errors.residual(&at))
    }

    /// Linearizes the error coefficients, at the cost of about a gradient; `None` if the objective has other terms.
    pub(crate) fn error_slopes(&self, x: &[f64]) -> Option<Linearization> {
        self.count(1, 1);
        let (errors, at) = (&self.formulation.terms.errors, self.unknowns().coefficients(x));
        self.others().is_empty().then(|| errors.linearization(&at, self.unknowns(), 0))
    }

    /// Returns the solver of descents.
    pub(crate) fn solver(&self) -> DescentSolver {
        self.formulation.solver
    }

    fn count(&self, kind: usize, evaluations: usize) {
        self.formulation.counts[kind].fetch_add(evaluations, Relaxed);
    }

    /// Returns the terms other than errors, unless their emphasis is zero.
    fn others(&self) -> &[Box<dyn Term>] {
        if self.emphasis > 0.0 { &self.formulation.terms.others } else { &[] }
    }

    /// Computes the gradient of the objective.
    pub(crate) fn objective_gradient(&self, x: &[f64]) -> DVector<f64> {
        self.count(1, 1);
        let at = self.unknowns().coefficients(x);
        let errors = DVector::from_vec(self.unknowns().restrict(&self.formulation.terms.errors.gradient(&at)));
        errors + self.gradient_of(self.others(), &at)
    }

    fn gradient_of(&self, terms: &[Box<dyn Term>], at: &PairCoefficients) -> DVector<f64> {
        let mut gradient = PairCoefficients::zero(at.stages);
        terms.iter().for_each(|term| term.add_gradient(at, &mut gradient));
        DVector::from_vec(self.unknowns().restrict(&gradient)) * self.emphasis
    }

    /// Computes the gradient of the errors' share plus Jᵀλ, for the Jacobian J of the constraints and multipliers
    /// λ. Linear constraints have no second derivatives and are omitted.
    fn lagrangian_gradient<T: WeightNumber>(&self, x: &[T], multipliers: &DVector<f64>) -> Vec<T> {
        let at = self.unknowns().coefficients(x);
        let errors = self.formulation.terms.errors.count();
        let weight = |i, residual| if i < errors { residual } else { T::from(multipliers[i - errors]) };
        self.unknowns().restrict(&self.formulation.terms.lagrangian.pulled_back(&at, weight))
    }

    /// Computes second derivatives of the Lagrangian along directions, by forward differences of gradients at eight
    /// points at once.
    pub(crate) fn curvature(&self, x: &[f64], multipliers: &DVector<f64>, along: &PaddedColumns) -> PaddedColumns {
        /// Balances truncation and rounding errors of forward differences.
        const STEP: f64 = 1e-8;
        self.count(2, along.count());
        let mut curvature = PaddedColumns::zero(x.len(), along.count());
        let here = self.lagrangian_gradient(x, multipliers);
        for first in (0..along.count()).step_by(WIDTH) {
            let count = WIDTH.min(along.count() - first);
            let moved = |j: usize| {
                let moved = |k: usize| if k < count { x[j] + STEP * along.get(j, first + k) } else { x[j] };
                EightPoints(std::array::from_fn(moved))
            };
            let moved: Vec<EightPoints> = (0..x.len()).map(moved).collect();
            let there = self.lagrangian_gradient(&moved, multipliers);
            for k in 0..count {
                let slopes = curvature.column_mut(first + k).as_flattened_mut();
                (0..x.len()).for_each(|j| slopes[j] = (there[j].0[k] - here[j]) / STEP);
            }
        }
        self.add_curvature_of_others(x, along, &mut curvature);
        curvature
    }

    /// Adds the second derivatives of the terms other than errors, by a form of the term that is cheaper near a point,
    /// if it has one.
    fn add_curvature_of_others(&self, x: &[f64], along: &PaddedColumns, curvature: &mut PaddedColumns) {
        /// Balances truncation and rounding errors of central differences, both about 1e-10.
        const STEP: f64 = 1e-5;
        if self.others().is_empty() {
            return;
        }
        let at = self.unknowns().coefficients(x);
        let nearby: Vec<Box<dyn Term>> = self.others().iter().map(|term| term.localized(&at)).collect();
        let slope = |x: DVector<f64>| self.gradient_of(&nearby, &self.unknowns().coefficients(x.as_slice()));
        let x = DVector::from_column_slice(x);
        for k in 0..along.count() {
            let direction = DVector::from_fn(x.len(), |j, _| along.get(j, k));
            let change = (slope(&x + &direction * STEP) - slope(&x - &direction * STEP)) / (2.0 * STEP);
            let column = curvature.column_mut(k).as_flattened_mut();
            column.iter_mut().zip(&change).for_each(|(sum, change)| *sum += change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::equations::Equations;
    use crate::specification::structure::Structure;

    #[test]
    fn jacobians_agree_with_differences() {
        let specification = Specification::new(3, 6, Some(3)).unwrap();
        let formulation = Formulation::new(&specification).unwrap();
        let problem = formulation.problem(Unknowns::new(6, &[0, 2, 5], &Structure::default()), IN_FULL);
        let n = problem.equations.unknowns.places().len();
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
        let at = problem.equations.linearization(&x);
        let gradient = problem.objective_gradient(&x);
        let multipliers = DVector::from_fn(at.residual.len(), |i, _| (i as f64).cos());
        let combined = DVector::from_vec(problem.lagrangian_gradient(&x, &multipliers));
        let expected = &gradient + at.jacobian().transpose() * &multipliers;
        assert!((&combined - expected).amax() < 1e-12 * (1.0 + combined.amax()));
        let curvature = problem.curvature(&x, &multipliers, &PaddedColumns::unit(n, 0..n)).matrix();
        let size = curvature.amax();
        assert!((&curvature - curvature.transpose()).amax() < 1e-6 * size);
        for j in 0..n {
            // Errors of central differences: step² times third derivatives, and rounding over the step.
            let slope = difference(j, &|y| problem.equations.residuals(y));
            assert!((slope - at.jacobian().column(j)).amax() < 1e-7 * (1.0 + at.jacobian().amax()));
            let slope = difference(j, &|y| DVector::from_element(1, problem.objective(y)));
            assert!((slope[0] - gradient[j]).abs() < 1e-7 * (1.0 + gradient.amax()));
            let slope = difference(j, &|y| DVector::from_vec(problem.lagrangian_gradient(y, &multipliers)));
            assert!((slope - curvature.column(j)).amax() < 1e-6 * (1.0 + size));
        }
    }
}
