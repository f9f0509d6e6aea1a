//! Solution of the conditions, and descent on their manifold.

use nalgebra::{DMatrix, DVector};

use crate::mri::problem::{MriProblem, TermWeights};

/// Largest residual of a solution in doubles.
const SOLVED: f64 = 1e-12;
/// Regularization of singular normal equations, relative to their size.
const REGULAR: f64 = 1e-13;

/// Solves the conditions from a start by damped Newton steps of smallest norm that preserve the order of the stages;
/// `None` if they do not converge.
pub(crate) fn solve(problem: &MriProblem, x: Vec<f64>, steps: usize) -> Option<Vec<f64>> {
    if !problem.form.is_in_order(&x) {
        return None;
    }
    let mut x = DVector::from_vec(x);
    let mut size = problem.residuals(x.as_slice()).norm();
    for _ in 0..steps {
        if size < SOLVED {
            return Some(x.data.into());
        }
        let (residuals, jacobian) = problem.linearized(x.as_slice());
        let step = least_step(&jacobian, &residuals)?;
        // Long steps leave the region in which coefficients are useful.
        let mut length = (1.0 / step.amax().max(1.0)).min(1.0);
        loop {
            let trial = &x - &step * length;
            let next = problem.residuals(trial.as_slice()).norm();
            let is_better = next < size * (1.0 - 0.1 * length) || next < SOLVED;
            if is_better && problem.form.is_in_order(trial.as_slice()) {
                (x, size) = (trial, next);
                break;
            }
            length *= 0.4;
            if length < 1e-3 {
                return (size < 1e2 * SOLVED).then(|| x.data.into());
            }
        }
    }
    (size < SOLVED).then(|| x.data.into())
}

/// Computes Jᵀ(JJᵀ)⁻¹r.
fn least_step(jacobian: &DMatrix<f64>, residuals: &DVector<f64>) -> Option<DVector<f64>> {
    if residuals.is_empty() {
        return Some(DVector::zeros(jacobian.ncols()));
    }
    let mut normal = jacobian * jacobian.transpose();
    let shift = REGULAR * normal.diagonal().amax().max(f64::MIN_POSITIVE);
    (0..normal.nrows()).for_each(|k| normal[(k, k)] += shift);
    let multipliers = normal.cholesky()?.solve(residuals);
    Some(jacobian.tr_mul(&multipliers))
}

/// Minimizes the objective on the manifold of the conditions, starting from a solution of them.
///
/// Each step minimizes a damped Gauss–Newton model subject to the linearized conditions, and Newton steps of smallest
/// norm return to the manifold.
pub(crate) fn descend(problem: &MriProblem, x: Vec<f64>, weights: TermWeights, steps: usize) -> Vec<f64> {
    /// Relative decrease over ten steps below which the descent ends.
    const SLOW: f64 = 2e-3;
    let mut x = x;
    let mut value = problem.objective(&x, weights);
    let mut damping = 1e-3;
    let mut checked = value;
    for number in 1..=steps {
        let model = problem.model(&x, weights);
        let (residuals, jacobian) = problem.linearized(&x);
        let mut accepted = false;
        while damping < 1e10 {
            let step = constrained_step(&model.curvature, &model.gradient, &jacobian, &residuals, damping);
            let moved = step.and_then(|step| {
                let trial = x.iter().zip(step.iter()).map(|(x, step)| x + step).collect();
                solve(problem, trial, 6)
            });
            if let Some(trial) = moved {
                let next = problem.objective(&trial, weights);
                if next < value {
                    (x, value) = (trial, next);
                    damping = (damping * 0.2).max(1e-9);
                    accepted = true;
                    break;
                }
            }
            damping *= 5.0;
        }
        if !accepted {
            break;
        }
        if number % 10 == 0 {
            if value > checked * (1.0 - SLOW) {
                break;
            }
            checked = value;
        }
    }
    x
}

/// Solves [H + λD, Jᵀ; J, 0] [d; μ] = [−g; −r] with D = I + diag H.
fn constrained_step(
    curvature: &DMatrix<f64>,
    gradient: &DVector<f64>,
    jacobian: &DMatrix<f64>,
    residuals: &DVector<f64>,
    damping: f64,
) -> Option<DVector<f64>> {
    let mut damped = curvature.clone();
    for k in 0..damped.nrows() {
        damped[(k, k)] += damping * (1e-3 + damped[(k, k)]) + 1e-12;
    }
    let factor = damped.cholesky()?;
    // With A = H⁻¹Jᵀ and b = H⁻¹g, the multipliers solve JA μ = r − Jb.
    let (a, b) = (factor.solve(&jacobian.transpose()), factor.solve(gradient));
    let mut normal = jacobian * &a;
    let shift = REGULAR * normal.diagonal().amax().max(f64::MIN_POSITIVE);
    (0..normal.nrows()).for_each(|k| normal[(k, k)] += shift);
    let multipliers = normal.cholesky()?.solve(&(residuals - jacobian * &b));
    let step = -(b + a * multipliers);
    // Long steps leave the region in which the model is useful.
    let longest = step.amax();
    longest.is_finite().then(|| if longest > 0.5 { step * (0.5 / longest) } else { step })
}
