//! Implicit methods whose stages come from a fixed number of Newton iterations, as in real-time codes.
//!
//! On the linear problem the slopes of all stages solve G(K) = K − Z(𝟙⊗q) − 𝒜K = 0 with 𝒜 = [z_rq A^q]. The iterations
//! start from the slope at the beginning of the step, K⁽⁰⁾ = Z(𝟙⊗q) (Gerdts 2003). With an approximation 𝒥 of 𝒜 they
//! are
//!
//! K ← K − (I − 𝒥)⁻¹G(K) = (I − 𝒥)⁻¹(Z(𝟙⊗q) + (𝒜 − 𝒥)K).
//!
//! The right-hand form has no cancellation. It also shows that one iteration with the exact Jacobian, 𝒥 = 𝒜, does not
//! depend on K⁽⁰⁾ and reproduces the implicit method.

use hemiola_tableau::{Jacobian, Tableau};
use nalgebra::{DMatrix, Dyn, LU};
use num_complex::Complex64;

use crate::coupled::matrix::{Matrix, identity};
use crate::error::StabilityError;
use crate::schemes::scheme::StabilityScheme;

/// Tableau with q Newton iterations instead of exactly solved stage equations.
///
/// ```
/// use hemiola_stability::{Linearized, StabilityScheme};
/// use hemiola_tableau::Jacobian;
/// use num_complex::Complex64;
/// let pair = hemiola_tableau::library::method("lobatto-iiic-iiic-star-2").unwrap().to_f64();
/// let entry = |re| Complex64::new(re, 0.0);
/// let z = [vec![entry(-0.5), entry(0.1)], vec![entry(0.1), entry(-0.4)]];
/// let radius = |iterations| Linearized::new(pair.clone(), iterations, Jacobian::Decoupled).spectral_radius(&z);
/// let solved = pair.spectral_radius(&z);
/// assert!((radius(1) - solved).abs() > 1e-4 && (radius(20) - solved).abs() < 1e-15);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Linearized {
    tableau: Tableau<f64>,
    iterations: usize,
    jacobian: Jacobian,
}

impl Linearized {
    /// Creates the scheme for a tableau of one or more partitions; zero iterations leave all stages at f(y).
    #[must_use]
    pub fn new(tableau: Tableau<f64>, iterations: usize, jacobian: Jacobian) -> Self {
        Self { tableau, iterations, jacobian }
    }

    /// Assembles 𝒜, row r s + i for stage i of partition r, restricted to the blocks (r, q) for which `is_in` holds.
    fn couplings(&self, z: &[Vec<Complex64>], is_in: impl Fn(usize, usize) -> bool) -> DMatrix<Complex64> {
        let s = self.tableau.stages();
        DMatrix::from_fn(z.len() * s, z.len() * s, |row, column| {
            let (r, q) = (row / s, column / s);
            if is_in(r, q) { z[r][q] * self.tableau.partitions[q].a[row % s][column % s] } else { Complex64::ZERO }
        })
    }

    /// Returns I − 𝒥, factorized, and 𝒜 − 𝒥.
    fn split(&self, z: &[Vec<Complex64>]) -> (LU<Complex64, Dyn, Dyn>, DMatrix<Complex64>) {
        let is_exact = self.jacobian == Jacobian::Exact;
        let jacobian = self.couplings(z, |r, q| is_exact || r == q);
        let rest = self.couplings(z, |r, q| !is_exact && r != q);
        let newton = DMatrix::identity(jacobian.nrows(), jacobian.ncols()) - jacobian;
        (newton.lu(), rest)
    }
}

