//! The stability matrix S(Z) of a partitioned method on q' = Λq, Z = hΛ, and its eigenvalues.

use hemiola_tableau::Tableau;
use nalgebra::{DMatrix, Schur};
use num_complex::Complex64;

use crate::error::StabilityError;

/// A square complex matrix, row after row.
pub type Matrix = Vec<Vec<Complex64>>;

/// S(Z) = I + Bᵀ(I − [z_rq A^q])⁻¹[z_rq 𝟙] for N partitions: q⁺ = S(Z) q on the linear problem with Z = hΛ.
///
/// Explicit and diagonally implicit methods are stepped stage by stage, others solve all stage equations at once.
///
/// ```
/// use hemiola_stability::stability_matrix;
/// use num_complex::Complex64;
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap().to_f64();
/// let s = stability_matrix(&rk4, &[vec![Complex64::new(-1.0, 0.0)]]).unwrap();
/// assert!((s[0][0].re - 0.375).abs() < 1e-15); // 1 − 1 + 1/2 − 1/6 + 1/24
/// ```
///
/// # Errors
/// [`StabilityError::WrongSize`] where Z does not fit the partitions, [`StabilityError::Pole`] where the stage equations
/// are singular.
pub fn stability_matrix(tableau: &Tableau<f64>, z: &[Vec<Complex64>]) -> Result<Matrix, StabilityError> {
    let expected = tableau.partitions.len();
    for found in z.iter().map(Vec::len).chain([z.len()]) {
        if found != expected {
            return Err(StabilityError::WrongSize { found, expected });
        }
    }
    let is_sequential = tableau.partitions.iter().all(|part| part.is_explicit() || part.is_diagonally_implicit());
    let slopes = if is_sequential { sequential_slopes(tableau, z) } else { simultaneous_slopes(tableau, z) };
    let slopes = slopes.ok_or_else(|| StabilityError::Pole { z: z.to_vec() })?;
    let n = expected;
    let mut s = identity(n);
    for r in 0..n {
        for (i, &b) in tableau.partitions[r].b.iter().enumerate() {
            for q in 0..n {
                s[r][q] += slopes[i][r][q] * b;
            }
        }
    }
    Ok(s)
}

/// h k_i of each stage as a matrix: row r is what partition r's derivative takes from each component of q. `None` at a pole.
///
/// Stage by stage: at |z| = 1000 an elimination of all stages at once would lose five digits more.
fn sequential_slopes(tableau: &Tableau<f64>, z: &[Vec<Complex64>]) -> Option<Vec<Matrix>> {
    let n = z.len();
    let mut slopes: Vec<Matrix> = Vec::with_capacity(tableau.stages());
    for i in 0..tableau.stages() {
        let mut stage = identity(n);
        for (q, butcher) in tableau.partitions.iter().enumerate() {
            for (slope, &a) in slopes.iter().zip(&butcher.a[i]) {
                for p in 0..n {
                    stage[q][p] += slope[q][p] * a;
                }
            }
        }
        let diagonal: Vec<f64> = tableau.partitions.iter().map(|butcher| butcher.a[i][i]).collect();
        slopes.push(stage_slope(z, &stage, &diagonal)?);
    }
    Some(slopes)
}

/// K with (I − Z diag(a_ii)) K = Z Y.
fn stage_slope(z: &[Vec<Complex64>], stage: &Matrix, diagonal: &[f64]) -> Option<Matrix> {
    let right = product(z, stage);
    if diagonal.iter().all(|a| *a == 0.0) {
        return Some(right);
    }
    let n = z.len();
    let system = DMatrix::from_fn(n, n, |r, q| identity_entry(r, q) - z[r][q] * diagonal[q]);
    let solution = solved(system, &DMatrix::from_fn(n, n, |r, q| right[r][q]))?;
    Some((0..n).map(|r| (0..n).map(|q| solution[(r, q)]).collect()).collect())
}

