//! Eight numbers at once: the same operations at eight points cost little more than at one.

use std::ops::{Add, AddAssign, Mul, Sub};

/// What elementary weights are computed with.
pub(crate) trait Number:
    Copy + From<f64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + AddAssign
{
}

impl Number for f64 {}
impl Number for Lanes {}

/// How many numbers there are at once.
pub(crate) const WIDTH: usize = 8;

/// A number at each of eight points. Compilers turn the loops into vector instructions, which round as those for single numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes(pub(crate) [f64; WIDTH]);

impl Lanes {
    #[inline(always)]
    fn each(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|k| f(self.0[k], other.0[k])))
    }
}

impl From<f64> for Lanes {
    #[inline(always)]
    fn from(x: f64) -> Self {
        Self([x; WIDTH])
    }
}

impl Add for Lanes {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.each(other, |x, y| x + y)
    }
}

impl Sub for Lanes {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.each(other, |x, y| x - y)
    }
}

impl Mul for Lanes {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.each(other, |x, y| x * y)
    }
}

impl AddAssign for Lanes {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
