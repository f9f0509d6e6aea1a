//! Interval arithmetic in doubles, with outward rounding of every operation.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use hemiola_tableau::{Exact, Scalar};
use num_traits::{One, Zero};

/// The interval of all real numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RealInterval {
    low: f64,
    high: f64,
}

impl RealInterval {
    pub(crate) fn point(x: f64) -> Self {
        Self { low: x, high: x }
    }

    /// Encloses every number within `radius` of an exact one, whose nearest double lies within one unit in the last
    /// place.
    pub(crate) fn around(value: &Exact, radius: f64) -> Self {
        let x = value.to_f64();
        Self { low: (x.next_down() - radius).next_down(), high: (x.next_up() + radius).next_up() }
    }

    /// Returns the largest absolute value of a member.
    pub(crate) fn size(self) -> f64 {
        if self.low.is_nan() || self.high.is_nan() { f64::INFINITY } else { self.low.abs().max(self.high.abs()) }
    }

    pub(crate) fn middle(self) -> f64 {
        0.5 * (self.low + self.high)
    }

    /// Widens the two ends after one rounded operation. Ends that overflowed stay infinite and bound nothing.
    fn outwards(low: f64, high: f64) -> Self {
        Self { low: low.next_down(), high: high.next_up() }
    }
}

/// Increases a number slightly, which covers the rounding of sums of a thousand positive doubles.
pub(crate) fn upwards(x: f64) -> f64 {
    x * (1.0 + 2048.0 * f64::EPSILON)
}

impl Zero for RealInterval {
    fn zero() -> Self {
        Self::point(0.0)
    }

    fn is_zero(&self) -> bool {
        self.low == 0.0 && self.high == 0.0
    }
}

impl One for RealInterval {
    fn one() -> Self {
        Self::point(1.0)
    }
}

impl Add for RealInterval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        // Adding zero is exact, so that structural zeros stay zeros.
        match (self.is_zero(), other.is_zero()) {
            (true, _) => other,
            (_, true) => self,
            _ => Self::outwards(self.low + other.low, self.high + other.high),
        }
    }
}

impl AddAssign for RealInterval {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for RealInterval {
    type Output = Self;

    fn neg(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }
}

impl Sub for RealInterval {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for RealInterval {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::zero();
        }
        let ends = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        if ends.iter().any(|end| end.is_nan()) {
            return Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let low = ends.into_iter().fold(f64::INFINITY, f64::min);
        Self::outwards(low, ends.into_iter().fold(f64::NEG_INFINITY, f64::max))
    }
}

impl Scalar for RealInterval {
    fn ratio(numerator: i64, denominator: u64) -> Self {
        let nearest = f64::ratio(numerator, denominator);
        Self::outwards(nearest, nearest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_contain_the_exact_ones() {
        let (third, tenth) = (Exact::from_ratio(1, 3), Exact::from_ratio(-1, 10));
        let (x, y) = (RealInterval::around(&third, 0.0), RealInterval::around(&tenth, 0.0));
        let contains = |bounds: RealInterval, value: &Exact| {
            let end = |end: f64| Exact::from_f64(end).unwrap();
            (value.clone() - end(bounds.low)).sign().is_ge() && (end(bounds.high) - value.clone()).sign().is_ge()
        };
        assert!(contains(x + y, &(third.clone() + tenth.clone())));
        assert!(contains(x - y, &(third.clone() - tenth.clone())));
        assert!(contains(x * y * RealInterval::ratio(1, 7), &(third * tenth * Exact::from_ratio(1, 7))));
        assert!((x * y).high - (x * y).low < 1e-16 && (x * RealInterval::zero()).is_zero());
    }
}
