//! Preparation of matrices for the eigenvalue iteration by deflation and balancing.
//!
//! Variables in meters and in radians per second lead to rows and columns of very different size, while rounding is
//! relative to the largest entry.

use nalgebra::{DMatrix, SVD};
use num_complex::Complex64;

use crate::eigenvalues::qr::{ITERATIONS, real_eigenvalues};
use crate::error::StabilityError;

/// Maximum number of sweeps over all rows; each reduces the norm, and few are needed.
const SWEEPS: usize = 50;
/// Reduction factor of a row and its column that makes a scaling worthwhile (Parlett & Reinsch 1969).
const GAIN: f64 = 0.95;

/// Computes powers of two d for which D⁻¹MD, D = diag(d), has rows and columns of about equal sums.
///
/// (Parlett & Reinsch 1969, "Balancing a matrix for calculation of eigenvalues and eigenvectors".) Scaling by powers of
/// two is exact.
pub(crate) fn scales(matrix: &DMatrix<f64>) -> Vec<f64> {
    let n = matrix.nrows();
    let mut m = matrix.abs();
    let mut scales = vec![1.0; n];
    for _ in 0..SWEEPS {
        let mut is_balanced = true;
        for i in 0..n {
            let others = |j: &usize| *j != i;
            let row: f64 = (0..n).filter(others).map(|j| m[(i, j)]).sum();
            let column: f64 = (0..n).filter(others).map(|j| m[(j, i)]).sum();
            let factor = (0.5 * (row / column).log2()).round().exp2();
            if factor.is_normal() && factor != 1.0 && column * factor + row / factor < GAIN * (column + row) {
                is_balanced = false;
                scales[i] *= factor;
                m.column_mut(i).iter_mut().for_each(|value| *value *= factor);
                m.row_mut(i).iter_mut().for_each(|value| *value /= factor);
            }
        }
        if is_balanced {
            break;
        }
    }
    scales
}

/// Computes D⁻¹MD.
pub(crate) fn scaled(matrix: &DMatrix<f64>, scales: &[f64]) -> DMatrix<f64> {
    DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)] * (scales[j] / scales[i]))
}

/// Computes the eigenvalues of a real matrix, and the norm of the remaining matrix that is iterated.
///
/// A variable that depends on no other, or on which no other depends, contributes its diagonal entry exactly; examples
/// are the position and heading of a vehicle. The rest is balanced.
pub(crate) fn eigenvalues(matrix: &DMatrix<f64>) -> Result<(Vec<Complex64>, f64), StabilityError> {
    let (mut values, rest) = split(matrix);
    let rows: Vec<Vec<f64>> = rest.row_iter().map(|row| row.iter().copied().collect()).collect();
    values.extend(real_eigenvalues(&rows)?);
    Ok((values, rest.norm()))
}

/// Counts the eigenvalues that are zero up to rounding.
///
/// With V₂ a basis of the null space and V₁ of its complement, the other eigenvalues are those of V₁ᵀMV₁, and the
/// process repeats until this matrix is regular (Kublanovskaya 1966; Golub & Wilkinson 1976). Perturbations of n ε ‖M‖
/// affect ranks directly, but multiple eigenvalues by their roots.
pub(crate) fn zero_eigenvalues(matrix: &DMatrix<f64>) -> Result<usize, StabilityError> {
    let (values, mut rest) = split(matrix);
    let rounding = matrix.nrows() as f64 * f64::EPSILON * rest.norm();
    let mut zeros = values.iter().filter(|value| **value == Complex64::ZERO).count();
    while !rest.is_empty() {
        let n = rest.nrows();
        let decomposed = SVD::try_new(rest.clone(), false, true, f64::EPSILON, ITERATIONS);
        let decomposed = decomposed.ok_or(StabilityError::NoConvergence { size: n })?;
        let rank = decomposed.rank(rounding);
        let Some(complement) = decomposed.v_t.filter(|_| rank < n).map(|v| v.rows(0, rank).into_owned()) else { break };
        zeros += n - rank;
        rest = &complement * rest * complement.transpose();
    }
    Ok(zeros)
}

/// Splits off the eigenvalues of isolated variables; returns them and the rest of the matrix, balanced.
fn split(matrix: &DMatrix<f64>) -> (Vec<Complex64>, DMatrix<f64>) {
    let mut rest: Vec<usize> = (0..matrix.nrows()).collect();
    let mut values = Vec::with_capacity(rest.len());
    while let Some(place) = isolated(matrix, &rest) {
        let variable = rest.remove(place);
        values.push(matrix[(variable, variable)].into());
    }
    let rest = DMatrix::from_fn(rest.len(), rest.len(), |i, j| matrix[(rest[i], rest[j])]);
    let scales = scales(&rest);
    (values, scaled(&rest, &scales))
}

/// Finds the index in `rest` of a variable whose row or column vanishes outside the diagonal.
fn isolated(matrix: &DMatrix<f64>, rest: &[usize]) -> Option<usize> {
    rest.iter().position(|&i| {
        let others = || rest.iter().filter(|&&j| j != i);
        others().all(|&j| matrix[(i, j)] == 0.0) || others().all(|&j| matrix[(j, i)] == 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn badly_scaled_matrices_keep_their_small_eigenvalues() {
        // A symmetric matrix T in units that differ by 1e16: A = D T D⁻¹.
        let t = [[2.0, 0.5, 0.25], [0.5, 3.0, 0.5], [0.25, 0.5, 5.0]];
        let d = [1e-8f64, 1.0, 1e8].map(|d| d.log2().round().exp2());
        let skewed = DMatrix::from_fn(3, 3, |i, j| t[i][j] * d[i] / d[j]);
        let plain = DMatrix::from_fn(3, 3, |i, j| t[i][j]);
        let sorted = |m: &DMatrix<f64>| {
            let mut values: Vec<f64> = eigenvalues(m).unwrap().0.iter().map(|value| value.re).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        for (found, expected) in sorted(&skewed).iter().zip(sorted(&plain)) {
            assert!((found / expected - 1.0).abs() < 1e-14, "{found} {expected}");
        }
    }

    #[test]
    fn triangular_matrices_need_no_iteration() {
        let jordan = DMatrix::from_fn(4, 4, |i, j| {
            if i == j {
                0.5
            } else if j > i {
                1e9
            } else {
                0.0
            }
        });
        let (values, rest) = eigenvalues(&jordan).unwrap();
        assert!(values.iter().all(|value| *value == Complex64::from(0.5)) && values.len() == 4);
        assert_eq!(rest, 0.0);
        assert!(eigenvalues(&DMatrix::zeros(0, 0)).unwrap().0.is_empty());
    }
}
