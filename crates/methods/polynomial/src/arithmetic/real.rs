//! Real numbers in three precisions: doubles to find an optimum, double-doubles to polish it, and floats of any number
//! of digits.

use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use dashu::float::FBig;
use dashu::float::round::mode::HalfEven;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_number::DoubleDouble;
use hemiola_number::vector::{self, Task};

/// Arithmetic that the solvers require of a number type.
///
/// A number carries its precision, and new numbers are derived from an existing one.
pub(crate) trait Real:
    Clone
    + Send
    + Sync
    + PartialOrd
    + fmt::Debug
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + AddAssign
    + SubAssign
{
    /// Converts `value` exactly to the precision of this number.
    fn like(&self, value: f64) -> Self;

    /// Rounds to the nearest double.
    fn to_f64(&self) -> f64;

    /// Returns the exact value as a rational number.
    fn to_rational(&self) -> RBig;

    /// Computes eˣ.
    fn exp(&self) -> Self;

    /// Returns the relative rounding error of one operation, at least 2⁻¹⁰⁰⁰.
    fn epsilon(&self) -> f64;

    /// Returns the number of decimal digits, rounded up.
    fn digits(&self) -> usize;

    /// Selects the representation of one number, given as a double and precisely, in the precision of this number.
    fn like_either(&self, double: f64, precise: &BigReal) -> Self;

    /// Runs a task with the vector instructions that pay off for this number type.
    #[inline]
    fn run<K: Task>(task: K) -> K::Output {
        vector::plain(task)
    }

    /// Computes self · other without cloning the operands.
    #[inline]
    fn times(&self, other: &Self) -> Self {
        self.clone() * other.clone()
    }

    #[inline]
    fn abs(&self) -> Self {
        if *self < self.like(0.0) { -self.clone() } else { self.clone() }
    }

    #[inline]
    fn square(&self) -> Self {
        self.times(self)
    }

    /// Computes xⁿ for a small n.
    #[inline]
    fn power(&self, n: usize) -> Self {
        (0..n).fold(self.like(1.0), |power, _| power * self.clone())
    }
}

impl Real for f64 {
    #[inline]
    fn like(&self, value: f64) -> Self {
        value
    }

    #[inline]
    fn to_f64(&self) -> f64 {
        *self
    }

    #[inline]
    fn to_rational(&self) -> RBig {
        RBig::try_from(*self).unwrap_or_default()
    }

    #[inline]
    fn exp(&self) -> Self {
        Self::exp(*self)
    }

    #[inline]
    fn epsilon(&self) -> f64 {
        Self::EPSILON / 2.0
    }

    #[inline]
    fn digits(&self) -> usize {
        16
    }

    #[inline]
    fn like_either(&self, double: f64, _: &BigReal) -> Self {
        double
    }

    #[inline]
    fn abs(&self) -> Self {
        Self::abs(*self)
    }
}

impl Real for DoubleDouble {
    #[inline]
    fn like(&self, value: f64) -> Self {
        Self::from(value)
    }

    #[inline]
    fn to_f64(&self) -> f64 {
        self.0
    }

    #[inline]
    fn to_rational(&self) -> RBig {
        self.0.to_rational() + self.1.to_rational()
    }

    #[inline]
    fn exp(&self) -> Self {
        Self::exp(*self)
    }

    #[inline]
    fn epsilon(&self) -> f64 {
        // Four units of the last place bound every operation (Joldes, Muller & Popescu 2017).
        4.0 * f64::EPSILON * f64::EPSILON
    }

    #[inline]
    fn digits(&self) -> usize {
        32
    }

    /// Dispatches to instructions with fused multiply-add: without them, every fused multiplication is a function call.
    #[inline]
    fn run<K: Task>(task: K) -> K::Output {
        vector::dispatch(task)
    }

    #[inline]
    fn like_either(&self, double: f64, precise: &BigReal) -> Self {
        let rest = precise.clone() - precise.like(double);
        Self::from(double) + Self::from(rest.to_f64())
    }
}

/// Binary floating-point number of any precision.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) struct BigReal(FBig<HalfEven, 2>);

impl BigReal {
    /// Converts `value` to a precision of `digits` decimal digits.
    pub(crate) fn new(value: f64, digits: usize) -> Self {
        // log₂ 10 < 3.33.
        let bits = digits * 333 / 100 + 2;
        Self(Self::exactly(value).with_precision(bits).value())
    }

