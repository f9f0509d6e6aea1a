//! Arithmetics of the fast engine.

use hemiola_tableau::{Exact, Scalar};
use num_traits::{One, Zero};

/// A kind of numbers with its operations. It is a context object, because residues need their modulus.
pub(crate) trait Arithmetic: Sync {
    type Number: Clone + Send + Sync;

    fn zero(&self) -> Self::Number;
    fn one(&self) -> Self::Number;
    /// Returns 1/n for a product n of numbers up to the order.
    fn reciprocal(&self, n: u64) -> Self::Number;
    fn negative(&self, x: &Self::Number) -> Self::Number;
    fn product(&self, x: &Self::Number, y: &Self::Number) -> Self::Number;
    /// Computes sum += x·y.
    fn add_product(&self, sum: &mut Self::Number, x: &Self::Number, y: &Self::Number);
}

/// A double with two bounds: on the sum of the sizes of all its terms, and on its change within the uncertainties
/// of the coefficients.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BoundedF64 {
    pub(crate) value: f64,
    pub(crate) size: f64,
    pub(crate) change: f64,
}

impl BoundedF64 {
    /// Creates a number without uncertainty.
    pub(crate) fn new(value: f64) -> Self {
        Self { value, size: value.abs(), change: 0.0 }
    }

    /// Adds two numbers and their bounds.
    pub(crate) fn plus(self, y: Self) -> Self {
        Self { value: self.value + y.value, size: self.size + y.size, change: self.change + y.change }
    }

    /// Multiplies two numbers. The change follows the product rule, because the sizes already include the changes
    /// of the factors.
    pub(crate) fn times(self, y: Self) -> Self {
        let change = self.change * y.size + self.size * y.change;
        Self { value: self.value * y.value, size: self.size * y.size, change }
    }
}

/// Doubles with sizes that bound their rounding errors and their changes.
pub(crate) struct Doubles;

impl Arithmetic for Doubles {
    type Number = BoundedF64;

    fn zero(&self) -> BoundedF64 {
        BoundedF64::default()
    }

    fn one(&self) -> BoundedF64 {
        BoundedF64::new(1.0)
    }

    fn reciprocal(&self, n: u64) -> BoundedF64 {
        BoundedF64::new(1.0 / n as f64)
    }

    fn negative(&self, x: &BoundedF64) -> BoundedF64 {
        BoundedF64 { value: -x.value, ..*x }
    }

    fn product(&self, x: &BoundedF64, y: &BoundedF64) -> BoundedF64 {
        x.times(*y)
    }

    fn add_product(&self, sum: &mut BoundedF64, x: &BoundedF64, y: &BoundedF64) {
        *sum = sum.plus(x.times(*y));
    }
}

/// Exact numbers.
pub(crate) struct ExactNumbers;

impl Arithmetic for ExactNumbers {
    type Number = Exact;

    fn zero(&self) -> Exact {
        Exact::zero()
    }

    fn one(&self) -> Exact {
        Exact::one()
    }

    fn reciprocal(&self, n: u64) -> Exact {
        Exact::ratio(1, n)
    }

    fn negative(&self, x: &Exact) -> Exact {
        -x.clone()
    }

    fn product(&self, x: &Exact, y: &Exact) -> Exact {
        x.clone() * y.clone()
    }

    fn add_product(&self, sum: &mut Exact, x: &Exact, y: &Exact) {
        if !x.is_zero() && !y.is_zero() {
            *sum += x.clone() * y.clone();
        }
    }
}
