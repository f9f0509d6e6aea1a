//! Restoration of points to the solutions of all equations.
//!
//! Away from the solutions, redundant constraints slightly contradict each other and their rank is undefined;
//! damped steps on all of them do not need it. At the solutions the rank is clear, and Broyden steps return to
//! them.

use nalgebra::DVector;

use crate::conditions::equations::Equations;
use crate::optimize::null_space::NullSpace;

/// Largest number of iterations from a start; successful starts take about 15, for order 5 up to a thousand.
pub(crate) const RESTORE_ITERATIONS: usize = 1000;
/// Factor by which residuals may be larger if rounding ends the decrease.
const ROUNDING: f64 = 20.0;
/// Number of steps that must reduce the residual by a fifth; otherwise the start is abandoned, because solutions at
/// infinity and local minima of the residual are approached that slowly.
const PATIENCE: usize = 50;

/// Finds a point where all constraints hold, from a start, by Levenberg–Marquardt steps of minimal norm.
///
/// Returns `None` if the iteration does not converge, or if coefficients become too large.
pub(crate) fn restore(equations: &impl Equations, start: &[f64], iterations: usize) -> Option<Vec<f64>> {
    let mut x = DVector::from_column_slice(start);
    let mut damping = 1.0;
    let mut earlier = f64::INFINITY;
    for iteration in 0..iterations {
        let at = equations.linearization(x.as_slice());
        let size = at.residual.norm();
        if at.residual.amax() <= equations.rounding() {
            return Some(x.as_slice().to_vec());
        }
        // The rounding of the normal equations only slows the last steps: each starts from a new residual.
        let normal = at.gradients.gram();
        let slope = at.gradients.times(at.residual.as_slice());
        let trace: f64 = (0..x.len()).map(|i| normal.get(i, i)).sum();
        let least = f64::EPSILON * trace;
        let mut accepted = false;
        for _ in 0..12 {
            // Damping in proportion to the residual (Fan & Yuan 2005) makes the last steps Newton steps.
            let mu = (damping * size).max(least);
            let step = normal.shifted_solution(|_| mu, &slope);
            let trial = step.map(|step| &x - DVector::from_vec(step));
            let better = |trial: &DVector<f64>| equations.residuals(trial.as_slice()).norm() < size;
            if let Some(trial) = trial.filter(better) {
                (x, accepted) = (trial, true);
                damping = (damping * 0.25).max(1e-12);
                break;
            }
            damping *= 4.0;
        }
        // Rounding finally ends the decrease; accept the point if its residual is that small.
        if !accepted {
            return (at.residual.amax() <= ROUNDING * equations.rounding()).then(|| x.as_slice().to_vec());
        }
        if iteration % PATIENCE == 0 {
            if x.amax() > 1e3 || size > 0.8 * earlier {
                return None;
            }
            earlier = size;
        }
    }
    None
}

/// Returns a point to the constraints, by Broyden steps from the Jacobian of a point nearby, or from new Jacobians
/// if that is too far away.
pub(crate) fn restore_nearby(
    equations: &impl Equations,
    null_space: &NullSpace,
    mut x: DVector<f64>,
) -> Option<DVector<f64>> {
    /// Largest number of new Jacobians; more are needed only after too long a step.
    const RENEWED: usize = 4;
    let (mut last, mut renewed, mut own) = (f64::INFINITY, 0, None);
    let mut steps: Vec<DVector<f64>> = Vec::new();
    for _ in 0..30 {
        let residual = equations.residuals(x.as_slice());
        let size = residual.amax();
        if size <= equations.rounding() {
            return Some(x);
        }
        if size.is_nan() || size > 0.5 * last {
            if size <= ROUNDING * equations.rounding() {
                return Some(x);
            }
            if size.is_nan() || renewed == RENEWED || size > 4.0 * last {
                return None;
            }
            own = Some(NullSpace::new(equations.linearization(x.as_slice()).gradients));
            renewed += 1;
            steps.clear();
        }
        last = size;
        let plain = own.as_ref().unwrap_or(null_space).newton_step(&residual);
        steps.push(corrected(plain, &steps));
        x += &steps[steps.len() - 1];
    }
    None
}

/// Computes Broyden's step from the step with the initial Jacobian and all steps before (Kelley 1995, §7.3).
fn corrected(mut step: DVector<f64>, earlier: &[DVector<f64>]) -> DVector<f64> {
    for pair in earlier.windows(2) {
        let share = pair[0].dot(&step) / pair[0].norm_squared();
        step.axpy(share, &pair[1], 1.0);
    }
    if let Some(last) = earlier.last() {
        let share = last.dot(&step) / last.norm_squared();
        step /= 1.0 - share;
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    #[test]
    fn corrected_steps_solve_linear_equations() {
        // Broyden's method solves n linear equations in 2n steps (Gay 1979), even if plain steps diverge.
        let matrix = DMatrix::from_row_slice(2, 2, &[3.0, 1.0, -1.0, 2.5]);
        let (mut x, mut steps) = (DVector::from_vec(vec![1.0, -2.0]), Vec::new());
        for _ in 0..4 {
            let step = corrected(-(&matrix * &x), &steps);
            x += &step;
            steps.push(step);
        }
        assert!(x.amax() < 1e-12);
    }
}
