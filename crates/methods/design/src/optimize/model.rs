//! The local model of the objective in a descent.

use nalgebra::{DVector, SymmetricEigen};

use crate::optimize::inequalities::{BOUND_WEIGHT, margin_excess, penalty, penalty_gradient};
use crate::optimize::null_space::NullSpace;
use crate::optimize::problem::Problem;
use crate::optimize::restore::restore_nearby;
use crate::simd::columns::PaddedColumns;
use crate::unknowns::linear_form::LinearForm;

/// A point that satisfies the constraints, with the objective and the penalty of the inequalities there.
pub(crate) struct FeasiblePoint {
    pub(crate) x: DVector<f64>,
    pub(crate) value: f64,
}

impl FeasiblePoint {
    pub(crate) fn new(problem: &Problem, x: DVector<f64>) -> Self {
        let value = problem.objective(x.as_slice()) + penalty(&x, problem.unknowns().inequalities());
        Self { x, value }
    }
}

/// The second-order model of the Lagrangian on the tangent space, plus the penalty of the inequalities, which is
/// piecewise quadratic.
pub(crate) struct LagrangianModel<'a> {
    problem: &'a Problem<'a>,
    null_space: &'a NullSpace,
    x: &'a DVector<f64>,
    inequalities: &'a [LinearForm],
    /// An orthonormal and conjugate basis of the directions that the constraints leave free.
    basis: PaddedColumns,
    /// The curvatures along the columns of the basis.
    curvatures: Vec<f64>,
    /// The slopes of the objective along the columns of the basis.
    slopes: Vec<f64>,
}

impl<'a> LagrangianModel<'a> {
    /// Builds the model; `balanced` is the gradient of the penalty that the multipliers balance.
    pub(crate) fn new(
        problem: &'a Problem,
        null_space: &'a NullSpace,
        x: &'a DVector<f64>,
        balanced: &DVector<f64>,
    ) -> Option<Self> {
        let (basis, inequalities) = (null_space.basis(), problem.unknowns().inequalities());
        let errors = problem.objective_gradient(x.as_slice());
        let multipliers = null_space.multipliers(&(&errors + balanced));
        let reduced = basis.transposed_times_columns(&problem.curvature(x.as_slice(), &multipliers, &basis));
        let eigen = SymmetricEigen::try_new((&reduced + reduced.transpose()) / 2.0, f64::EPSILON, 10_000)?;
        // Directions of negative curvature are followed downhill like those of positive curvature; flat ones are
        // noise.
        let least = 1e-7 * eigen.eigenvalues.amax();
        let curvatures = eigen.eigenvalues.iter().map(|curvature| curvature.abs().max(least)).collect();
        let basis = basis.times_matrix(&eigen.eigenvectors);
        let slopes = basis.transposed_times(errors.as_slice());
        Some(Self { problem, null_space, x, inequalities, basis, curvatures, slopes })
    }

    /// Finds a better point by a damped step and returns it with the penalty gradient that the step expects; `None`
    /// if there is none.
    ///
    /// The restoration of the constraints moves the point away from where the inequalities were evaluated. Since
    /// these are stiff, a failed step is repeated once with the observed displacement (the second-order correction
    /// of Fletcher 1982).
    pub(crate) fn improved_point(&self, mu: f64, value: f64) -> Option<(FeasiblePoint, DVector<f64>)> {
        let mut bent = self.x.clone();
        for _ in 0..2 {
            let aim = self.moved(&bent, &self.step(mu, &bent)?);
            let reached = restore_nearby(&self.problem.equations, self.null_space, aim.clone())?;
            bent += &reached - &aim;
            let trial = FeasiblePoint::new(self.problem, reached);
            if trial.value < value {
                return Some((trial, penalty_gradient(&aim, self.inequalities)));
            }
        }
        None
    }

    /// Minimizes the model with curvatures raised by μ, by Newton steps from piece to piece. The inequalities are
    /// evaluated relative to `from`.
    fn step(&self, mu: f64, from: &DVector<f64>) -> Option<Vec<f64>> {
        let mut y = vec![0.0; self.basis.count()];
        for _ in 0..100 {
            let moved = self.moved(from, &y);
            let active = self.active(&moved);
            let mut slope = self.basis.transposed_times(penalty_gradient(&moved, self.inequalities).as_slice());
            for i in 0..y.len() {
                slope[i] += (self.curvatures[i] + mu) * y[i] + self.slopes[i];
            }
            let newton = self.gradients(&active).gram().shifted_solution(|i| self.curvatures[i] + mu, &slope)?;
            let shortened =
                |fraction: f64| -> Vec<f64> { y.iter().zip(&newton).map(|(y, step)| y - fraction * step).collect() };
            let (before, mut fraction) = (self.value(mu, from, &y), 1.0);
            while fraction > 1e-6 && self.value(mu, from, &shortened(fraction)) > before {
                fraction /= 2.0;
            }
            y = shortened(fraction);
            if fraction == 1.0 && self.active(&self.moved(from, &y)) == active {
                break;
            }
        }
        Some(y)
    }

    /// Returns the indices of the inequalities with a penalty at a point.
    fn active(&self, x: &DVector<f64>) -> Vec<usize> {
        (0..self.inequalities.len()).filter(|&k| margin_excess(&self.inequalities[k], x) > 0.0).collect()
    }

    /// Returns the weighted gradients of inequalities along the free directions.
    fn gradients(&self, active: &[usize]) -> PaddedColumns {
        let mut gradients = PaddedColumns::zero(self.basis.count(), active.len());
        for (k, &number) in active.iter().enumerate() {
            let gradient = gradients.column_mut(k).as_flattened_mut();
            for &(j, factor) in &self.inequalities[number].terms {
                (0..self.basis.count()).for_each(|i| gradient[i] += BOUND_WEIGHT * factor * self.basis.get(j, i));
            }
        }
        gradients
    }

    /// Computes the change of the model with curvatures raised by μ, plus the penalty.
    fn value(&self, mu: f64, from: &DVector<f64>, y: &[f64]) -> f64 {
        let along = |i: usize| ((self.curvatures[i] + mu) * y[i] / 2.0 + self.slopes[i]) * y[i];
        (0..y.len()).map(along).sum::<f64>() + penalty(&self.moved(from, y), self.inequalities)
    }

    /// Returns the decrease of the objective at the minimum of the model.
    pub(crate) fn predicted_reduction(&self) -> Option<f64> {
        Some(penalty(self.x, self.inequalities) - self.value(0.0, self.x, &self.step(0.0, self.x)?))
    }

    fn moved(&self, from: &DVector<f64>, y: &[f64]) -> DVector<f64> {
        from + DVector::from_vec(self.basis.times(y))
    }
}
