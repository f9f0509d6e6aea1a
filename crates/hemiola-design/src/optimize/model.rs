//! The model that a descent makes of the objective around a point.

use nalgebra::{DVector, SymmetricEigen};

use crate::optimize::inequalities::{BOUND_WEIGHT, excess, penalty, penalty_gradient};
use crate::optimize::null_space::NullSpace;
use crate::optimize::problem::Problem;
use crate::optimize::restore::restored;
use crate::simd::columns::Columns;
use crate::unknowns::linear_form::LinearForm;

/// A point that satisfies the constraints, with the objective and the penalty of the inequalities there.
pub(crate) struct Point {
    pub(crate) x: DVector<f64>,
    pub(crate) value: f64,
}

impl Point {
    pub(crate) fn new(problem: &Problem, x: DVector<f64>) -> Self {
        let value = problem.objective(x.as_slice()) + penalty(&x, problem.unknowns().inequalities());
        Self { x, value }
    }
}

/// The Lagrangian on the tangent space to second order, and the penalty of the inequalities as it is: piecewise quadratic.
pub(crate) struct Model<'a> {
    problem: &'a Problem<'a>,
    null_space: &'a NullSpace,
    x: &'a DVector<f64>,
    inequalities: &'a [LinearForm],
    /// A basis of the directions that the constraints leave free, orthonormal and conjugate.
    basis: Columns,
    /// The curvatures along its columns, …
    curvatures: Vec<f64>,
    /// … and the slopes of the objective.
    slopes: Vec<f64>,
}

impl<'a> Model<'a> {
    /// `balanced` is the gradient of the penalty that the multipliers are to balance.
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
        // A direction of negative curvature is followed downhill like one of positive curvature; flat ones are noise.
        let least = 1e-7 * eigen.eigenvalues.amax();
        let curvatures = eigen.eigenvalues.iter().map(|curvature| curvature.abs().max(least)).collect();
        let basis = basis.times_matrix(&eigen.eigenvectors);
        let slopes = basis.transposed_times(errors.as_slice());
        Some(Self { problem, null_space, x, inequalities, basis, curvatures, slopes })
    }

    /// A better point after a damped step, with the gradient of the penalty that the step expects; `None` if there is none.
    ///
    /// The constraints bend the way back away from where the inequalities were looked at. Since these are stiff, a step that
    /// fails for that reason is made once more with the bend that was met (the second-order correction of Fletcher 1982).
    pub(crate) fn better(&self, mu: f64, value: f64) -> Option<(Point, DVector<f64>)> {
        let mut bent = self.x.clone();
        for _ in 0..2 {
            let aim = self.moved(&bent, &self.step(mu, &bent)?);
            let reached = restored(&self.problem.equations, self.null_space, aim.clone())?;
            bent += &reached - &aim;
            let trial = Point::new(self.problem, reached);
            if trial.value < value {
                return Some((trial, penalty_gradient(&aim, self.inequalities)));
            }
        }
        None
    }

    /// The minimum of the model with curvatures raised by μ, by Newton steps from piece to piece. The inequalities are looked at
    /// from a point.
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

    /// The numbers of the inequalities that push back at a point.
    fn active(&self, x: &DVector<f64>) -> Vec<usize> {
        (0..self.inequalities.len()).filter(|&k| excess(&self.inequalities[k], x) > 0.0).collect()
    }

    /// The weighted gradients of inequalities along the free directions.
    fn gradients(&self, active: &[usize]) -> Columns {
        let mut gradients = Columns::zero(self.basis.count(), active.len());
        for (k, &number) in active.iter().enumerate() {
            let gradient = gradients.column_mut(k).as_flattened_mut();
            for &(j, factor) in &self.inequalities[number].terms {
                (0..self.basis.count()).for_each(|i| gradient[i] += BOUND_WEIGHT * factor * self.basis.get(j, i));
            }
        }
        gradients
    }

    /// By how much the model with curvatures raised by μ exceeds the objective without the penalty.
    fn value(&self, mu: f64, from: &DVector<f64>, y: &[f64]) -> f64 {
        let along = |i: usize| ((self.curvatures[i] + mu) * y[i] / 2.0 + self.slopes[i]) * y[i];
        (0..y.len()).map(along).sum::<f64>() + penalty(&self.moved(from, y), self.inequalities)
    }

    /// By how much the objective falls at the minimum of the model.
    pub(crate) fn predicted_reduction(&self) -> Option<f64> {
        Some(penalty(self.x, self.inequalities) - self.value(0.0, self.x, &self.step(0.0, self.x)?))
    }

    fn moved(&self, from: &DVector<f64>, y: &[f64]) -> DVector<f64> {
        from + DVector::from_vec(self.basis.times(y))
    }
}