    /// Rounds a rational number to the precision of this number.
    pub(crate) fn like_rational(&self, value: &RBig) -> Self {
        let part = |integer: IBig| Self(FBig::from(integer).with_precision(self.0.precision()).value());
        part(value.numerator().clone()) / part(value.denominator().clone().into())
    }

    /// Converts a double exactly; non-finite values become zero.
    ///
    /// An iteration that has diverged to such values fails its own test later and must not panic before.
    fn exactly(value: f64) -> FBig<HalfEven, 2> {
        FBig::try_from(if value.is_finite() { value } else { 0.0 }).unwrap_or_default()
    }
}

impl Real for BigReal {
    fn like(&self, value: f64) -> Self {
        Self(Self::exactly(value).with_precision(self.0.precision()).value())
    }

    fn to_f64(&self) -> f64 {
        self.0.to_f64().value()
    }

    fn to_rational(&self) -> RBig {
        let (significand, exponent) = self.0.repr().clone().into_parts();
        match usize::try_from(exponent) {
            Ok(exponent) => RBig::from(significand << exponent),
            Err(_) => RBig::from_parts(significand, UBig::ONE << exponent.unsigned_abs()),
        }
    }

    fn exp(&self) -> Self {
        Self(self.0.exp())
    }

    fn epsilon(&self) -> f64 {
        2f64.powi(-i32::try_from(self.0.precision()).unwrap_or(i32::MAX).min(1000))
    }

    fn digits(&self) -> usize {
        // log₁₀ 2 < 0.302.
        self.0.precision() * 302 / 1000 + 1
    }

    fn times(&self, other: &Self) -> Self {
        Self(&self.0 * &other.0)
    }

    fn like_either(&self, _: f64, precise: &BigReal) -> Self {
        Self(precise.0.clone().with_precision(self.0.precision()).value())
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait for BigReal {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                Self($trait::$method(self.0, other.0))
            }
        }
    )*};
}

operators!(Add add, Sub sub, Mul mul);

impl Div for BigReal {
    type Output = Self;

    /// Divides; a quotient by zero counts as zero, so that a diverged iteration does not panic.
    fn div(self, other: Self) -> Self {
        if other.0 == FBig::<HalfEven, 2>::ZERO { other } else { Self(self.0 / other.0) }
    }
}

impl Neg for BigReal {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl AddAssign for BigReal {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl SubAssign for BigReal {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the errors of 1/3 · 3 − 1 and (e^{1/7})⁷ − e, relative to the precision.
    fn errors<T: Real>(one: &T) -> (f64, f64) {
        let third = one.clone() / one.like(3.0);
        let seventh = (one.clone() / one.like(7.0)).exp().power(7);
        let error = |difference: T| difference.abs().to_f64() / one.epsilon();
        (error(third * one.like(3.0) - one.clone()), error(seventh - one.exp()))
    }

    #[test]
    fn every_precision_keeps_its_promise() {
        for (product, power) in [
            errors(&1.0),
            errors(&DoubleDouble::from(1.0)),
            errors(&BigReal::new(1.0, 50)),
            errors(&BigReal::new(1.0, 200)),
        ] {
            assert!(product <= 2.0 && power <= 40.0, "{product} {power}");
        }
    }

    #[test]
    fn rational_values_are_exact() {
        let third = BigReal::new(1.0, 40) / BigReal::new(3.0, 40);
        let error = third.to_rational() * RBig::from(3) - RBig::ONE;
        let size = error.to_f64().value().abs();
        assert!(size > 0.0 && size < 1e-39, "{size:e}");
        assert_eq!(BigReal::new(12.0, 10).to_rational(), RBig::from(12));
        let sum = DoubleDouble::from(1.0) + DoubleDouble::from(1e-25);
        assert_eq!((sum.to_rational() - RBig::ONE).to_f64().value(), 1e-25);
        let back = BigReal::new(1.0, 60).like_rational(&RBig::from_parts(2.into(), 7u8.into()));
        assert!(
            (back * BigReal::new(7.0, 60)).to_rational() - RBig::from(2) < RBig::from_parts(1.into(), UBig::ONE << 190)
        );
    }
}
