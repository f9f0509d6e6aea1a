//! Eigenvalues of complex and of real matrices, by the QR iteration.

use nalgebra::{DMatrix, Schur};
use num_complex::Complex64;

use crate::eigenvalues::pair::eigenvalues_of_pair;
use crate::error::StabilityError;

/// The most steps of the QR iteration: it takes two or three an eigenvalue, or stalls.
pub(crate) const ITERATIONS: usize = 10_000;
/// The same for each eigenvalue of a real matrix.
const STEPS: usize = 40;

/// The eigenvalues of a stability matrix, the largest first.
///
/// # Errors
/// [`StabilityError::NoConvergence`] if the iteration for matrices larger than 2×2 does not converge.
pub fn eigenvalues(s: &[Vec<Complex64>]) -> Result<Vec<Complex64>, StabilityError> {
    let mut values = match s {
        [row] => vec![row[0]],
        [top, bottom] => eigenvalues_of_pair([[top[0], top[1]], [bottom[0], bottom[1]]]).to_vec(),
        _ => schur_eigenvalues(s)?,
    };
    values.sort_by(|x, y| y.norm().total_cmp(&x.norm()));
    Ok(values)
}

/// The eigenvalues of a real square matrix, a Jacobian for instance: those that are not real in exact pairs of conjugates.
/// Real and imaginary parts of the size of the iteration's rounding are zero, as singular matrices have them.
///
/// ```
/// use hemiola_stability::real_eigenvalues;
/// let oscillator = [vec![0.0, 1.0], vec![-4.0, 0.0]];
/// let values = real_eigenvalues(&oscillator)?;
/// assert_eq!((values[0], values[0].im.abs()), (values[1].conj(), 2.0));
/// # Ok::<(), hemiola_stability::StabilityError>(())
/// ```
///
/// # Errors
/// [`StabilityError::NoConvergence`] if the iteration does not converge, or the norm is not finite.
pub fn real_eigenvalues(rows: &[Vec<f64>]) -> Result<Vec<Complex64>, StabilityError> {
    let n = rows.len();
    if n == 0 {
        return Ok(Vec::new());
    }
    let matrix = DMatrix::from_fn(n, n, |i, j| rows[i][j]);
    let size = matrix.norm().max(f64::MIN_POSITIVE);
    if !size.is_finite() {
        return Err(StabilityError::NoConvergence { size: n });
    }
    // The iteration stalls on some matrices; a reflection shows it the same eigenvalues from another side, and an entry is nothing where it is
    // a few times the rounding of its neighbors, of which n have a part in it.
    let reflected = reflected(&matrix);
    for tolerance in [1.0, 4.0, 16.0].map(|times| times * f64::EPSILON) {
        for (matrix, shift) in [(&matrix, 0.0), (&matrix, 0.37 * size), (&reflected, 0.0), (&reflected, 0.37 * size)] {
            let shifted = matrix + DMatrix::from_diagonal_element(n, n, shift);
            if let Some(schur) = Schur::try_new(shifted, tolerance, STEPS * n) {
                let rounding = f64::EPSILON * n as f64 * size;
                let part = |part: f64| if part.abs() <= rounding { 0.0 } else { part };
                let value = |value: &Complex64| Complex64::new(part(value.re - shift), part(value.im));
                return Ok(schur.complex_eigenvalues().iter().map(value).collect());
            }
        }
    }
    Err(StabilityError::NoConvergence { size: n })
}

/// HMH with the reflection H = I − 2vvᵀ/vᵀv at a vector of unequal numbers.
fn reflected(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let n = matrix.nrows();
    let v = nalgebra::DVector::from_fn(n, |i, _| 1.0 + 0.7 * (1.3 * i as f64).sin());
    let h = DMatrix::identity(n, n) - &v * v.transpose() * (2.0 / v.norm_squared());
    &h * matrix * &h
}

/// Eigenvalues by the QR iteration, with a cap: it stalls on some matrices, cyclic shifts for one, which a shift of the
/// spectrum breaks.
fn schur_eigenvalues(s: &[Vec<Complex64>]) -> Result<Vec<Complex64>, StabilityError> {
    let n = s.len();
    let matrix = DMatrix::from_fn(n, n, |i, j| s[i][j]);
    let size = matrix.norm().max(f64::MIN_POSITIVE);
    for shift in [Complex64::ZERO, Complex64::new(0.37, 0.61) * size] {
        let shifted = matrix.clone() + DMatrix::from_diagonal_element(n, n, shift);
        if let Some(schur) = Schur::try_new(shifted, f64::EPSILON, ITERATIONS) {
            let (_, triangle) = schur.unpack();
            return Ok((0..n).map(|i| triangle[(i, i)] - shift).collect());
        }
    }
    Err(StabilityError::NoConvergence { size: n })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complex(re: f64, im: f64) -> Complex64 {
        Complex64::new(re, im)
    }

    #[test]
    fn real_matrices_on_which_the_iteration_stalls_unshifted() {
        let n = 6;
        let entry = |i: usize, j: usize| if (i + 1) % n == j { 1.0 } else { 0.0 };
        let shift: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let values = real_eigenvalues(&shift).unwrap();
        assert!(values.len() == n && values.iter().all(|value| (value.powi(6) - 1.0).norm() < 1e-12), "{values:?}");
        assert!(values.iter().all(|value| values.contains(&value.conj())));
        assert!(real_eigenvalues(&[]).unwrap().is_empty());
        assert_eq!(real_eigenvalues(&[vec![-3.0]]).unwrap(), [complex(-3.0, 0.0)]);
        assert!(matches!(
            real_eigenvalues(&[vec![1e300; 2], vec![1e300; 2]]),
            Err(StabilityError::NoConvergence { .. })
        ));
    }

    #[test]
    fn a_cyclic_shift_has_the_roots_of_one() {
        let n = 4;
        let shift: Vec<Vec<Complex64>> =
            (0..n).map(|i| (0..n).map(|j| complex(f64::from(u8::from((i + 1) % n == j)), 0.0)).collect()).collect();
        for value in eigenvalues(&shift).unwrap() {
            assert!((value.norm() - 1.0).abs() < 1e-12, "the fourth roots of one");
        }
    }
}
