//! Numerical optimisation with redundant equality constraints.
//!
//! Order conditions are redundant: 74 of them can be consistent in 35 unknowns. So neither multipliers nor a fixed basis
//! of the constraints exist; the singular values of their Jacobian tell the directions that matter.

use nalgebra::{DMatrix, DVector, SVD};

use crate::equations::{Equations, Linearization};

/// Singular values below this part of the largest are zero: redundant rows leave about 1e-15, independent ones more than
/// 1e-7 at any useful solution.
const RANK_TOLERANCE: f64 = 1e-10;
/// Residuals of this size are the rounding of sums of some hundred products of numbers up to one.
const SATISFIED: f64 = 5e-15;
/// Coefficients are pushed back once they come this near to their bound.
const BOUND_MARGIN: f64 = 0.004;
/// The weight of that push against the error coefficients, which are of size 0.01 to 0.1.
const BOUND_WEIGHT: f64 = 10.0;

/// Finds a point where all constraints hold, from a start, by Levenberg–Marquardt steps of minimal norm.
///
/// `None` where the iteration does not get there, or where coefficients grow beyond use.
pub(crate) fn restore(equations: &Equations, start: &[f64], iterations: usize) -> Option<Vec<f64>> {
    let mut x = DVector::from_column_slice(start);
    let mut at = equations.constraints(x.as_slice());
    let mut damping = 1.0;
    for _ in 0..iterations {
        let size = at.residual.norm();
        if at.residual.amax() <= SATISFIED {
            return Some(x.as_slice().to_vec());
        }
        let svd = SVD::try_new(at.jacobian.clone(), true, true, f64::EPSILON, 10_000)?;
        // Damping in proportion to the residual (Fan & Yuan 2005) makes the last steps Newton's.
        let mut accepted = false;
        for _ in 0..12 {
            let step = damped_step(&svd, &at.residual, damping * size)?;
            let trial = &x + &step;
            let next = equations.constraints(trial.as_slice());
            if next.residual.norm() < size {
                (x, at, accepted) = (trial, next, true);
                damping = (damping * 0.25).max(1e-12);
                break;
            }
            damping *= 4.0;
        }
        // Rounding stops the decrease at last: then what is there is all there is.
        if !accepted {
            return (at.residual.amax() <= 20.0 * SATISFIED).then(|| x.as_slice().to_vec());
        }
        if x.amax() > 1e3 {
            return None;
        }
    }
    None
}

/// −V Σ(Σ² + μ)⁻¹Uᵀ r with small singular values left out.
fn damped_step(svd: &SVD<f64, nalgebra::Dyn, nalgebra::Dyn>, residual: &DVector<f64>, mu: f64) -> Option<DVector<f64>> {
    let (u, v_t) = (svd.u.as_ref()?, svd.v_t.as_ref()?);
    let mut components = u.transpose() * residual;
    let cutoff = RANK_TOLERANCE * svd.singular_values.max();
    for (component, &sigma) in components.iter_mut().zip(&svd.singular_values) {
        *component *= if sigma > cutoff { -sigma / (sigma * sigma + mu) } else { 0.0 };
    }
    Some(v_t.transpose() * components)
}

/// The Newton step of minimal norm for a given residual.
pub(crate) fn newton_step(jacobian: &DMatrix<f64>, residual: &DVector<f64>) -> Option<DVector<f64>> {
    let svd = SVD::try_new(jacobian.clone(), true, true, f64::EPSILON, 10_000)?;
    damped_step(&svd, residual, 0.0)
}

/// The result of a descent.
#[derive(Clone, Debug)]
pub(crate) struct Minimum {
    pub(crate) x: Vec<f64>,
    /// The 2-norm of the errors.
    pub(crate) norm: f64,
    /// Whether steps had become negligible.
    pub(crate) converged: bool,
}

/// Makes the principal error small among the points that satisfy the constraints.
///
/// Each step is a damped Gauss–Newton step for the errors within the null space of the constraints' Jacobian, followed by
/// a return to the constraints. `bound` is the largest coefficient wanted.
pub(crate) fn minimize(equations: &Equations, start: &[f64], bound: f64, iterations: usize) -> Option<Minimum> {
    let mut x = DVector::from_column_slice(start);
    let mut errors = with_bound(equations.errors(x.as_slice()), &x, bound);
    let mut damping = 1e-2;
    let mut small_steps = 0;
    for _ in 0..iterations {
        let constraints = equations.constraints(x.as_slice());
        let basis = null_space(&constraints.jacobian)?;
        if basis.ncols() == 0 {
            small_steps = usize::MAX;
            break;
        }
        let reduced = &errors.jacobian * &basis;
        let gradient = reduced.transpose() * &errors.residual;
        let normal = reduced.transpose() * &reduced;
        let objective = errors.residual.norm_squared();
        let mut decrease = 0.0;
        for _ in 0..10 {
            let shifted = &normal + DMatrix::identity(basis.ncols(), basis.ncols()) * damping;
            let step = &basis * shifted.cholesky()?.solve(&-&gradient);
            let trial = restore(equations, (&x + &step).as_slice(), 8).map(DVector::from_vec);
            if let Some(trial) = trial {
                let next = with_bound(equations.errors(trial.as_slice()), &trial, bound);
                if next.residual.norm_squared() < objective {
                    decrease = 1.0 - next.residual.norm_squared() / objective;
                    (x, errors) = (trial, next);
                    damping = (damping * 0.2).max(1e-10);
                    break;
                }
            }
            damping *= 5.0;
        }
        small_steps = if decrease < 1e-9 { small_steps + 1 } else { 0 };
        if small_steps == 3 || decrease == 0.0 {
            small_steps = small_steps.max(3);
            break;
        }
    }
    let norm = equations.errors(x.as_slice()).residual.norm();
    Some(Minimum { x: x.as_slice().to_vec(), norm, converged: small_steps >= 3 })
}

/// Adds a residual for each coefficient that comes near its bound.
fn with_bound(errors: Linearization, x: &DVector<f64>, bound: f64) -> Linearization {
    let (rows, columns) = errors.jacobian.shape();
    let beyond: Vec<usize> = (0..columns).filter(|&j| x[j].abs() > bound - BOUND_MARGIN).collect();
    let mut jacobian = errors.jacobian.insert_rows(rows, beyond.len(), 0.0);
    let mut residual = errors.residual.insert_rows(rows, beyond.len(), 0.0);
    for (k, &j) in beyond.iter().enumerate() {
        residual[rows + k] = BOUND_WEIGHT * (x[j].abs() - bound + BOUND_MARGIN);
        jacobian[(rows + k, j)] = BOUND_WEIGHT * x[j].signum();
    }
    Linearization { residual, jacobian }
}

/// An orthonormal basis of the directions that leave the constraints unchanged to first order.
fn null_space(jacobian: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let (rows, columns) = jacobian.shape();
    // Zero rows make the matrix tall, so that all right singular vectors come out.
    let square = jacobian.clone().insert_rows(rows, columns.saturating_sub(rows), 0.0);
    let svd = SVD::try_new(square, false, true, f64::EPSILON, 10_000)?;
    let cutoff = RANK_TOLERANCE * svd.singular_values.max();
    let v_t = svd.v_t?;
    let null: Vec<usize> = (0..columns).filter(|&k| svd.singular_values[k] <= cutoff).collect();
    Some(DMatrix::from_fn(columns, null.len(), |i, k| v_t[(null[k], i)]))
}
