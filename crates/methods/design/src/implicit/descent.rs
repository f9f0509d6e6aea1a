//! Descent along the solutions of the equations: damped Gauss–Newton steps in the tangent space.

use nalgebra::DVector;

use crate::implicit::problem::{Problem, Rows};
use crate::proof::independence::GradientSpan;

/// Largest residual of a restored point.
const SOLVED: f64 = 1e-12;
/// Largest change of an unknown in one step of a restoration.
const LARGEST_STEP: f64 = 0.5;
/// A gradient counts as dependent if its remainder is a smaller fraction of it.
const DEPENDENT: f64 = 1e-6;

/// The space of the equations' gradients, and the equations whose gradients are independent.
struct RowSpace<'a> {
    gradients: &'a [DVector<f64>],
    span: GradientSpan,
    chosen: Vec<usize>,
}

impl<'a> RowSpace<'a> {
    fn new(gradients: &'a [DVector<f64>], dependent: f64) -> Self {
        let mut span = GradientSpan::new(dependent);
        let chosen = (0..gradients.len()).filter(|&k| span.add(gradients[k].clone())).collect();
        Self { gradients, span, chosen }
    }

    /// Computes the smallest step that changes the independent equations by minus their residuals.
    ///
    /// In the orthonormal basis their Jacobian is lower triangular.
    fn newton_step(&self, residuals: &DVector<f64>) -> DVector<f64> {
        let mut step = DVector::zeros(self.gradients[0].len());
        for (&k, q) in self.chosen.iter().zip(self.span.basis()) {
            let gradient = &self.gradients[k];
            let left = -residuals[k] - gradient.dot(&step);
            step.axpy(left / gradient.dot(q), q, 1.0);
        }
        step
    }
}

/// Solves the equations by Newton steps of smallest norm; `None` if they do not converge.
pub(crate) fn restore(problem: &Problem, mut x: Vec<f64>, steps: usize) -> Option<Vec<f64>> {
    let mut residuals = problem.residuals(&x);
    for _ in 0..steps {
        let size = residuals.amax();
        if size <= SOLVED {
            return Some(x);
        }
        if !size.is_finite() || size > 1e6 {
            return None;
        }
        // Redundant equations agree only at a solution.
        let dependent = (0.1 * size).clamp(DEPENDENT, 1e-2);
        let step = RowSpace::new(&problem.gradients(&x), dependent).newton_step(&residuals);
        let factor = (LARGEST_STEP / step.amax()).min(1.0);
        x.iter_mut().zip(step.iter()).for_each(|(x, step)| *x += factor * step);
        residuals = problem.residuals(&x);
    }
    (residuals.amax() <= 1e2 * SOLVED).then_some(x)
}

/// Minimizes the objective from a solution of the equations by at most `steps` steps.
pub(crate) fn descend(problem: &Problem, start: Vec<f64>, steps: usize) -> Vec<f64> {
    const LEAST_GAIN: f64 = 1e-7;
    const LARGEST_DAMPING: f64 = 1e8;
    let mut x = start;
    let (mut merit, mut damping) = (problem.merit(&x), 1e-2);
    let mut idle = 0;
    for _ in 0..steps {
        let tangent = RowSpace::new(&problem.gradients(&x), DEPENDENT).span.complement(x.len());
        if tangent.ncols() == 0 {
            break;
        }
        let Rows { values, slopes } = problem.terms(&x);
        let reduced = slopes * &tangent;
        let (normal, right) = (reduced.tr_mul(&reduced), reduced.tr_mul(&values));
        let mut gain = 0.0;
        while damping < LARGEST_DAMPING {
            let mut damped = normal.clone();
            (0..damped.nrows()).for_each(|k| damped[(k, k)] += damping * (normal[(k, k)] + 1e-6));
            let Some(cholesky) = damped.cholesky() else {
                damping *= 10.0;
                continue;
            };
            let step = -(&tangent * cholesky.solve(&right));
            let factor = (LARGEST_STEP / step.amax()).min(1.0);
            let trial: Vec<f64> = x.iter().zip(step.iter()).map(|(x, step)| x + factor * step).collect();
            let restored = restore(problem, trial, 8);
            let found = restored.as_ref().map_or(f64::INFINITY, |x| problem.merit(x));
            if let Some(restored) = restored.filter(|_| found < merit) {
                gain = (merit - found) / merit;
                (x, merit) = (restored, found);
                damping = (damping * 0.3).max(1e-9);
                break;
            }
            damping *= 4.0;
        }
        if damping >= LARGEST_DAMPING {
            break;
        }
        idle = if gain < LEAST_GAIN { idle + 1 } else { 0 };
        if idle > 5 {
            break;
        }
    }
    x
}
