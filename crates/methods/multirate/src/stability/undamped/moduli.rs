//! Bounds of the moduli of a function and of its first two derivatives.

use std::iter::Sum;
use std::ops::{Add, Mul};

/// Bounds of |f|, |f'| and |f''| that hold everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moduli {
    pub(super) value: f64,
    pub(super) first: f64,
    pub(super) second: f64,
}

impl Moduli {
    pub(super) const ZERO: Self = Self { value: 0.0, first: 0.0, second: 0.0 };

    /// Returns the bounds of a constant.
    pub(super) fn constant(value: f64) -> Self {
        Self { value: value.abs(), first: 0.0, second: 0.0 }
    }

    /// Returns the bounds of e^{iay}.
    pub(super) fn oscillation(a: f64) -> Self {
        Self { value: 1.0, first: a.abs(), second: a * a }
    }

    pub(super) fn scaled(self, factor: f64) -> Self {
        let factor = factor.abs();
        Self { value: self.value * factor, first: self.first * factor, second: self.second * factor }
    }

    /// Bounds the second derivative of |f|².
    pub(super) fn of_square(self) -> f64 {
        2.0 * (self.first * self.first + self.value * self.second)
    }
}

impl Add for Moduli {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, first: self.first + other.first, second: self.second + other.second }
    }
}

impl Mul for Moduli {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            value: self.value * other.value,
            first: self.first * other.value + self.value * other.first,
            second: self.second * other.value + 2.0 * self.first * other.first + self.value * other.second,
        }
    }
}

impl Sum for Moduli {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Self::ZERO, Self::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_oscillations_add_frequencies() {
        let product = Moduli::oscillation(2.0) * Moduli::oscillation(-3.0).scaled(0.5);
        assert_eq!(product, Moduli::oscillation(5.0).scaled(0.5));
        let sum: Moduli = [product, Moduli::constant(-1.0)].into_iter().sum();
        assert_eq!((sum.value, sum.second, Moduli::oscillation(2.0).of_square()), (1.5, 12.5, 16.0));
    }
}
