//! Proof that a method of the form with all properties lies near the written coefficients.

use dashu::rational::RBig;
use hemiola_tableau::Exact;
use nalgebra::{DMatrix, SVD};

use crate::decomposition::decomposed;
use crate::interval::bounds::{RealInterval, upwards};
use crate::interval::dual::IntervalDual;
use crate::proof::krawczyk::deviation;
use crate::storage::equations::StorageEquations;

/// Ratio to the largest singular value below which the equations are dependent.
const DEPENDENT: f64 = 1e-10;

/// A proof that an exact solution lies nearby: a method of the same low-storage form that satisfies all order
/// conditions and has the prescribed stability polynomial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StorageProof {
    /// A bound on the distance between the written coefficients of the form and those of the solution.
    pub radius: f64,
    /// A bound on the weighted residuals of the equations at the working decimals.
    pub residual: f64,
    /// A bound K ≤ ½ on the contraction in the ball of this radius.
    pub contraction: f64,
}

/// Proves that the equations have a solution near the written coefficients, given a better approximation; `None` if that
/// fails.
///
/// With ε = ‖G(x̃)‖∞, an approximate right inverse R, and K = sup ‖I − G′R‖∞ ≤ ½ over the ball, y ↦ y − G(x̃ + Ry) is a
/// contraction of ‖y‖∞ ≤ 2ε into itself (Banach; Krawczyk 1969). The unknowns are the coefficients of the form.
pub(crate) fn proved(equations: &StorageEquations, written: &[RBig], nearby: &[RBig]) -> Option<StorageProof> {
    let factors: Vec<f64> = equations.factors().collect();
    let values = equations.exact_residuals(nearby);
    let sizes = values.iter().zip(&factors).map(|(value, factor)| upwards(value.to_f64().abs() * factor));
    let residual = sizes.fold(f64::MIN_POSITIVE, f64::max);
    let inverse = right_inverse(equations, written)?;
    let reach = inverse.row_iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
    let beyond = upwards(upwards(upwards(reach) * 2.0) * residual);
    let difference = |(x, y): (&RBig, &RBig)| (x - y).to_f64().value().abs();
    let distance = upwards(written.iter().zip(nearby).map(difference).fold(0.0, f64::max));
    let radius = upwards(distance + beyond);
    let contraction = deviation(&jacobian(equations, &factors, written, radius), &inverse);
    (radius.is_finite() && contraction <= 0.5).then_some(StorageProof { radius, residual, contraction })
}

/// Encloses the derivatives of the weighted equations at all coefficients that differ by at most `radius`.
fn jacobian(equations: &StorageEquations, factors: &[f64], x: &[RBig], radius: f64) -> Vec<Vec<RealInterval>> {
    let n = x.len();
    let unknown =
        |(k, x): (usize, &RBig)| IntervalDual::unknown(RealInterval::around(&Exact::from(x.clone()), radius), k, n);
    let unknowns: Vec<IntervalDual> = x.iter().enumerate().map(unknown).collect();
    let weighted = |(weight, factor): (IntervalDual, &f64)| -> Vec<RealInterval> {
        weight.gradient(n).into_iter().map(|slope| slope * RealInterval::point(*factor)).collect()
    };
    equations.weights(&unknowns).into_iter().zip(factors).map(weighted).collect()
}

/// Computes a right inverse of smallest norm in doubles; `None` if the equations are dependent.
fn right_inverse(equations: &StorageEquations, x: &[RBig]) -> Option<DMatrix<f64>> {
    let x: Vec<f64> = x.iter().map(|x| x.to_f64().value()).collect();
    let coordinates = &equations.coordinates;
    let jacobian = equations.linearized(&coordinates.tableaus(&x), &coordinates.slopes(&x)).1;
    if jacobian.nrows() > jacobian.ncols() {
        return None;
    }
    let SVD { u, v_t, singular_values } = decomposed(jacobian)?;
    if singular_values.min() <= DEPENDENT * singular_values.max() {
        return None;
    }
    let (mut u, v_t) = (u?, v_t?);
    u.column_iter_mut().zip(&singular_values).for_each(|(mut column, sigma)| column *= 1.0 / sigma);
    let inverse = v_t.tr_mul(&u.transpose());
    inverse.iter().all(|x| x.is_finite()).then_some(inverse)
}
