//! Enclosures of a function and its derivatives.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use hemiola_tableau::Scalar;
use num_traits::{One, Zero};

use crate::interval::bounds::RealInterval;

/// A value and its derivatives with respect to all unknowns; a constant has no derivatives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct IntervalDual {
    value: RealInterval,
    slopes: Vec<RealInterval>,
}

impl IntervalDual {
    /// Creates the unknown with index `number` out of `count`.
    pub(crate) fn unknown(value: RealInterval, number: usize, count: usize) -> Self {
        let mut slopes = vec![RealInterval::zero(); count];
        slopes[number] = RealInterval::one();
        Self { value, slopes }
    }

    /// Creates a number that depends on no unknown.
    pub(crate) fn constant(value: RealInterval) -> Self {
        Self { value, slopes: Vec::new() }
    }

    /// Returns the derivatives with respect to `count` unknowns.
    pub(crate) fn gradient(self, count: usize) -> Vec<RealInterval> {
        if self.slopes.is_empty() { vec![RealInterval::zero(); count] } else { self.slopes }
    }

    /// Computes x·u′ + y·v′.
    fn combined(x: RealInterval, u: &[RealInterval], y: RealInterval, v: &[RealInterval]) -> Vec<RealInterval> {
        let zero = RealInterval::zero();
        let at = |slopes: &[RealInterval], k: usize| slopes.get(k).copied().unwrap_or(zero);
        (0..u.len().max(v.len())).map(|k| x * at(u, k) + y * at(v, k)).collect()
    }
}

impl Zero for IntervalDual {
    fn zero() -> Self {
        Self { value: RealInterval::zero(), slopes: Vec::new() }
    }

    fn is_zero(&self) -> bool {
        self.value.is_zero() && self.slopes.iter().all(RealInterval::is_zero)
    }
}

impl One for IntervalDual {
    fn one() -> Self {
        Self { value: RealInterval::one(), slopes: Vec::new() }
    }
}

impl Add for IntervalDual {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let one = RealInterval::one();
        let slopes = match (self.slopes.is_empty(), other.slopes.is_empty()) {
            (true, _) => other.slopes,
            (_, true) => self.slopes,
            _ => Self::combined(one, &self.slopes, one, &other.slopes),
        };
        Self { value: self.value + other.value, slopes }
    }
}

impl AddAssign for IntervalDual {
    fn add_assign(&mut self, other: Self) {
        *self = self.clone() + other;
    }
}

impl Neg for IntervalDual {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, slopes: self.slopes.into_iter().map(Neg::neg).collect() }
    }
}

impl Sub for IntervalDual {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for IntervalDual {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let slopes = Self::combined(other.value, &self.slopes, self.value, &other.slopes);
        Self { value: self.value * other.value, slopes }
    }
}

impl Scalar for IntervalDual {
    fn ratio(numerator: i64, denominator: u64) -> Self {
        Self { value: RealInterval::ratio(numerator, denominator), slopes: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_follow_leibniz() {
        let (x, y) = (
            IntervalDual::unknown(RealInterval::point(3.0), 0, 2),
            IntervalDual::unknown(RealInterval::point(5.0), 1, 2),
        );
        let product = (x.clone() * y - x * IntervalDual::ratio(2, 1)).gradient(2);
        // ∂(xy − 2x) = (y − 2, x)
        assert!((product[0].middle() - 3.0).abs() < 1e-14 && (product[1].middle() - 3.0).abs() < 1e-14);
        assert!(IntervalDual::one().gradient(2).iter().all(RealInterval::is_zero));
    }
}
