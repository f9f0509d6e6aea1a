//! Newton's method with residuals in exact arithmetic.

use dashu::rational::RBig;
use nalgebra::{DMatrix, DVector};

use crate::conditions::equations::{DesignEquations, Equations};
use crate::decomposition::decomposed;
use crate::pair::decimals::rounded;

/// Singular values below this fraction of the largest count as zero: redundant rows leave about 1e-15, independent
/// rows more than 1e-7 at any useful solution.
const RANK_TOLERANCE: f64 = 1e-10;

/// Computes the Newton step of minimal norm for a given residual.
pub(crate) fn newton_step(jacobian: &DMatrix<f64>, residual: &DVector<f64>) -> Option<DVector<f64>> {
    let svd = decomposed(jacobian.clone())?;
    let cutoff = RANK_TOLERANCE * svd.singular_values.max();
    Some(-svd.solve(residual, cutoff).ok()?)
}

/// Refines a solution by Newton steps with exact residuals and the Jacobian in doubles; each step gains some
/// fifteen digits.
pub(crate) fn refined(equations: &DesignEquations, x: &[f64]) -> Vec<RBig> {
    const STEPS: usize = 40;
    let jacobian = equations.linearization(x).jacobian();
    let mut exact: Vec<RBig> = x.iter().map(|x| rounded(&RBig::try_from(*x).unwrap_or_default())).collect();
    let mut residual = equations.exact_residuals(&exact);
    for _ in 0..STEPS {
        let Some(step) = newton_step(&jacobian, &residual) else { break };
        let moved = |(x, step): (&RBig, &f64)| rounded(&(x + RBig::try_from(*step).unwrap_or_default()));
        let trial: Vec<RBig> = exact.iter().zip(step.iter()).map(moved).collect();
        let next = equations.exact_residuals(&trial);
        // At the last digits, rounding ends the decrease.
        if next.amax() >= residual.amax() {
            break;
        }
        (exact, residual) = (trial, next);
    }
    exact
}
