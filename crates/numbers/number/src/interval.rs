//! Intervals with rational ends: rigorous enclosures of irrational numbers.

use std::cmp::Ordering;
use std::ops::{Add, Mul};

use dashu::base::{Abs, SquareRoot};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;

/// A closed interval of real numbers with rational ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    low: RBig,
    high: RBig,
}

impl Interval {
    /// Returns the interval that contains a single number.
    #[must_use]
    pub fn point(value: RBig) -> Self {
        Self { low: value.clone(), high: value }
    }

    /// Returns the lower end.
    #[must_use]
    pub fn low(&self) -> &RBig {
        &self.low
    }

    /// Returns the upper end.
    #[must_use]
    pub fn high(&self) -> &RBig {
        &self.high
    }

    /// Returns the common sign of all members, if they have one.
    pub(crate) fn sign(&self) -> Option<Ordering> {
        let (low, high) = (self.low.cmp(&RBig::ZERO), self.high.cmp(&RBig::ZERO));
        (low == high).then_some(low)
    }

    /// Returns the square roots of the nonnegative members, rounded outward to `bits` binary places.
    pub(crate) fn sqrt(&self, bits: usize) -> Self {
        let low = floor_root(&self.low, bits);
        let high = floor_root(&self.high, bits) + RBig::from_parts(IBig::ONE, UBig::ONE << bits);
        Self { low, high }
    }
}

/// Returns ⌊√value · 2^bits⌋ / 2^bits, and zero for a negative value.
fn floor_root(value: &RBig, bits: usize) -> RBig {
    if value <= &RBig::ZERO {
        return RBig::ZERO;
    }
    let numerator: UBig = value.numerator().clone().abs().try_into().unwrap_or(UBig::ZERO);
    let scaled = (numerator << (2 * bits)) / value.denominator();
    RBig::from_parts(IBig::from(scaled.sqrt()), UBig::ONE << bits)
}

impl Add for &Interval {
    type Output = Interval;

    fn add(self, other: Self) -> Interval {
        Interval { low: &self.low + &other.low, high: &self.high + &other.high }
    }
}

impl Mul for &Interval {
    type Output = Interval;

    fn mul(self, other: Self) -> Interval {
        let mut ends =
            [&self.low * &other.low, &self.low * &other.high, &self.high * &other.low, &self.high * &other.high];
        ends.sort();
        let [low, _, _, high] = ends;
        Interval { low, high }
    }
}
