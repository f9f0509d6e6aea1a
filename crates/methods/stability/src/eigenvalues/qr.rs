//! Eigenvalues of complex and real matrices by the QR iteration.

use hemiola_number::vector::{Registers, Task, dispatch};
use nalgebra::{DMatrix, Schur};
use num_complex::Complex64;

use crate::eigenvalues::hessenberg::Columns;
use crate::eigenvalues::pair::eigenvalues_of_pair;
use crate::error::StabilityError;

/// Maximum number of steps of the QR iteration: it takes two or three per eigenvalue, or stalls.
pub(crate) const ITERATIONS: usize = 10_000;

/// Maximum number of steps per eigenvalue of a real matrix.
const STEPS: usize = 40;
/// Size up to which nalgebra's decomposition is about as fast as our iteration. For a hundred variables, our iteration
/// takes a third of the time and does not stall.
const FEW: usize = 40;

/// Computes the eigenvalues of a stability matrix, the largest first.
///
/// # Errors
/// Returns [`StabilityError::NoConvergence`] if the iteration for matrices larger than 2×2 does not converge.
pub fn eigenvalues(s: &[Vec<Complex64>]) -> Result<Vec<Complex64>, StabilityError> {
    let mut values = match s {
        [row] => vec![row[0]],
        [top, bottom] => eigenvalues_of_pair([[top[0], top[1]], [bottom[0], bottom[1]]]).to_vec(),
        _ => schur_eigenvalues(s)?,
    };
    values.sort_by(|x, y| y.norm().total_cmp(&x.norm()));
    Ok(values)
}

/// Computes the eigenvalues of a real square matrix, such as a Jacobian; nonreal ones form exact conjugate pairs.
///
/// Real and imaginary parts of the size of the iteration's rounding are set to zero, as in singular matrices.
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
/// Returns [`StabilityError::NoConvergence`] if the iteration does not converge, or the norm is not finite.
pub fn real_eigenvalues(rows: &[Vec<f64>]) -> Result<Vec<Complex64>, StabilityError> {
    let n = rows.len();
    if n == 0 {
        return Ok(Vec::new());
    }
    let size = DMatrix::from_fn(n, n, |i, j| rows[i][j]).norm().max(f64::MIN_POSITIVE);
    if !size.is_finite() {
        return Err(StabilityError::NoConvergence { size: n });
    }
    let library = if n <= FEW { library_eigenvalues(rows) } else { None };
    let ours = || dispatch(RealEigenvalues(Columns::new(n, |i, j| rows[i][j])));
    let values = library.or_else(ours).ok_or(StabilityError::NoConvergence { size: n })?;
    let rounding = f64::EPSILON * n as f64 * size;
    let part = |part: f64| if part.abs() <= rounding { 0.0 } else { part };
    Ok(values.iter().map(|value| Complex64::new(part(value.re), part(value.im))).collect())
}

/// Computes the eigenvalues of a small real matrix; returns `None` if the iteration stalls, as it does on cyclic
/// shifts.
fn library_eigenvalues(rows: &[Vec<f64>]) -> Option<Vec<Complex64>> {
    let n = rows.len();
    let schur = Schur::try_new(DMatrix::from_fn(n, n, |i, j| rows[i][j]), f64::EPSILON, STEPS * n)?;
    Some(schur.complex_eigenvalues().iter().copied().collect())
}

/// Task that computes the eigenvalues of a real matrix; its output is `None` if the iteration stalls.
struct RealEigenvalues(Columns);

impl Task for RealEigenvalues {
    type Output = Option<Vec<Complex64>>;

    fn run<R: Registers>(mut self) -> Self::Output {
        self.0.reduce();
        self.0.eigenvalues()
    }
}

