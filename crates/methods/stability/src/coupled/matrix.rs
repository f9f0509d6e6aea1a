//! Stability matrix S(Z) of a partitioned method on q' = Λq, Z = hΛ.

use hemiola_tableau::{Butcher, Tableau};
use nalgebra::DMatrix;
use num_complex::Complex64;

use crate::error::StabilityError;

/// Square complex matrix, row by row.
pub type Matrix = Vec<Vec<Complex64>>;

/// 2×2 complex matrix of a pair, row by row.
pub(crate) type PairMatrix = [[Complex64; 2]; 2];

/// Computes S(Z) = I + Bᵀ(I − [z_rq A^q])⁻¹[z_rq 𝟙] for N partitions: q⁺ = S(Z) q on the linear problem with Z = hΛ.
///
/// Explicit and diagonally implicit methods are computed stage by stage; for others all stage equations are solved at
/// once.
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
/// Returns [`StabilityError::WrongSize`] if the size of Z differs from the number of partitions,
/// [`StabilityError::Pole`] if the stage equations are singular.
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

/// Computes h k_i of each stage as a matrix: row r maps the components of q to the derivative of partition r. Returns
/// `None` at a pole.
///
/// Stages are computed one by one: at |z| = 1000 an elimination of all stages at once would lose five more digits.
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

/// Solves (I − Z diag(a_ii)) K = Z Y for K.
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

/// Computes h k_i of all stages at once.
fn simultaneous_slopes(tableau: &Tableau<f64>, z: &[Vec<Complex64>]) -> Option<Vec<Matrix>> {
    let (n, s) = (z.len(), tableau.stages());
    let system = DMatrix::from_fn(n * s, n * s, |row, column| {
        let ((r, i), (q, j)) = ((row / s, row % s), (column / s, column % s));
        identity_entry(row, column) - z[r][q] * tableau.partitions[q].a[i][j]
    });
    let solution = solved(system, &DMatrix::from_fn(n * s, n, |row, q| z[row / s][q]))?;
    Some((0..s).map(|i| (0..n).map(|r| (0..n).map(|q| solution[(r * s + i, q)]).collect()).collect()).collect())
}

/// Solves a linear system; returns `None` if it is singular or overflows.
fn solved(system: DMatrix<Complex64>, right: &DMatrix<Complex64>) -> Option<DMatrix<Complex64>> {
    system.lu().solve(right).filter(|solution| solution.iter().all(|value| value.is_finite()))
}

fn identity_entry(row: usize, column: usize) -> Complex64 {
    if row == column { Complex64::ONE } else { Complex64::ZERO }
}

/// Computes the matrices C₀, C₁, …, C_s of S(ξZ) = Σ ξᵏ C_k for an explicit pair, for Horner's scheme along a ray.
///
/// Zeros of A and of its powers are skipped, and no coefficient allocates memory: a map of profiles needs new
/// coefficients for each point.
pub(crate) fn ray_coefficients(tableau: &Tableau<f64>, z: PairMatrix) -> Vec<PairMatrix> {
    let s = tableau.stages();
    let row = |part: &Butcher<f64>, i: usize| {
        let entries = part.a[i].iter().copied().enumerate();
        entries.filter(|(_, a)| *a != 0.0).collect::<Vec<(usize, f64)>>()
    };
    let rows: Vec<[Vec<(usize, f64)>; 2]> = (0..s).map(|i| [0, 1].map(|q| row(&tableau.partitions[q], i))).collect();
    let mut coefficients = vec![[[Complex64::ONE, Complex64::ZERO], [Complex64::ZERO, Complex64::ONE]]];
    // V₁ = [z_rq 𝟙], V_{k+1} = [z_rq A^q] V_k, C_k = Bᵀ V_k.
    let mut v = vec![z; s];
    let mut images = v.clone();
    for k in 1..=s {
        // The first k − 1 rows of V_k are zero.
        let zero = k - 1;
        if k > 1 {
            for (image, rows) in images.iter_mut().zip(&rows).skip(zero) {
                let entries = |q: usize| rows[q].iter().skip_while(|(j, _)| j + 1 < zero);
                let sum = |q: usize, p: usize| entries(q).map(|&(j, a)| v[j][q][p] * a).sum::<Complex64>();
                let sums = [0, 1].map(|q| [0, 1].map(|p| sum(q, p)));
                *image = z.map(|z| [0, 1].map(|p| z[0] * sums[0][p] + z[1] * sums[1][p]));
            }
            std::mem::swap(&mut v, &mut images);
        }
        let entry =
            |r: usize, q: usize| tableau.partitions[r].b.iter().zip(&v).skip(zero).map(|(&b, v)| v[r][q] * b).sum();
        coefficients.push([0, 1].map(|r| [0, 1].map(|q| entry(r, q))));
    }
    coefficients
}

pub(crate) fn identity(n: usize) -> Matrix {
    (0..n).map(|i| (0..n).map(|j| identity_entry(i, j)).collect()).collect()
}

fn product(x: &[Vec<Complex64>], y: &[Vec<Complex64>]) -> Matrix {
    x.iter().map(|row| (0..y.len()).map(|j| row.iter().zip(y).map(|(x, y)| x * y[j]).sum()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hemiola_tableau::library;

    fn complex(re: f64, im: f64) -> Complex64 {
        Complex64::new(re, im)
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
        let z = [[complex(-0.1, 0.5), complex(0.2, 0.0)], [complex(0.0, -0.3), complex(-0.4, 1.5)]];
        let xi = complex(0.7, -0.2);
        let scaled: Matrix = z.map(|row| row.map(|z| z * xi).to_vec()).to_vec();
        let direct = stability_matrix(&tableau, &scaled).unwrap();
        let coefficients = ray_coefficients(&tableau, z);
        for r in 0..2 {
            for q in 0..2 {
                let horner = coefficients.iter().rev().fold(Complex64::ZERO, |sum, c| sum * xi + c[r][q]);
                assert!((horner - direct[r][q]).norm() < 1e-14);
            }
        }
    }

    #[test]
    fn implicit_and_explicit_paths_agree() {
        // Symplectic Euler with coupling in one direction only is implicit Euler on the other component.
        let tableau = library::method("symplectic-euler").unwrap().to_f64();
        let z = [vec![complex(-0.2, 0.0), complex(0.5, 0.0)], vec![Complex64::ZERO, complex(-1.0, 0.0)]];
        let s = stability_matrix(&tableau, &z).unwrap();
        assert!((s[1][1] - complex(0.5, 0.0)).norm() < 1e-15);
        let pole = [vec![Complex64::ZERO, Complex64::ZERO], vec![Complex64::ZERO, complex(1.0, 0.0)]];
        assert!(matches!(stability_matrix(&tableau, &pole), Err(StabilityError::Pole { .. })));
        assert!(matches!(stability_matrix(&tableau, &pole[..1]), Err(StabilityError::WrongSize { .. })));
    }
}
