//! Numbers with error bounds from the precision of the coefficients, from last digits, and from rounding.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use hemiola_tableau::{Coefficient, Rounding, Scalar};
use num_traits::{One, Zero};

use crate::verdict::condition::{Allowance, PRESUMABLY};

/// Half a unit in the last place of 1: the largest relative error of one rounding.
const UNIT: f64 = 0.5 * f64::EPSILON;

/// A double with radii: the distance of the intended number from `value` is at most one of the first two radii plus the
/// rounding radius.
///
/// The radii are separate because the verdicts “to precision” and “numerically” depend only on the first two;
/// rounding only decides whether exact arithmetic is needed. Radii add up as in midpoint-radius arithmetic (Rump
/// 1999), so they are never too small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MidpointRadius {
    pub(crate) value: f64,
    /// The largest change within the precision of the coefficients.
    uncertainty: f64,
    /// The largest change by errors in last digits.
    slack: f64,
    /// The sum of the moduli of all terms.
    size: f64,
    /// The largest change by the roundings of this computation.
    rounding: f64,
}

impl MidpointRadius {
    /// Converts a coefficient of a method with this rounding.
    pub(crate) fn new(coefficient: &Coefficient, rounding: Rounding) -> Self {
        let value = coefficient.value().to_f64();
        let (uncertainty, slack) = (rounding.of(coefficient), rounding.slack(coefficient));
        Self { value, uncertainty, slack, size: value.abs(), rounding: UNIT * value.abs() }
    }

    /// Returns the allowance for a number that should be zero. Coefficients that are only presumed to be rounded
    /// explain at most a small part of its terms.
    pub(crate) fn allowance(&self, is_presumed: bool) -> Allowance {
        let most = if is_presumed { PRESUMABLY * self.size } else { f64::INFINITY };
        Allowance::new(self.uncertainty.min(most), self.slack, self.size)
    }

    /// Returns whether the number exceeds `explained` whatever the rounding.
    pub(crate) fn surely_exceeds(&self, explained: f64) -> bool {
        // The radii are rounded themselves, and their last digits must not decide.
        self.value.abs() > (explained + self.rounding) * (1.0 + 1e-9)
    }

    /// Adds the rounding of the last operation.
    fn rounded(self) -> Self {
        Self { rounding: self.rounding + UNIT * self.value.abs(), ..self }
    }
}

impl Zero for MidpointRadius {
    fn zero() -> Self {
        Self { value: 0.0, uncertainty: 0.0, slack: 0.0, size: 0.0, rounding: 0.0 }
    }

    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }
}

impl One for MidpointRadius {
    fn one() -> Self {
        Self { value: 1.0, size: 1.0, ..Self::zero() }
    }
}

impl Add for MidpointRadius {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let sum = Self {
            value: self.value + other.value,
            uncertainty: self.uncertainty + other.uncertainty,
            slack: self.slack + other.slack,
            size: self.size + other.size,
            rounding: self.rounding + other.rounding,
        };
        sum.rounded()
    }
}

impl AddAssign for MidpointRadius {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for MidpointRadius {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, ..self }
    }
}

impl Sub for MidpointRadius {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for MidpointRadius {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let (x, y) = (self.value.abs(), other.value.abs());
        let radius = |of: fn(&Self) -> f64| x * of(&other) + y * of(&self) + of(&self) * of(&other);
        // Every term with a rounding factor contributes to the rounding radius.
        let [reach_x, reach_y] = [self, other].map(|z| z.value.abs() + z.uncertainty.max(z.slack) + z.rounding);
        let product = Self {
            value: self.value * other.value,
            uncertainty: radius(|z| z.uncertainty),
            slack: radius(|z| z.slack),
            size: self.size * other.size,
            rounding: reach_x * other.rounding + reach_y * self.rounding,
        };
        product.rounded()
    }
}

impl Scalar for MidpointRadius {
    fn ratio(numerator: i64, denominator: u64) -> Self {
        let value = f64::ratio(numerator, denominator);
        Self { value, size: value.abs(), ..Self::zero() }.rounded()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radii_cover_what_changes() {
        let rounding = Rounding::from(hemiola_tableau::Precision { decimals: 3 });
        let number = |text: &str| MidpointRadius::new(&Coefficient::parse(text).unwrap(), rounding);
        let product = number("0.333") * number("0.667") - MidpointRadius::ratio(2, 9);
        // Within half a thousandth, 0.333·0.667 may be 1/3·2/3.
        assert!(product.value.abs() < product.uncertainty && !product.surely_exceeds(product.uncertainty));
        assert!((number("0.333") - MidpointRadius::ratio(1, 2)).surely_exceeds(0.0005));
        // Fractions are exact, so only rounding remains.
        let third = number("1/3") + number("1/3") + number("1/3") - MidpointRadius::one();
        assert!(third.uncertainty == 0.0 && !third.surely_exceeds(0.0));
    }
}