/// Computes eigenvalues by the QR iteration with a limited number of steps.
///
/// The iteration stalls on some matrices, for instance cyclic shifts; a shift of the spectrum resolves this.
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
    use hemiola_number::vector::Instructions;

    use super::*;

    fn complex(re: f64, im: f64) -> Complex64 {
        Complex64::new(re, im)
    }

    /// Returns a matrix of numbers between −1/2 and 1/2 that depend only on a seed.
    fn random(n: usize, seed: u64) -> Vec<Vec<f64>> {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        (0..n).map(|_| (0..n).map(|_| next()).collect()).collect()
    }

    /// Returns the largest distance of a value from the nearest one in the other list, in both directions.
    fn distance(found: &[Complex64], expected: &[Complex64]) -> f64 {
        let nearest = |value: &Complex64, all: &[Complex64]| {
            all.iter().map(|other| (value - other).norm()).fold(f64::INFINITY, f64::min)
        };
        let forth = found.iter().map(|value| nearest(value, expected));
        forth.chain(expected.iter().map(|value| nearest(value, found))).fold(0.0, f64::max)
    }

    #[test]
    fn real_matrices_have_the_eigenvalues_of_a_second_algorithm() {
        for (n, seed) in [(1, 1), (2, 2), (3, 3), (4, 4), (7, 5), (12, 6), (33, 7), (80, 8), (150, 9)] {
            let rows = random(n, seed);
            let second = Schur::new(DMatrix::from_fn(n, n, |i, j| rows[i][j])).complex_eigenvalues();
            let found = dispatch(RealEigenvalues(Columns::new(n, |i, j| rows[i][j]))).unwrap();
            assert!(found.len() == n && distance(&found, second.as_slice()) < 1e-12 * n as f64, "{n}");
            assert!(found.iter().all(|value| found.contains(&value.conj())));
            assert!(distance(&found, &real_eigenvalues(&rows).unwrap()) < 1e-12 * n as f64, "{n}");
            // Compare the traces of the matrix and of its square.
            let (sum, squares): (Complex64, Complex64) =
                (found.iter().sum(), found.iter().map(|value| value * value).sum());
            let trace: f64 = (0..n).map(|i| rows[i][i]).sum();
            let square: f64 = (0..n).map(|i| (0..n).map(|j| rows[i][j] * rows[j][i]).sum::<f64>()).sum();
            assert!(
                (sum - trace).norm() < 1e-13 * n as f64 && (squares - square).norm() < 1e-13 * (n * n) as f64,
                "{n}"
            );
        }
    }

    #[test]
    fn eigenvalues_that_are_known() {
        // Second differences have the eigenvalues 2 − 2 cos(kπ/(n + 1)).
        let n = 120;
        let entry = |i: usize, j: usize| if i == j { 2.0 } else { -f64::from(u8::from(i.abs_diff(j) == 1)) };
        let differences: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let angle = |k: usize| std::f64::consts::PI * k as f64 / (n + 1) as f64;
        let expected: Vec<Complex64> = (1..=n).map(|k| (2.0 - 2.0 * angle(k).cos()).into()).collect();
        assert!(distance(&real_eigenvalues(&differences).unwrap(), &expected) < 1e-13);
        // Frank's matrix, whose smallest eigenvalues are ill conditioned: they come in pairs λ, 1/λ.
        let n = 9;
        let entry = |i: usize, j: usize| if j + 1 < i { 0.0 } else { (n - i.max(j)) as f64 };
        let frank: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let values = real_eigenvalues(&frank).unwrap();
        assert!(values.iter().all(|value| value.im == 0.0) && values.iter().any(|value| value.re < 0.05));
        let is_inverse = |x: &Complex64| values.iter().any(|y| (x * y - 1.0).norm() < 1e-9);
        assert!(values.iter().all(is_inverse), "{values:?}");
        // A Jordan block with 1e-8 in its corner, n = 8: its eigenvalues are the eighth roots of 1e-8.
        let entry = |i: usize, j: usize| {
            if j == i + 1 {
                1.0
            } else if (i, j) == (7, 0) {
                1e-8
            } else {
                0.0
            }
        };
        let jordan: Vec<Vec<f64>> = (0..8).map(|i| (0..8).map(|j| entry(i, j)).collect()).collect();
        let expected: Vec<Complex64> =
            (0..8).map(|k| Complex64::from_polar(0.1, 0.25 * std::f64::consts::PI * f64::from(k))).collect();
        assert!(distance(&real_eigenvalues(&jordan).unwrap(), &expected) < 1e-9);
        assert_eq!(real_eigenvalues(&vec![vec![0.0; 5]; 5]).unwrap(), [Complex64::ZERO; 5]);
    }

    #[test]
    fn all_instructions_give_the_same_bits() {
        for n in [3, 10, 45] {
            let rows = random(n, 77);
            let matrix = Columns::new(n, |i, j| rows[i][j]);
            let expected = Instructions::PORTABLE.run(RealEigenvalues(matrix.clone())).unwrap();
            for instructions in Instructions::all() {
                assert_eq!(instructions.run(RealEigenvalues(matrix.clone())).unwrap(), expected);
            }
        }
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
            Err(StabilityError::NoConvergence { size: 2 })
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