impl StabilityScheme for Linearized {
    fn matrix(&self, z: &[Vec<Complex64>]) -> Result<Matrix, StabilityError> {
        let (n, s) = (self.tableau.partitions.len(), self.tableau.stages());
        for found in z.iter().map(Vec::len).chain([z.len()]) {
            if found != n {
                return Err(StabilityError::WrongSize { found, expected: n });
            }
        }
        let start = DMatrix::from_fn(n * s, n, |row, q| z[row / s][q]);
        let mut slopes = start.clone();
        if self.iterations > 0 {
            let (newton, rest) = self.split(z);
            for _ in 0..self.iterations {
                let next = newton.solve(&(&start + &rest * slopes));
                let next = next.filter(|x| x.iter().all(|value| value.is_finite()));
                slopes = next.ok_or_else(|| StabilityError::Pole { z: z.to_vec() })?;
            }
        }
        let mut matrix = identity(n);
        for r in 0..n {
            for (i, &b) in self.tableau.partitions[r].b.iter().enumerate() {
                for q in 0..n {
                    matrix[r][q] += slopes[(r * s + i, q)] * b;
                }
            }
        }
        Ok(matrix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coupled::matrix::stability_matrix;
    use hemiola_tableau::library;

    const IMPLICIT: [&str; 5] =
        ["gauss-3", "radau-iia-3", "lobatto-iiic-iiic-star-3", "lobatto-iiia-iiib-2", "kennedy-carpenter-ark-4-3-6"];

    fn tableau(id: &str) -> Tableau<f64> {
        library::method(id).unwrap().to_f64()
    }

    /// Returns Z for n partitions, with couplings scaled by `coupling`.
    fn problem(n: usize, coupling: f64) -> Matrix {
        let z = [[(-0.8, 0.7), (0.5, -0.3)], [(0.2, 0.6), (-1.1, 0.4)]];
        let entry = |r: usize, q: usize| Complex64::new(z[r][q].0, z[r][q].1) * if r == q { 1.0 } else { coupling };
        (0..n).map(|r| (0..n).map(|q| entry(r, q)).collect()).collect()
    }

    fn distance(x: &Matrix, y: &Matrix) -> f64 {
        x.iter().flatten().zip(y.iter().flatten()).map(|(x, y)| (x - y).norm()).fold(0.0, f64::max)
    }

    #[test]
    fn one_iteration_with_the_exact_jacobian_is_the_implicit_method() {
        for id in IMPLICIT {
            let tableau = tableau(id);
            let z = problem(tableau.partitions.len(), 1.0);
            let solved = stability_matrix(&tableau, &z).unwrap();
            for iterations in [1, 2, 5] {
                let linearized = Linearized::new(tableau.clone(), iterations, Jacobian::Exact).matrix(&z).unwrap();
                assert!(distance(&linearized, &solved) < 1e-14, "{id}");
            }
        }
    }

    /// Compares with K − (I − 𝒥)⁻¹G(K) as printed, for symplectic Euler: implicit with a^s = 0, a^f = 1 or the reverse.
    #[test]
    fn newton_steps_by_hand() {
        let pair = tableau("symplectic-euler");
        let z = problem(2, 0.3);
        let a = [pair.partitions[0].a[0][0], pair.partitions[1].a[0][0]];
        let mut k = z.clone();
        for iterations in 0..4 {
            let found = Linearized::new(pair.clone(), iterations, Jacobian::Decoupled).matrix(&z).unwrap();
            let expected: Matrix =
                (0..2).map(|r| (0..2).map(|q| k[r][q] + if r == q { 1.0 } else { 0.0 }).collect()).collect();
            assert!(distance(&found, &expected) < 1e-15, "{iterations}");
            let residual =
                |r: usize, q: usize| k[r][q] - z[r][q] - (0..2).map(|p| z[r][p] * a[p] * k[p][q]).sum::<Complex64>();
            let next = |r: usize, q: usize| k[r][q] - residual(r, q) / (1.0 - z[r][r] * a[r]);
            k = (0..2).map(|r| (0..2).map(|q| next(r, q)).collect()).collect();
        }
    }

    #[test]
    fn decoupled_iterations_converge_where_couplings_are_weak() {
        for id in IMPLICIT {
            let tableau = tableau(id);
            let n = tableau.partitions.len();
            let error = |coupling: f64, iterations: usize| {
                let z = problem(n, coupling);
                let linearized = Linearized::new(tableau.clone(), iterations, Jacobian::Decoupled).matrix(&z).unwrap();
                distance(&linearized, &stability_matrix(&tableau, &z).unwrap())
            };
            assert!(error(0.0, 1) < 1e-14, "{id} without coupling");
            assert!(error(0.1, 30) < 1e-14, "{id}");
            assert!(n == 1 || error(0.1, 1) > 1e3 * error(0.1, 8), "{id}");
        }
    }

    #[test]
    fn no_iteration_is_an_euler_step() {
        for id in IMPLICIT {
            let tableau = tableau(id);
            let z = problem(tableau.partitions.len(), 1.0);
            let found = Linearized::new(tableau.clone(), 0, Jacobian::Exact).matrix(&z).unwrap();
            let mut expected = identity(z.len());
            for (r, part) in tableau.partitions.iter().enumerate() {
                let sum: f64 = part.b.iter().sum();
                expected[r].iter_mut().zip(&z[r]).for_each(|(entry, z)| *entry += z * sum);
            }
            assert!(distance(&found, &expected) < 1e-15, "{id}");
        }
    }

    #[test]
    fn poles_and_wrong_sizes() {
        let euler = Linearized::new(tableau("implicit-euler"), 1, Jacobian::Decoupled);
        let error = euler.matrix(&[vec![Complex64::ONE]]).unwrap_err();
        assert!(matches!(error, StabilityError::Pole { .. }));
        assert!(matches!(euler.matrix(&problem(2, 1.0)), Err(StabilityError::WrongSize { found: 2, expected: 1 })));
        assert_eq!(euler.spectral_radius(&[vec![Complex64::new(f64::NAN, 0.0)]]), f64::INFINITY);
    }
}
