//! Forms of a polynomial that can be evaluated in doubles on its region of stability.

use dashu::rational::RBig;
use num_complex::Complex64;

use crate::arithmetic::complex::Complex;
use crate::basis::orthogonal::Basis;

/// R in a basis whose members are of size one on the region of stability. Monomials are not: R(z) cancels the digits of
/// Σ β_k zᵏ.
#[derive(Clone, Debug, PartialEq)]
pub enum StableForm {
    /// R = Σ c_j T_j(1 + 2z/L), Chebyshev polynomials of the interval [−L, 0].
    RealChebyshev {
        /// L.
        limit: f64,
        /// c_0 … c_s.
        coefficients: Vec<f64>,
    },
    /// R = Σ c_j V_j(z/L), V_{j+1} = 2wV_j + V_{j−1} with V_0 = 1 and V_1 = w, Chebyshev polynomials of [−iL, iL].
    ImaginaryChebyshev {
        /// L.
        limit: f64,
        /// c_0 … c_s.
        coefficients: Vec<f64>,
    },
    /// R = Σ c_j (1 + z/r)ʲ, powers about the center of the disk |z + r| ≤ r.
    DiskPowers {
        /// r.
        radius: f64,
        /// c_0 … c_s.
        coefficients: Vec<f64>,
    },
    /// R = Σ c_j q_j(z/u) with polynomials q_j that are orthonormal on the spectrum: q_0 = `first`, and row j of `recursion`
    /// holds the coefficients of w q_j in q_0 … q_{j+1}.
    Orthonormal {
        /// u.
        unit: f64,
        /// q_0.
        first: f64,
        /// The rows of the recursion.
        recursion: Vec<Vec<f64>>,
        /// c_0 … c_s.
        coefficients: Vec<f64>,
    },
}

impl StableForm {
    /// The form of Σ β_k zᵏ in polynomials that are orthonormal on a sample.
    pub(crate) fn orthonormal(beta: &[RBig], sample: &[(f64, f64)]) -> Self {
        let basis = Basis::new(0, beta.len(), sample);
        let (unit, first, recursion) = basis.parts();
        Self::Orthonormal { unit, first, recursion: recursion.to_vec(), coefficients: basis.coefficients(beta) }
    }

    /// R(z).
    #[must_use]
    pub fn at(&self, z: Complex64) -> Complex64 {
        match self {
            Self::RealChebyshev { limit, coefficients } => {
                let x = 1.0 + 2.0 * z / limit;
                series(coefficients, x, |last, before| 2.0 * x * last - before)
            }
            Self::ImaginaryChebyshev { limit, coefficients } => {
                let w = z / limit;
                series(coefficients, w, |last, before| 2.0 * w * last + before)
            }
            Self::DiskPowers { radius, coefficients } => {
                let w = 1.0 + z / radius;
                coefficients.iter().rev().fold(Complex64::ZERO, |sum, c| sum * w + c)
            }
            Self::Orthonormal { unit, first, recursion, coefficients } => {
                let q = Basis::from_parts(*unit, *first, recursion).at(&Complex::new(z.re, z.im), false).value;
                let sum = coefficients.iter().zip(q).fold(Complex::new(0.0, 0.0), |sum, (c, q)| sum + q.scale(c));
                Complex64::new(sum.re, sum.im)
            }
        }
    }
}

/// Σ c_j p_j with p_0 = 1, p_1 = `first` and a three-term recursion.
fn series(c: &[f64], first: Complex64, next: impl Fn(Complex64, Complex64) -> Complex64) -> Complex64 {
    let (mut before, mut last) = (Complex64::ONE, first);
    let mut sum = Complex64::from(c.first().copied().unwrap_or_default());
    for c in c.iter().skip(1) {
        sum += c * last;
        (before, last) = (last, next(last, before));
    }
    sum
}
