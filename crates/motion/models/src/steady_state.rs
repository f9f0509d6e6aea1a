//! Steady states from which a simulation starts without a transient.

use nalgebra::{DMatrix, DVector};

use crate::equations::{Equations, automatic_jacobian, rates};

/// Maximum number of iterations, more than Newton's method takes if it converges.
const MOST_ITERATIONS: usize = 50;

/// Solves for a steady state by Newton's method: some of the variables are the unknowns, and the same number of rates
/// must vanish at t = 0.
///
/// `follow` sets the variables that depend on the unknowns; this must not change those rates. Returns `None` if the
/// iteration does not converge.
pub(crate) fn steady_state<E: Equations>(
    equations: &E,
    sizes: &[usize],
    mut y: Vec<f64>,
    unknowns: &[usize],
    vanishing: &[usize],
    follow: impl Fn(&mut [f64]),
) -> Option<Vec<f64>> {
    let n = y.len();
    let (mut rate, mut jacobian) = (vec![0.0; n], vec![0.0; n * n]);
    for _ in 0..MOST_ITERATIONS {
        follow(&mut y);
        rates(equations, sizes, 0.0, &y, &mut rate);
        automatic_jacobian(equations, sizes, 0.0, &y, &mut jacobian);
        let matrix = DMatrix::from_fn(vanishing.len(), unknowns.len(), |i, j| jacobian[vanishing[i] * n + unknowns[j]]);
        let right = DVector::from_fn(vanishing.len(), |i, _| -rate[vanishing[i]]);
        let change = matrix.lu().solve(&right)?;
        let mut largest = 0.0f64;
        for (&unknown, change) in unknowns.iter().zip(change.iter()) {
            y[unknown] += change;
            largest = largest.max(change.abs() / (1.0 + y[unknown].abs()));
        }
        // The error after a step is about the square of the step, here below rounding.
        if largest < 1e-10 {
            follow(&mut y);
            return Some(y);
        }
        if !largest.is_finite() {
            return None;
        }
    }
    None
}
