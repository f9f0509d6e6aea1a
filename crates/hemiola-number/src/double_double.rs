//! Numbers with twice the digits of doubles.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use qd::Quad;

/// A number with some 106 bits: the unevaluated sum of two doubles (Dekker 1971; Hida, Li & Bailey 2001).
///
/// Sums and products are compiled into what calls them, so that a [`Task`](crate::vector::Task) has them in its instructions; they
/// are number for number those of the library that does the rest.
///
/// ```
/// use hemiola_number::DoubleDouble;
/// let third = DoubleDouble::from(1.0) / DoubleDouble::from(3.0);
/// let rest = third * DoubleDouble::from(3.0) - DoubleDouble::from(1.0);
/// assert!(rest.0.abs() < 1e-31 && third.1 != 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct DoubleDouble(
    /// The nearest double.
    pub f64,
    /// What is left.
    pub f64,
);

impl DoubleDouble {
    /// Zero.
    pub const ZERO: Self = Self(0.0, 0.0);
    /// One.
    pub const ONE: Self = Self(1.0, 0.0);

    /// eˣ.
    #[must_use]
    pub fn exp(self) -> Self {
        self.quad().exp().into()
    }

    fn quad(self) -> Quad {
        Quad(self.0, self.1)
    }

    /// The sum of two doubles, the first the larger (Dekker 1971).
    #[inline(always)]
    fn of_larger(x: f64, y: f64) -> Self {
        let sum = x + y;
        Self(sum, y - (sum - x))
    }

    /// The sum of two doubles, whichever is larger (Knuth 1969).
    #[inline(always)]
    fn of(x: f64, y: f64) -> Self {
        let sum = x + y;
        let virtual_y = sum - x;
        Self(sum, (x - (sum - virtual_y)) + (y - virtual_y))
    }
}

impl From<f64> for DoubleDouble {
    #[inline(always)]
    fn from(value: f64) -> Self {
        Self(value, 0.0)
    }
}

impl From<Quad> for DoubleDouble {
    fn from(Quad(nearest, rest): Quad) -> Self {
        Self(nearest, rest)
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let Self(sum, rest) = Self::of(self.0, other.0);
        Self::of_larger(sum, rest + (self.1 + other.1))
    }
}

impl Neg for DoubleDouble {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let product = self.0 * other.0;
        let rest = self.0.mul_add(other.0, -product);
        let rest = self.1.mul_add(other.0, self.0.mul_add(other.1, rest));
        Self::of_larger(product, rest)
    }
}

impl Div for DoubleDouble {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        (self.quad() / other.quad()).into()
    }
}

impl AddAssign for DoubleDouble {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for DoubleDouble {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = DoubleDouble> {
        let rest = |x: f64| (Just(x), -0.5..0.5).prop_map(|(x, part)| DoubleDouble::of(x, x * part * f64::EPSILON));
        prop_oneof![-1e3..1e3, -1e-12..1e-12, Just(0.0), Just(1.0), -1e100..1e100].prop_flat_map(rest)
    }

    proptest! {
        #[test]
        fn operations_are_those_of_the_library(x in number(), y in number()) {
            let bits = |x: DoubleDouble| [x.0.to_bits(), (x.1 + 0.0).to_bits()];
            prop_assert_eq!(bits(x + y), bits((x.quad() + y.quad()).into()));
            prop_assert_eq!(bits(x - y), bits((x.quad() - y.quad()).into()));
            prop_assert_eq!(bits(x * y), bits((x.quad() * y.quad()).into()));
            prop_assert_eq!(x.partial_cmp(&y), x.quad().partial_cmp(y.quad()));
            let (mut sum, mut difference) = (x, x);
            sum += y;
            difference -= y;
            prop_assert_eq!((sum, difference), (x + y, x - y));
        }
    }

    #[test]
    fn digits_are_kept() {
        let tiny = DoubleDouble::from(1e-20);
        assert_eq!((DoubleDouble::ONE + tiny - DoubleDouble::ONE).0, 1e-20);
        let e = DoubleDouble::ONE.exp();
        // e − fl(e), from its decimals.
        assert_eq!(e.0, std::f64::consts::E);
        assert!((e.1 - 1.445_646_891_729_250_2e-16).abs() < 1e-31);
    }
}
