//! Values with two derivatives, as enclosures over a cell.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use hemiola_number::{Exact, Scalar};
use num_traits::{One, Zero};

use super::disk::Disk;
use crate::stability::flow_number::FlowNumber;

/// A function of the position t on a ray of z_F and of x = −z_S: enclosures of its values and of its derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Jet {
    pub(super) value: Disk,
    /// ∂/∂t.
    pub(super) along: Disk,
    /// ∂/∂x.
    pub(super) slow: Disk,
}

impl Jet {
    pub(super) fn constant(value: Disk) -> Self {
        Self { value, along: Disk::zero(), slow: Disk::zero() }
    }

    /// Applies a linear operation to the value and to the derivatives.
    fn each(self, operation: impl Fn(Disk) -> Disk) -> Self {
        Self { value: operation(self.value), along: operation(self.along), slow: operation(self.slow) }
    }
}

impl Zero for Jet {
    fn zero() -> Self {
        Self::constant(Disk::zero())
    }

    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }
}

impl One for Jet {
    fn one() -> Self {
        Self::constant(Disk::one())
    }
}

impl Scalar for Jet {
    fn ratio(numerator: i64, denominator: u64) -> Self {
        Self::constant(Disk::ratio(numerator, denominator))
    }
}

impl Add for Jet {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, along: self.along + other.along, slow: self.slow + other.slow }
    }
}

impl AddAssign for Jet {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for Jet {
    type Output = Self;

    fn neg(self) -> Self {
        self.each(|part| -part)
    }
}

impl Sub for Jet {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Jet {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            value: self.value * other.value,
            along: self.along * other.value + self.value * other.along,
            slow: self.slow * other.value + self.value * other.slow,
        }
    }
}

impl FlowNumber for Jet {
    fn of_exact(value: &Exact) -> Self {
        Self::constant(Disk::of_exact(value))
    }

    fn size(&self) -> f64 {
        self.value.size()
    }

    fn exponential(&self) -> Self {
        let value = self.value.exponential();
        Self { value, along: value * self.along, slow: value * self.slow }
    }

    fn exponential_series(&self, k: usize) -> Self {
        // φ_k' = φ_k − k φ_{k+1}.
        let value = self.value.exponential_series(k);
        let slope = value - self.value.exponential_series(k + 1) * Disk::ratio(k as i64, 1);
        Self { value, along: slope * self.along, slow: slope * self.slow }
    }

    fn divided_by(&self, divisor: &Self) -> Option<Self> {
        let value = self.value.divided_by(&divisor.value)?;
        let derivative = |own: Disk, of_divisor: Disk| (own - value * of_divisor).divided_by(&divisor.value);
        let (along, slow) = (derivative(self.along, divisor.along)?, derivative(self.slow, divisor.slow)?);
        Some(Self { value, along, slow })
    }
}
