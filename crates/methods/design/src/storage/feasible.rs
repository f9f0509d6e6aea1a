//! Solutions of the equations from a start.

use nalgebra::{Cholesky, DVector};

use crate::storage::equations::StorageEquations;

/// Size of the weighted residuals below which the equations are solved.
pub(crate) const SOLVED: f64 = 1e-12;
/// Largest number of steps from a start, and from a point near a solution.
const MOST_STEPS: usize = 200;
const MOST_NEAR: usize = 12;
/// First and smallest step of the homotopy from the polynomial of a start to the prescribed one.
const FIRST_PART: f64 = 0.25;
const LEAST_PART: f64 = 1.0 / 256.0;
/// Longest step.
const LONGEST: f64 = 0.5;
/// Damping at which a start is abandoned.
const MOST_DAMPING: f64 = 1e8;

/// Damping of the first step from a random start, and from a point near a solution.
const FAR: f64 = 1e-2;
const NEAR: f64 = 1e-12;

/// Solves the equations from a random start; `None` if that fails.
pub(crate) fn solved_from_afar(equations: &StorageEquations, start: Vec<f64>) -> Option<Vec<f64>> {
    solved(equations, start, FAR, MOST_STEPS)
}

/// Solves the equations from a solution of the order conditions, by a homotopy from its polynomial to the prescribed
/// one.
pub(crate) fn solved_on_the_way(equations: &StorageEquations, start: Vec<f64>) -> Option<Vec<f64>> {
    let mut x = start;
    let begin = equations.polynomial(&x);
    let (mut at, mut part) = (0.0, FIRST_PART);
    while at < 1.0 {
        let next = f64::min(at + part, 1.0);
        match solved(&equations.on_the_way(&begin, next), x.clone(), NEAR, MOST_NEAR) {
            Some(found) => {
                (x, at) = (found, next);
                part *= 2.0;
            }
            None => part /= 2.0,
        }
        if part < LEAST_PART {
            return None;
        }
    }
    Some(x)
}

/// Solves the equations from a point near a solution; `None` if that fails.
pub(crate) fn restored(equations: &StorageEquations, near: Vec<f64>) -> Option<Vec<f64>> {
    solved(equations, near, NEAR, MOST_NEAR)
}

/// Solves the equations by damped steps of smallest norm, d = −Jᵀ(JJᵀ + μI)⁻¹F; `None` if they do not converge.
fn solved(equations: &StorageEquations, start: Vec<f64>, first_damping: f64, most_steps: usize) -> Option<Vec<f64>> {
    let mut x = start;
    let mut damping = first_damping;
    let mut size = equations.residuals(&x).norm_squared();
    for _ in 0..=most_steps {
        if size <= SOLVED * SOLVED {
            return Some(x);
        }
        let (values, jacobian) =
            equations.linearized(&equations.coordinates.tableaus(&x), &equations.coordinates.slopes(&x));
        // Products of this kind are the same on all processors; nalgebra fuses others on some.
        let transposed = jacobian.transpose();
        let gram = transposed.tr_mul(&transposed);
        let scale = gram.trace() / gram.nrows() as f64;
        loop {
            let mut damped = gram.clone();
            (0..damped.nrows()).for_each(|k| damped[(k, k)] += damping * scale);
            let step = Cholesky::new(damped).map(|factors| -jacobian.tr_mul(&factors.solve(&values)));
            let trial = step.map(|step| moved(&x, &step));
            let next = trial.as_ref().map_or(f64::INFINITY, |trial| equations.residuals(trial).norm_squared());
            if next < size {
                size = next;
                x = trial?;
                damping = (damping * 0.2).max(1e-15);
                break;
            }
            damping *= 5.0;
            if damping > MOST_DAMPING {
                return None;
            }
        }
    }
    None
}

/// Computes x + d, where d is shortened to the longest step.
pub(crate) fn moved(x: &[f64], step: &DVector<f64>) -> Vec<f64> {
    let factor = (LONGEST / step.norm().max(f64::MIN_POSITIVE)).min(1.0);
    x.iter().zip(step.iter()).map(|(x, d)| x + factor * d).collect()
}
