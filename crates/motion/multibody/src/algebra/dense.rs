//! Dense factorizations over any number type, in storage of the caller. No library offers them for dual numbers without
//! allocation.

use crate::algebra::number::Number;

/// Factorizes A = L Lᵀ in place, in the lower triangle of an n×n matrix; the diagonal then holds the reciprocals of the
/// diagonal of L.
///
/// The computed factor is that of a matrix within (n + 1) ε |L||Lᵀ| of A (Higham 2002, Theorem 10.3); the diagonal
/// entries of the bound are a_kk. A pivot within that bound returns its row and value as an error.
pub(crate) fn cholesky<N: Number>(a: &mut [N], n: usize) -> Result<(), (usize, f64)> {
    for k in 0..n {
        let (above, rest) = a.split_at_mut(k * n);
        let row = &mut rest[..=k];
        let mut pivot = row[k];
        for j in 0..k {
            let mut sum = row[j];
            for (x, y) in row[..j].iter().zip(&above[j * n..]) {
                sum -= *x * *y;
            }
            // Reciprocals on the diagonal save a division for every entry.
            row[j] = sum * above[j * n + j];
            pivot -= row[j] * row[j];
        }
        let explained = (n + 1) as f64 * f64::EPSILON * row[k].re().abs();
        if pivot.re() <= explained || !pivot.re().is_finite() {
            return Err((k, pivot.re()));
        }
        row[k] = pivot.sqrt().recip();
    }
    Ok(())
}

/// Solves A x = b in place with the factor of [`cholesky`].
pub(crate) fn solve_cholesky<N: Number>(factor: &[N], n: usize, x: &mut [N]) {
    for k in 0..n {
        let mut sum = x[k];
        for (l, x) in factor[k * n..k * n + k].iter().zip(&x[..k]) {
            sum -= *l * *x;
        }
        x[k] = sum * factor[k * n + k];
    }
    for k in (0..n).rev() {
        x[k] *= factor[k * n + k];
        let (before, rest) = x.split_at_mut(k);
        for (l, x) in factor[k * n..k * n + k].iter().zip(before) {
            *x -= *l * rest[0];
        }
    }
}

/// Solves A x = r by Cholesky factorization in place: r becomes x.
///
/// A is an n×n matrix stored row by row, whose lower triangle is read and overwritten. Returns false, without a
/// solution, if A is not positive definite to rounding.
///
/// With A and −h from [`Mechanism::tree_equations`](crate::Mechanism::tree_equations) it yields the accelerations of a
/// tree. Machines with loops use it for their independent accelerations.
///
/// ```
/// let (mut a, mut x) = ([4.0, 0.0, 2.0, 3.0], [2.0, 5.0]);
/// assert!(hemiola_multibody::solve_positive_definite(&mut a, &mut x));
/// assert!((x[0] + 0.5).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15);
/// assert!(!hemiola_multibody::solve_positive_definite(&mut [1.0, 0.0, 2.0, 3.0], &mut [1.0, 1.0]));
/// ```
#[must_use]
pub fn solve_positive_definite(a: &mut [f64], r: &mut [f64]) -> bool {
    let n = r.len();
    if a.len() != n * n || cholesky(a, n).is_err() {
        return false;
    }
    solve_cholesky(a, n, r);
    true
}

/// Factorizes P A = L U in place with partial pivoting. Returns false if a pivot is zero or not finite.
pub(crate) fn lu<N: Number>(a: &mut [N], pivots: &mut [usize], n: usize) -> bool {
    for k in 0..n {
        let size = |row: &usize| a[row * n + k].re().abs();
        let pivot = (k..n).max_by(|x, y| size(x).total_cmp(&size(y))).unwrap_or(k);
        pivots[k] = pivot;
        if pivot != k {
            for j in 0..n {
                a.swap(k * n + j, pivot * n + j);
            }
        }
        let value = a[k * n + k];
        if value.re() == 0.0 || !value.re().is_finite() {
            return false;
        }
        let inverse = value.recip();
        for i in k + 1..n {
            let factor = a[i * n + k] * inverse;
            a[i * n + k] = factor;
            for j in k + 1..n {
                let above = a[k * n + j];
                a[i * n + j] -= factor * above;
            }
        }
    }
    true
}

/// Solves A x = b in place with the factors of [`lu`].
pub(crate) fn solve_lu<N: Number>(factors: &[N], pivots: &[usize], n: usize, x: &mut [N]) {
    for k in 0..n {
        x.swap(k, pivots[k]);
    }
    for k in 1..n {
        for j in 0..k {
            let known = x[j];
            x[k] -= factors[k * n + j] * known;
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            let known = x[j];
            x[k] -= factors[k * n + j] * known;
        }
        x[k] /= factors[k * n + k];
    }
}

/// Computes ‖A⁻¹‖ in the maximum norm from the factors of [`lu`], column by column.
pub(crate) fn inverse_norm<N: Number>(
    factors: &[N],
    pivots: &[usize],
    n: usize,
    column: &mut [N],
    sums: &mut [f64],
) -> f64 {
    sums[..n].fill(0.0);
    for j in 0..n {
        column[..n].fill(N::zero());
        column[j] = N::one();
        solve_lu(factors, pivots, n, &mut column[..n]);
        for i in 0..n {
            sums[i] += column[i].re().abs();
        }
    }
    sums[..n].iter().copied().fold(0.0, f64::max)
}