/// The same for all stages at once.
fn simultaneous_slopes(tableau: &Tableau<f64>, z: &[Vec<Complex64>]) -> Option<Vec<Matrix>> {
    let (n, s) = (z.len(), tableau.stages());
    let system = DMatrix::from_fn(n * s, n * s, |row, column| {
        let ((r, i), (q, j)) = ((row / s, row % s), (column / s, column % s));
        identity_entry(row, column) - z[r][q] * tableau.partitions[q].a[i][j]
    });
    let solution = solved(system, &DMatrix::from_fn(n * s, n, |row, q| z[row / s][q]))?;
    Some((0..s).map(|i| (0..n).map(|r| (0..n).map(|q| solution[(r * s + i, q)]).collect()).collect()).collect())
}

/// The solution of a linear system; `None` where it is singular or overflows.
fn solved(system: DMatrix<Complex64>, right: &DMatrix<Complex64>) -> Option<DMatrix<Complex64>> {
    system.lu().solve(right).filter(|solution| solution.iter().all(|value| value.is_finite()))
}

fn identity_entry(row: usize, column: usize) -> Complex64 {
    if row == column { Complex64::ONE } else { Complex64::ZERO }
}

/// The matrices C₀, C₁, …, C_s of S(ξZ) = Σ ξᵏ C_k for an explicit pair: a map along a ray is a Horner scheme.
pub(crate) fn ray_coefficients(tableau: &Tableau<f64>, z: &[Vec<Complex64>]) -> Vec<Matrix> {
    let (n, s) = (z.len(), tableau.stages());
    let mut coefficients = vec![identity(n)];
    // V₁ = [z_rq 𝟙], V_{k+1} = [z_rq A^q] V_k, C_k = Bᵀ V_k.
    let mut v: Vec<Matrix> = vec![z.to_vec(); s];
    for k in 1..=s {
        if k > 1 {
            let images: Vec<Matrix> = (0..s)
                .map(|i| {
                    let row = |(q, butcher): (usize, &hemiola_tableau::Butcher<f64>)| {
                        let sum = |p: usize| butcher.a[i].iter().zip(&v).map(|(&a, v)| v[q][p] * a).sum();
                        (0..n).map(sum).collect()
                    };
                    product(z, &tableau.partitions.iter().enumerate().map(row).collect::<Matrix>())
                })
                .collect();
            v = images;
        }
        let entry = |r: usize, q: usize| tableau.partitions[r].b.iter().zip(&v).map(|(&b, v)| v[r][q] * b).sum();
        coefficients.push((0..n).map(|r| (0..n).map(|q| entry(r, q)).collect()).collect());
    }
    coefficients
}

pub(crate) fn identity(n: usize) -> Matrix {
    (0..n).map(|i| (0..n).map(|j| identity_entry(i, j)).collect()).collect()
}

fn product(x: &[Vec<Complex64>], y: &[Vec<Complex64>]) -> Matrix {
    x.iter().map(|row| (0..y.len()).map(|j| row.iter().zip(y).map(|(x, y)| x * y[j]).sum()).collect()).collect()
}

/// The most steps of the QR iteration: it takes two or three an eigenvalue, or stalls.
pub(crate) const ITERATIONS: usize = 10_000;

