//! Functions over any number type.

use num_dual::DualNum;

/// Number types that functions are written for: doubles and dual numbers of every kind.
pub trait Number: DualNum<f64> + Copy {}

impl<N: DualNum<f64> + Copy> Number for N {}

/// Smooth function Rᵐ → Rᵏ, written once for any number type. Its derivatives are exact to rounding.
///
/// ```
/// use hemiola_optimize::{Differentiable, Number, Smooth};
/// /// (x, y) ↦ x² y.
/// struct Product;
/// impl Smooth for Product {
///     fn inputs(&self) -> usize { 2 }
///     fn outputs(&self) -> usize { 1 }
///     fn evaluate<N: Number>(&self, z: &[N], out: &mut [N]) {
///         out[0] = z[0] * z[0] * z[1];
///     }
/// }
/// let mut gradient = [0.0; 2];
/// Product.jacobian(&[3.0, 5.0], &mut gradient);
/// assert_eq!(gradient, [30.0, 9.0]);
/// ```
pub trait Smooth: Send + Sync {
    /// Returns m, the number of arguments.
    fn inputs(&self) -> usize;

    /// Returns k, the number of values.
    fn outputs(&self) -> usize;

    /// Writes the values at z (m entries) to `out` (k entries).
    fn evaluate<N: Number>(&self, z: &[N], out: &mut [N]);
}
