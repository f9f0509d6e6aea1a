//! Derivatives in several directions at once, over doubles.

use std::array;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use hemiola_tableau::Scalar;
use num_traits::{One, Zero};

/// Number of directions, a multiple of the doubles in a vector register.
pub const LANES: usize = 8;

/// A number with its derivatives in several directions.
///
/// ```
/// use hemiola_multirate::Lanes;
/// let (x, y) = (Lanes::variable(3.0, 0), Lanes::variable(5.0, 1));
/// assert_eq!((x * y).slopes[..2], [5.0, 3.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lanes {
    /// The number.
    pub value: f64,
    /// Its derivatives.
    pub slopes: [f64; LANES],
}

impl Lanes {
    /// Creates a number that does not change in any direction.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self { value, slopes: [0.0; LANES] }
    }

    /// Creates the variable of a direction; a constant if there is no such direction.
    #[must_use]
    pub fn variable(value: f64, lane: usize) -> Self {
        Self { value, slopes: array::from_fn(|k| if k == lane { 1.0 } else { 0.0 }) }
    }

    fn product(self, other: Self) -> Self {
        self.zipped(other, self.value * other.value, |x, y| x * other.value + self.value * y)
    }

    fn zipped(self, other: Self, value: f64, slope: impl Fn(f64, f64) -> f64) -> Self {
        Self { value, slopes: array::from_fn(|k| slope(self.slopes[k], other.slopes[k])) }
    }
}

impl Add for Lanes {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.zipped(other, self.value + other.value, |x, y| x + y)
    }
}

impl AddAssign for Lanes {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Lanes {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.zipped(other, self.value - other.value, |x, y| x - y)
    }
}

impl Mul for Lanes {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        self.product(other)
    }
}

impl Neg for Lanes {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, slopes: self.slopes.map(f64::neg) }
    }
}

impl Zero for Lanes {
    fn zero() -> Self {
        Self::constant(0.0)
    }

    fn is_zero(&self) -> bool {
        self.value == 0.0 && self.slopes == [0.0; LANES]
    }
}

impl One for Lanes {
    fn one() -> Self {
        Self::constant(1.0)
    }
}

impl Scalar for Lanes {
    fn ratio(numerator: i64, denominator: u64) -> Self {
        Self::constant(f64::ratio(numerator, denominator))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_follow_the_product_rule() {
        let (x, y) = (Lanes::variable(3.0, 0), Lanes::variable(-2.0, 7));
        let found = x * x * y - y + Lanes::ratio(1, 2);
        // ∂/∂x = 2xy = −12, ∂/∂y = x² − 1 = 8.
        assert_eq!((found.value, found.slopes[0], found.slopes[7], found.slopes[3]), (-15.5, -12.0, 8.0, 0.0));
        assert!((x - x).is_zero() && !Lanes::variable(0.0, 1).is_zero());
    }
}
