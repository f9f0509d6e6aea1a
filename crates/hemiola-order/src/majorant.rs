//! Numbers that only ever add up: they bound rounding errors and propagated uncertainties.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use hemiola_tableau::Scalar;
use num_traits::{One, Zero};

/// A non-negative double for which a difference is a sum. Evaluated with |A|, |b|, |c|, an elementary weight of
/// majorants bounds the size of everything that is added up in the true one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Majorant(pub(crate) f64);

impl Zero for Majorant {
    fn zero() -> Self {
        Self(0.0)
    }

    fn is_zero(&self) -> bool {
        self.0 == 0.0
    }
}

impl One for Majorant {
    fn one() -> Self {
        Self(1.0)
    }
}

impl Add for Majorant {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Majorant {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Majorant {
    type Output = Self;

    #[expect(clippy::suspicious_arithmetic_impl, reason = "a majorant of a difference is a sum")]
    fn sub(self, other: Self) -> Self {
        self + other
    }
}

impl Mul for Majorant {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Neg for Majorant {
    type Output = Self;

    fn neg(self) -> Self {
        self
    }
}

impl Scalar for Majorant {
    fn ratio(numerator: i64, denominator: u64) -> Self {
        Self(f64::ratio(numerator, denominator).abs())
    }
}
