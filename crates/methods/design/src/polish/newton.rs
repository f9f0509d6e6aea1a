//! Newton's method with exact residuals from the printed digits, and the nearest point of a family.

use dashu::rational::RBig;
use hemiola_tableau::{Exact, dot};
use nalgebra::{DMatrix, DVector};

use crate::decomposition::decomposed;
use crate::pair::decimals::moved;
use crate::polish::equations::PolishEquations;
use crate::proof::independence::GradientSpan;

/// Ratio to the largest singular value below which singular values at a solution count as zero.
const RANK_TOLERANCE: f64 = 1e-9;
/// Largest residual of a solution, slightly beyond fifty decimals.
const SOLVED: f64 = 1e-50;
/// Residual at which only the rounding to the working decimals remains.
const FINEST: f64 = 1e-56;

/// A solution and the rank of the equations at it.
pub(crate) struct PolishSolution {
    pub(crate) x: Vec<RBig>,
    /// Equations with independent gradients, on which all others depend to first order.
    pub(crate) chosen: Vec<usize>,
    /// The number of free parameters.
    pub(crate) dimension: usize,
}

/// The failure to find a solution.
pub(crate) struct NewtonFailure {
    /// The smallest residual reached.
    pub(crate) residual: f64,
}

/// Finds the solution to which steps of smallest norm lead.
///
/// The gradients of degenerate conditions vanish with the distance to the solution. Steps that omit these
/// gradients, by a larger rank tolerance, may still converge to it.
pub(crate) fn solve(equations: &PolishEquations, unit: f64) -> Result<PolishSolution, NewtonFailure> {
    const CAUTIOUS: [f64; 3] = [RANK_TOLERANCE, 1e-6, 1e-4];
    let mut smallest = f64::INFINITY;
    for floor in CAUTIOUS {
        match descend(equations, unit, floor) {
            Ok(solution) => return Ok(solution),
            Err(NewtonFailure { residual }) => smallest = smallest.min(residual),
        }
    }
    Err(NewtonFailure { residual: smallest })
}

fn descend(equations: &PolishEquations, unit: f64, floor: f64) -> Result<PolishSolution, NewtonFailure> {
    const STEPS: usize = 40;
    let mut x = equations.layout.printed();
    let mut residual = equations.residual_doubles(&x);
    // The uncertainty of the digits perturbs the gradients, so that vanishing singular values become as large as
    // this.
    let mut tolerance = (1e3 * unit).clamp(floor, 1e-3);
    for _ in 0..STEPS {
        if residual.amax() <= FINEST && tolerance <= floor {
            break;
        }
        let Some(step) = smallest_step(&equations.jacobian(&x), &residual, tolerance) else { break };
        let trial = moved(&x, step.iter());
        let next = equations.residual_doubles(&trial);
        let improves = next.amax() < residual.amax();
        if improves {
            (x, residual) = (trial, next);
            // The gradients are as accurate as the unknowns.
            tolerance = (1e3 * residual.amax()).clamp(floor, tolerance);
        } else if tolerance > floor {
            tolerance = (tolerance * 1e-2).max(floor);
        } else {
            break;
        }
    }
    if residual.amax() > SOLVED {
        return Err(NewtonFailure { residual: residual.amax() });
    }
    let chosen = independent(&equations.jacobian(&x));
    Ok(PolishSolution { dimension: x.len() - chosen.len(), x, chosen })
}

/// Computes −J⁺F.
fn smallest_step(jacobian: &DMatrix<f64>, residual: &DVector<f64>, tolerance: f64) -> Option<DVector<f64>> {
    let svd = decomposed(jacobian.clone())?;
    let cutoff = tolerance * svd.singular_values.max();
    svd.solve(residual, cutoff).ok().map(|step| -step)
}

/// Returns the rows that are independent of the rows before them.
fn independent(jacobian: &DMatrix<f64>) -> Vec<usize> {
    let mut span = GradientSpan::default();
    let rows = jacobian.row_iter().enumerate();
    rows.filter_map(|(k, row)| span.add(row.transpose()).then_some(k)).collect()
}

/// Finds the point of a family that is nearest to the printed digits in the 2-norm, from a solution beside it.
///
/// Solves x = x₀ + Jᵀλ and F(x) = 0 with exact residuals. The steps neglect the curvature times λ, which is as
/// small as the distance; this costs some digits per step.
pub(crate) fn nearest(equations: &PolishEquations, solution: PolishSolution) -> Result<PolishSolution, NewtonFailure> {
    const STEPS: usize = 40;
    let printed = equations.layout.printed();
    let PolishSolution { mut x, chosen, dimension } = solution;
    let mut lambda: Vec<RBig> = vec![RBig::ZERO; chosen.len()];
    let mut smallest = f64::INFINITY;
    for _ in 0..STEPS {
        let slopes = equations.exact_jacobian(&chosen, &x);
        let all = equations.residual_doubles(&x);
        let constraint = DVector::from_iterator(chosen.len(), chosen.iter().map(|&k| all[k]));
        let multipliers: Vec<Exact> = lambda.iter().cloned().map(Exact::from).collect();
        let stationary = DVector::from_fn(x.len(), |j, _| {
            let column: Vec<Exact> = slopes.iter().map(|row| row[j].clone()).collect();
            (Exact::from(&x[j] - &printed[j]) - dot(&column, &multipliers)).to_f64()
        });
        let size = constraint.amax().max(stationary.amax());
        // At the last digits, rounding ends the decrease.
        if size <= FINEST || size >= 0.9 * smallest {
            break;
        }
        smallest = size;
        let jacobian = DMatrix::from_fn(chosen.len(), x.len(), |i, j| slopes[i][j].to_f64());
        let Some(cholesky) = (&jacobian * jacobian.transpose()).cholesky() else { break };
        let change = cholesky.solve(&(&jacobian * &stationary - &constraint));
        let step = jacobian.tr_mul(&change) - stationary;
        x = moved(&x, step.iter());
        lambda = moved(&lambda, change.iter());
    }
    let residual = equations.residual_doubles(&x).amax();
    if residual <= SOLVED { Ok(PolishSolution { x, chosen, dimension }) } else { Err(NewtonFailure { residual }) }
}
