//! Forms of a polynomial that can be evaluated in doubles on its region of stability.

use dashu::rational::RBig;
use num_complex::Complex64;

use crate::arithmetic::complex::Complex;
use crate::basis::orthogonal::OrthogonalBasis;

/// Polynomial R in a basis whose members have size one on the region of stability.
///
/// Monomials do not have this property: Σ β_k zᵏ loses the digits of R(z) by cancellation.
#[derive(Clone, Debug, PartialEq)]
pub enum StableForm {
    /// Expansion R = Σ c_j T_j(1 + 2z/L) in Chebyshev polynomials of the interval [−L, 0].
    RealChebyshev {
        /// Limit L.
        limit: f64,
        /// Coefficients c_0 … c_s.
        coefficients: Vec<f64>,
    },
    /// Expansion R = Σ c_j V_j(z/L) in Chebyshev polynomials of [−iL, iL]: V_{j+1} = 2wV_j + V_{j−1}, V_0 = 1, V_1 = w.
    ImaginaryChebyshev {
        /// Limit L.
        limit: f64,
        /// Coefficients c_0 … c_s.
        coefficients: Vec<f64>,
    },
    /// Expansion R = Σ c_j (1 + z/r)ʲ in powers about the center of the disk |z + r| ≤ r.
    DiskPowers {
        /// Radius r.
        radius: f64,
        /// Coefficients c_0 … c_s.
        coefficients: Vec<f64>,
    },
    /// Expansion R = Σ c_j q_j(z/u) in polynomials q_j that are orthonormal on the spectrum.
    ///
    /// q_0 = `first`, and row j of `recursion` holds the coefficients of w q_j in q_0 … q_{j+1}.
    Orthonormal {
        /// Unit u.
        unit: f64,
        /// Constant q_0.
        first: f64,
        /// Rows of the recurrence.
        recursion: Vec<Vec<f64>>,
        /// Coefficients c_0 … c_s.
        coefficients: Vec<f64>,
    },
}

impl StableForm {
    /// Expands Σ β_k zᵏ in polynomials that are orthonormal on a sample.
    pub(crate) fn orthonormal(beta: &[RBig], sample: &[(f64, f64)]) -> Self {
        let basis = OrthogonalBasis::new(0, beta.len(), sample);
        let (unit, first, recursion) = basis.parts();
        Self::Orthonormal { unit, first, recursion: recursion.to_vec(), coefficients: basis.coefficients(beta) }
    }

    /// Evaluates R(z).
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
                let q =
                    OrthogonalBasis::from_parts(*unit, *first, recursion).at(&Complex::new(z.re, z.im), false).value;
                let sum = coefficients.iter().zip(q).fold(Complex::new(0.0, 0.0), |sum, (c, q)| sum + q.scale(c));
                Complex64::new(sum.re, sum.im)
            }
        }
    }
}

/// Computes Σ c_j p_j with p_0 = 1, p_1 = `first` and a three-term recurrence.
fn series(c: &[f64], first: Complex64, next: impl Fn(Complex64, Complex64) -> Complex64) -> Complex64 {
    let (mut before, mut last) = (Complex64::ONE, first);
    let mut sum = Complex64::from(c.first().copied().unwrap_or_default());
    for c in c.iter().skip(1) {
        sum += c * last;
        (before, last) = (last, next(last, before));
    }
    sum
}
