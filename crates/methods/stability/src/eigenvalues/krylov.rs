//! Outermost eigenvalues of large matrices from matrix–vector products, by Arnoldi's process (1951) without restarts.
//!
//! Each direction is orthogonalized twice, which is enough (Giraud, Langou & Rozložník 2005).

use nalgebra::DVector;
use num_complex::Complex64;

use crate::eigenvalues::qr::real_eigenvalues;
use crate::error::StabilityError;

/// Dimension at the first computation of Ritz values, and the growth factor between computations.
const FIRST: usize = 60;
const GROWTH: f64 = 1.4;
/// Relative size of a direction compared with its image below which the space is invariant and the process ends.
const NOTHING: f64 = 1e-13;

/// Eigenvalue of a matrix on a Krylov subspace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ritz {
    pub(crate) value: Complex64,
    /// Residual ‖Mx − θx‖/‖x‖ of its vector x.
    pub(crate) residual: f64,
}

/// Orthonormal basis of a Krylov subspace, and the matrix restricted to it.
struct Arnoldi {
    basis: Vec<DVector<f64>>,
    /// Columns of the Hessenberg matrix, down to the subdiagonal entry.
    columns: Vec<Vec<f64>>,
}

/// Returns a vector of unequal entries, with a component in all modes.
pub(crate) fn any_vector(n: usize) -> DVector<f64> {
    DVector::from_fn(n, |i, _| 1.0 + 0.7 * (1.3 * i as f64).sin() + 0.4 * (0.9 * (i * i) as f64).cos())
}

/// Computes Ritz values of a map, the largest first, on growing Krylov subspaces of at most `most` dimensions, until
/// `is_enough`.
///
/// Residuals are computed for the `known` largest values; those of the others are infinite.
///
/// # Errors
/// Returns [`StabilityError::NoConvergence`] if the eigenvalues on a subspace cannot be found, for instance because the
/// map overflows.
pub(crate) fn ritz_values(
    start: &DVector<f64>,
    [known, most]: [usize; 2],
    mut map: impl FnMut(&DVector<f64>, &mut DVector<f64>),
    mut is_enough: impl FnMut(&[Ritz]) -> bool,
) -> Result<Vec<Ritz>, StabilityError> {
    let mut space = Arnoldi { basis: vec![start / start.norm()], columns: Vec::new() };
    let most = most.min(start.len());
    let mut look = FIRST.min(most);
    loop {
        let is_invariant = space.grow(look, &mut map);
        let values = space.values(known)?;
        if is_invariant || look == most || is_enough(&values) {
            return Ok(values);
        }
        look = ((GROWTH * look as f64) as usize).min(most);
    }
}

impl Arnoldi {
    /// Extends the space to a dimension; returns whether it became invariant.
    fn grow(&mut self, dimension: usize, map: &mut impl FnMut(&DVector<f64>, &mut DVector<f64>)) -> bool {
        let n = self.basis[0].len();
        let mut image = DVector::zeros(n);
        while self.columns.len() < dimension {
            map(&self.basis[self.columns.len()], &mut image);
            let size = image.norm();
            let mut column = vec![0.0; self.basis.len()];
            for _ in 0..2 {
                for (vector, entry) in self.basis.iter().zip(&mut column) {
                    let part = vector.dot(&image);
                    image.axpy(-part, vector, 1.0);
                    *entry += part;
                }
            }
            let left = image.norm();
            column.push(left);
            self.columns.push(column);
            if left <= NOTHING * size || self.columns.len() == n {
                return true;
            }
            self.basis.push(&image / left);
        }
        false
    }

    /// Computes the Ritz values, the largest first, with residuals of the first `known` of them.
    fn values(&self, known: usize) -> Result<Vec<Ritz>, StabilityError> {
        let m = self.columns.len();
        let entry = |i: usize, j: usize| self.columns[j].get(i).copied().unwrap_or(0.0);
        let rows: Vec<Vec<f64>> = (0..m).map(|i| (0..m).map(|j| entry(i, j)).collect()).collect();
        let mut values = real_eigenvalues(&rows)?;
        values.sort_by(|x, y| y.norm().total_cmp(&x.norm()).then(x.im.total_cmp(&y.im)));
        let residual = |k: usize, value: Complex64| if k < known { self.residual(value) } else { f64::INFINITY };
        Ok(values.into_iter().enumerate().map(|(k, value)| Ritz { value, residual: residual(k, value) }).collect())
    }

