//! The operations on numbers that the analysis of tableaus requires.

use std::ops::{AddAssign, Mul, Neg, Sub};

use num_complex::Complex64;
use num_dual::Dual64;
use num_traits::{One, Zero};

use crate::Exact;

/// A number type of the algorithms: doubles for speed, [`Exact`] for proofs, dual numbers for derivatives,
/// complex doubles for stability.
///
/// ```
/// use hemiola_number::{Exact, Scalar};
/// fn mean<T: Scalar>(a: T, b: T) -> T {
///     (a + b) * T::ratio(1, 2)
/// }
/// assert_eq!(mean(1.0, 2.0), 1.5);
/// assert_eq!(mean(Exact::from(1), Exact::from(2)), Exact::from_ratio(3, 2));
/// ```
pub trait Scalar:
    Clone + Send + Sync + Zero + One + AddAssign + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// Returns the fraction `numerator / denominator`, as accurately as the type can represent it.
    fn ratio(numerator: i64, denominator: u64) -> Self;
}

impl Scalar for Exact {
    fn ratio(numerator: i64, denominator: u64) -> Self {
        Self::from_ratio(numerator, denominator)
    }
}

impl Scalar for f64 {
    fn ratio(numerator: i64, denominator: u64) -> Self {
        numerator as Self / denominator as Self
    }
}

impl Scalar for Dual64 {
    fn ratio(numerator: i64, denominator: u64) -> Self {
        Self::from_re(f64::ratio(numerator, denominator))
    }
}

impl Scalar for Complex64 {
    fn ratio(numerator: i64, denominator: u64) -> Self {
        Self::new(f64::ratio(numerator, denominator), 0.0)
    }
}

/// A number type with division.
pub trait Divisible: Scalar {
    /// Returns the reciprocal, or `None` for zero.
    fn inverse(&self) -> Option<Self>;
}

impl Divisible for Exact {
    fn inverse(&self) -> Option<Self> {
        self.reciprocal()
    }
}

impl Divisible for f64 {
    fn inverse(&self) -> Option<Self> {
        (*self != 0.0).then(|| self.recip())
    }
}

impl Divisible for Dual64 {
    fn inverse(&self) -> Option<Self> {
        (self.re != 0.0).then(|| Self::from_re(1.0) / *self)
    }
}

/// Computes Σ xᵢ yᵢ, skipping the terms whose `x` is zero.
///
/// Tableaux are sparse (half of the entries of explicit methods are zero), and skipping products saves most of
/// the time for exact numbers.
pub fn dot<T: Scalar>(x: &[T], y: &[T]) -> T {
    let mut sum = T::zero();
    for (x, y) in x.iter().zip(y) {
        if !x.is_zero() {
            sum += x.clone() * y.clone();
        }
    }
    sum
}
