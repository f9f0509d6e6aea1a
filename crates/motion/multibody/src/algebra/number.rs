//! The number types of the equations of motion.

use num_dual::{DualNum, DualNumCopy};

/// A number type for the equations of motion: doubles for rates, dual numbers for exact derivatives.
///
/// ```
/// use hemiola_multibody::Number;
/// use num_dual::Dual64;
/// fn energy<N: Number>(speed: N) -> N {
///     speed * speed * 0.5
/// }
/// assert_eq!(energy(3.0), 4.5);
/// assert_eq!(energy(Dual64::new(3.0, 1.0)).eps, 3.0);
/// ```
pub trait Number: DualNumCopy<f64> {
    /// Creates a constant, with zero derivatives.
    #[must_use]
    fn constant(value: f64) -> Self {
        Self::from(value)
    }

    /// Returns the number of Newton steps required after convergence for the derivatives to converge as well.
    #[must_use]
    fn derivatives() -> usize {
        <Self as DualNum<f64>>::NDERIV
    }
}

impl<N: DualNumCopy<f64>> Number for N {}