/// The eigenvalues of a stability matrix, the largest first.
///
/// # Errors
/// [`StabilityError::NoConvergence`] where the iteration for matrices larger than 2×2 does not converge.
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
/// [`StabilityError::NoConvergence`] where the iteration does not converge, or the norm is not finite.
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
    // The iteration stalls on some matrices; a reflection shows it the same eigenvalues from another side.
    let reflected = reflected(&matrix);
    for (matrix, shift) in [(&matrix, 0.0), (&matrix, 0.37 * size), (&reflected, 0.0), (&reflected, 0.37 * size)] {
        let shifted = matrix + DMatrix::from_diagonal_element(n, n, shift);
        if let Some(schur) = Schur::try_new(shifted, f64::EPSILON, ITERATIONS) {
            let rounding = f64::EPSILON * n as f64 * size;
            let part = |part: f64| if part.abs() <= rounding { 0.0 } else { part };
            let value = |value: &Complex64| Complex64::new(part(value.re - shift), part(value.im));
            return Ok(schur.complex_eigenvalues().iter().map(value).collect());
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

/// Both eigenvalues of a 2×2 matrix. The one of larger modulus comes from a sum without cancellation, the other from
/// the determinant.
#[must_use]
pub fn eigenvalues_of_pair([[a, b], [c, d]]: [[Complex64; 2]; 2]) -> [Complex64; 2] {
    let mean = (a + d) * 0.5;
    let half_difference = (a - d) * 0.5;
    let root = (half_difference * half_difference + b * c).sqrt();
    // The sign that makes the two terms add up.
    let root = if (mean.conj() * root).re < 0.0 { -root } else { root };
    let large = mean + root;
    let small = mean - root;
    // The product of the eigenvalues is more accurate than the difference where that cancels.
    if small.norm_sqr() < 0.25 * large.norm_sqr() && large != Complex64::ZERO {
        [large, (a * d - b * c) / large]
    } else {
        [large, small]
    }
}

/// The spectral radius of a 2×2 matrix.
pub(crate) fn radius_of_pair(s: [[Complex64; 2]; 2]) -> f64 {
    let [large, small] = eigenvalues_of_pair(s);
    large.norm().max(small.norm())
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
    use hemiola_tableau::library;

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
    fn decoupled_systems_see_each_method_alone() {
        let method = library::method("shome-haug-jay-2-5").unwrap();
        let tableau = method.to_f64();
        let (zs, zf) = (complex(-0.3, 0.4), complex(-0.1, 2.0));
        let s = stability_matrix(&tableau, &[vec![zs, Complex64::ZERO], vec![Complex64::ZERO, zf]]).unwrap();
        for (r, z) in [zs, zf].into_iter().enumerate() {
            let function = crate::StabilityFunction::new(&tableau.partitions[r]);
            assert!((s[r][r] - function.at(z)).norm() < 1e-14);
        }
        assert_eq!(s[0][1], Complex64::ZERO);
    }

    #[test]
    fn rays_are_polynomials() {
        let tableau = library::method("mprk-p2").unwrap().to_f64();
        let z = vec![vec![complex(-0.1, 0.5), complex(0.2, 0.0)], vec![complex(0.0, -0.3), complex(-0.4, 1.5)]];
        let xi = complex(0.7, -0.2);
        let scaled: Matrix = z.iter().map(|row| row.iter().map(|z| z * xi).collect()).collect();
        let direct = stability_matrix(&tableau, &scaled).unwrap();
        let coefficients = ray_coefficients(&tableau, &z);
        for r in 0..2 {
            for q in 0..2 {
                let horner = coefficients.iter().rev().fold(Complex64::ZERO, |sum, c| sum * xi + c[r][q]);
                assert!((horner - direct[r][q]).norm() < 1e-14);
            }
        }
    }

    #[test]
    fn implicit_and_explicit_paths_agree() {
        // Symplectic Euler with a zero coupling one way is implicit Euler on the other component.
        let tableau = library::method("symplectic-euler").unwrap().to_f64();
        let z = [vec![complex(-0.2, 0.0), complex(0.5, 0.0)], vec![Complex64::ZERO, complex(-1.0, 0.0)]];
        let s = stability_matrix(&tableau, &z).unwrap();
        assert!((s[1][1] - complex(0.5, 0.0)).norm() < 1e-15);
        let pole = [vec![Complex64::ZERO, Complex64::ZERO], vec![Complex64::ZERO, complex(1.0, 0.0)]];
        assert!(matches!(stability_matrix(&tableau, &pole), Err(StabilityError::Pole { .. })));
        assert!(matches!(stability_matrix(&tableau, &pole[..1]), Err(StabilityError::WrongSize { .. })));
    }

    #[test]
    fn eigenvalues_without_cancellation() {
        // Eigenvalues 1e8 and 1e-8: the trace alone would lose the small one.
        let [large, small] =
            eigenvalues_of_pair([[complex(1e8, 0.0), complex(1.0, 0.0)], [complex(0.0, 0.0), complex(1e-8, 0.0)]]);
        assert_eq!((large.re, small.re), (1e8, 1e-8));
        let n = 4;
        let shift: Matrix =
            (0..n).map(|i| (0..n).map(|j| complex(f64::from(u8::from((i + 1) % n == j)), 0.0)).collect()).collect();
        for value in eigenvalues(&shift).unwrap() {
            assert!((value.norm() - 1.0).abs() < 1e-12, "the fourth roots of one");
        }
    }
}