/// Bounds ‖A⁻¹‖ in the maximum norm from the factors of [`lu`], at the cost of one solution.
///
/// The bound is ‖M(U)⁻¹ M(L)⁻¹ e‖ with the comparison matrices of the factors: the entries of their inverses are at
/// least the moduli of those of the factors' inverses (Higham 2002, Section 8.2).
pub(crate) fn inverse_bound<N: Number>(factors: &[N], n: usize, sums: &mut [f64]) -> f64 {
    let size = |k: usize, j: usize| factors[k * n + j].re().abs();
    for k in 0..n {
        sums[k] = (0..k).fold(1.0, |sum, j| sum + size(k, j) * sums[j]);
    }
    for k in (0..n).rev() {
        sums[k] = (k + 1..n).fold(sums[k], |sum, j| sum + size(k, j) * sums[j]) / size(k, k);
    }
    sums[..n].iter().copied().fold(0.0, f64::max)
}

/// Returns the columns of the m largest pivots of Gaussian elimination with full pivoting on an m×n matrix, which it
/// destroys. Columns appear in pivoting order, and each counts with its weight. There are fewer than m if the rank is
/// smaller.
pub(crate) fn pivot_columns(a: &mut [f64], m: usize, n: usize, weight: &[f64]) -> Vec<usize> {
    let mut columns: Vec<usize> = Vec::with_capacity(m);
    let largest = a.iter().fold(0.0f64, |largest, entry| largest.max(entry.abs()));
    for k in 0..m {
        let free = (k..m).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(_, j)| !columns.contains(j));
        let size = |&(i, j): &(usize, usize)| a[i * n + j].abs() * weight[j];
        let Some((row, column)) = free.max_by(|x, y| size(x).total_cmp(&size(y))) else { break };
        // The remainder of a linearly dependent row is rounding.
        if a[row * n + column].abs() <= (m + n) as f64 * f64::EPSILON * largest {
            break;
        }
        for j in 0..n {
            a.swap(k * n + j, row * n + j);
        }
        for i in k + 1..m {
            let factor = a[i * n + column] / a[k * n + column];
            for j in 0..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
        }
        columns.push(column);
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// Generates numbers between −1 and 1 with a congruential generator (Knuth's MMIX).
    fn numbers(count: usize) -> Vec<f64> {
        let mut state = 7u64;
        let next = |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        (0..count).map(next).collect()
    }

    #[test]
    fn solutions_agree_with_a_library() {
        let n = 12;
        let square = DMatrix::from_row_slice(n, n, &numbers(n * n));
        let right = DVector::from_vec(numbers(n));
        let definite = &square * square.transpose();
        let mut factor: Vec<f64> = definite.iter().copied().collect();
        assert_eq!(cholesky(&mut factor, n), Ok(()));
        let mut x: Vec<f64> = right.iter().copied().collect();
        solve_cholesky(&factor, n, &mut x);
        let residual = (&definite * DVector::from_vec(x.clone()) - &right).amax();
        assert!(residual < 1e-13 * DVector::from_vec(x).amax(), "{residual}");

        let (mut factors, mut pivots) = (square.transpose().iter().copied().collect::<Vec<f64>>(), vec![0; n]);
        assert!(lu(&mut factors, &mut pivots, n));
        let mut x: Vec<f64> = right.iter().copied().collect();
        solve_lu(&factors, &pivots, n, &mut x);
        let expected = square.clone().lu().solve(&right).unwrap();
        assert!((DVector::from_vec(x) - expected).amax() < 1e-12);
        let norm = inverse_norm(&factors, &pivots, n, &mut vec![0.0; n], &mut vec![0.0; n]);
        let inverse = square.try_inverse().unwrap();
        let expected = (0..n).map(|i| inverse.row(i).iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max);
        assert!((norm / expected - 1.0).abs() < 1e-12);
        let bound = inverse_bound(&factors, n, &mut vec![0.0; n]);
        assert!(bound >= norm && bound < 1e3 * norm, "{bound} {norm}");
    }

    #[test]
    fn what_is_not_definite_is_told_by_its_row() {
        // A matrix of rank one: elimination leaves rounding of either sign.
        let mut a: Vec<f64> = [0.1, 0.3, 0.7].iter().flat_map(|x| [0.1, 0.3, 0.7].map(|y| x * y)).collect();
        assert!(cholesky(&mut a, 3).is_err_and(|(row, _)| row == 1));
        assert!(cholesky(&mut [f64::NAN], 1).is_err_and(|(row, pivot)| row == 0 && pivot.is_nan()));
        assert_eq!(cholesky(&mut [1.0, 0.0, 0.0, 0.0], 2), Err((1, 0.0)));
        // Badly scaled matrices are not singular.
        assert_eq!(cholesky(&mut [1e-200, 0.0, 0.0, 1e200], 2), Ok(()));
    }

    #[test]
    fn pivots_show_the_rank() {
        let rows = [[1.0, 2.0, 3.0, 0.0], [2.0, 4.0, 6.0, 0.0], [0.0, 0.0, 0.1, 0.2]];
        assert_eq!(pivot_columns(&mut rows.concat(), 3, 4, &[1.0; 4]), [2, 3]);
        // A small weight keeps a column from being chosen.
        assert_eq!(pivot_columns(&mut rows.concat(), 3, 4, &[1.0, 1.0, 0.01, 1.0]), [1, 3]);
    }
}
