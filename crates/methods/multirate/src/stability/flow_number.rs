//! Number types for stability functions with an exact flow.

use hemiola_number::{Exact, Scalar};
use num_complex::Complex64;
use num_traits::Zero;

/// A complex number type with exponentials: doubles for maps and searches, [`ComplexBall`](crate::ComplexBall) for proofs.
///
/// ```
/// use hemiola_multirate::FlowNumber;
/// use num_complex::Complex64;
/// // φ₁(z) = (e^z − 1)/z
/// assert_eq!(Complex64::new(0.0, 0.0).exponential_series(1).re, 1.0);
/// ```
pub trait FlowNumber: Scalar {
    /// Converts a real coefficient.
    fn of_exact(value: &Exact) -> Self;

    /// Returns |z|, or a number not much larger.
    fn size(&self) -> f64;

    /// Computes e^z.
    fn exponential(&self) -> Self;

    /// Computes φ_k(z) = Σ_n zⁿ/(n+k)! for |z| ≤ k + 1.
    fn exponential_series(&self, k: usize) -> Self;

    /// Divides by another number; `None` if the divisor is or may be zero.
    fn divided_by(&self, divisor: &Self) -> Option<Self>;
}

impl FlowNumber for Complex64 {
    fn of_exact(value: &Exact) -> Self {
        value.to_f64().into()
    }

    fn size(&self) -> f64 {
        self.norm()
    }

    fn exponential(&self) -> Self {
        self.exp()
    }

    fn exponential_series(&self, k: usize) -> Self {
        let mut term = Self::from((1..=k).fold(1.0, |term, j| term / j as f64));
        let mut sum = term;
        let mut n = 0;
        let size = self.l1_norm();
        // Terms decrease from n = |z| on; stop when they are far below rounding.
        while term.l1_norm() > f64::EPSILON * 0.1 * sum.l1_norm() || (n as f64) < size {
            n += 1;
            term *= self / (n + k) as f64;
            sum += term;
            if term.is_zero() || !term.is_finite() {
                break;
            }
        }
        sum
    }

    fn divided_by(&self, divisor: &Self) -> Option<Self> {
        (!divisor.is_zero()).then(|| self / divisor)
    }
}