    /// Computes h_{m+1,m} |y_m|/‖y‖, where (H − θ)y = 0, by inverse iteration.
    fn residual(&self, value: Complex64) -> f64 {
        let m = self.columns.len();
        let size = self.columns.iter().flatten().fold(f64::MIN_POSITIVE, |largest, entry| largest.max(entry.abs()));
        let entry = |i: usize, j: usize| self.columns[j].get(i).copied().unwrap_or(0.0);
        let shifted = |i: usize, j: usize| entry(i, j) - if i == j { value } else { Complex64::ZERO };
        let rows: Vec<Vec<Complex64>> = (0..m).map(|i| (0..m).map(|j| shifted(i, j)).collect()).collect();
        let mut y = vec![Complex64::ONE; m];
        for _ in 0..INVERSE_STEPS {
            let mut left = rows.clone();
            solve_hessenberg(&mut left, &mut y, f64::EPSILON * size);
            let norm = y.iter().map(Complex64::norm_sqr).sum::<f64>().sqrt();
            y.iter_mut().for_each(|y| *y /= norm);
        }
        self.columns[m - 1][m] * y[m - 1].norm()
    }
}

/// Number of inverse iteration steps, from a vector of ones.
const INVERSE_STEPS: usize = 2;

/// Solves a Hessenberg system in place by elimination with row exchanges; replaces negligible pivots by the size of
/// rounding.
fn solve_hessenberg(rows: &mut [Vec<Complex64>], right: &mut [Complex64], rounding: f64) {
    let m = rows.len();
    for k in 0..m {
        if k + 1 < m && rows[k + 1][k].norm_sqr() > rows[k][k].norm_sqr() {
            rows.swap(k, k + 1);
            right.swap(k, k + 1);
        }
        if rows[k][k].norm() < rounding {
            rows[k][k] = rounding.into();
        }
        let (above, below) = rows.split_at_mut(k + 1);
        if let (Some(pivot), Some(next)) = (above.last(), below.first_mut()) {
            let factor = next[k] / pivot[k];
            next[k..].iter_mut().zip(&pivot[k..]).for_each(|(next, pivot)| *next -= factor * pivot);
            let part = factor * right[k];
            right[k + 1] -= part;
        }
    }
    for k in (0..m).rev() {
        let known: Complex64 = rows[k][k + 1..].iter().zip(&right[k + 1..]).map(|(entry, y)| entry * y).sum();
        right[k] = (right[k] - known) / rows[k][k];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a map of independent damped oscillators.
    fn oscillators(frequencies: &[f64]) -> impl FnMut(&DVector<f64>, &mut DVector<f64>) + '_ {
        |x, out| {
            for (k, frequency) in frequencies.iter().enumerate() {
                out[2 * k] = frequency * x[2 * k + 1];
                out[2 * k + 1] = -frequency * x[2 * k] - 0.01 * x[2 * k + 1];
            }
        }
    }

    #[test]
    fn the_outermost_eigenvalues_come_first() {
        let frequencies: Vec<f64> = (0..400).map(|k| 1.0 + 0.01 * f64::from(k)).chain([5.3]).collect();
        let is_enough = |found: &[Ritz]| found[0].residual < 1e-9;
        let found = ritz_values(&any_vector(802), [1, 300], oscillators(&frequencies), is_enough).unwrap();
        let exact = Complex64::new(-0.005, (5.3f64 * 5.3 - 0.005 * 0.005).sqrt());
        let error = (found[0].value - exact).norm().min((found[0].value - exact.conj()).norm());
        // The eigenvalue is isolated: it converges long before the maximum dimension.
        assert!(error < 1e-9 && found.len() < 300, "{:?} {}", found[0], found.len());
    }

    #[test]
    fn residuals_bound_errors_of_normal_maps() {
        let n = 500;
        let diagonal = |i: usize| 1.0 - (i as f64 / n as f64).powi(2);
        let map = |x: &DVector<f64>, out: &mut DVector<f64>| {
            for i in 0..n {
                out[i] = diagonal(i) * x[i];
            }
        };
        let found = ritz_values(&any_vector(n), [60, 60], map, |_| false).unwrap();
        assert_eq!(found.len(), 60);
        for ritz in &found {
            let error = (0..n).map(|i| (ritz.value - diagonal(i)).norm()).fold(f64::INFINITY, f64::min);
            assert!(error <= ritz.residual + 1e-13, "{ritz:?} {error}");
        }
        assert!(found[0].residual < 1e-2);
    }

    #[test]
    fn small_and_invariant_spaces_are_exact() {
        let found = ritz_values(&any_vector(3), [3, 100], |x, out| *out = x * 2.0, |_| false).unwrap();
        assert_eq!(found.len(), 1);
        assert!((found[0].value - 2.0).norm() < 1e-15);
        let shift = |x: &DVector<f64>, out: &mut DVector<f64>| (0..5).for_each(|i| out[(i + 1) % 5] = x[i]);
        let found = ritz_values(&any_vector(5), [5, 100], shift, |_| false).unwrap();
        assert!(found.len() == 5 && found.iter().all(|ritz| (ritz.value.norm() - 1.0).abs() < 1e-14));
    }
}
