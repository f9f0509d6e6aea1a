//! Numbers with twice the digits of doubles.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A number with about 106 bits: the unevaluated sum of two doubles (Dekker 1971; Hida, Li & Bailey 2001).
///
/// Sums and products are inlined into their callers, so that a [`Task`](crate::vector::Task) compiles them for
/// its own instruction set.
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
    /// The remainder.
    pub f64,
);

impl DoubleDouble {
    /// Zero.
    pub const ZERO: Self = Self(0.0, 0.0);
    /// One.
    pub const ONE: Self = Self(1.0, 0.0);

    /// Computes eˣ by the Taylor series of (x − k ln 2)/512, squared nine times (Hida, Li & Bailey 2001, §3.2).
    #[must_use]
    pub fn exp(self) -> Self {
        const LN_2: DoubleDouble = DoubleDouble(std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17);
        const SQUARINGS: i32 = 9;
        /// Degree of the last Taylor term. The argument is at most ln 2/1024, so the next term is below the
        /// precision.
        const LAST_TERM: i32 = 8;
        /// Largest modulus of the argument; beyond it powers of two leave the range of doubles.
        const LARGEST: f64 = 709.0;
        if self.0 <= -LARGEST {
            return Self::ZERO;
        }
        if self.0 >= LARGEST {
            return Self(f64::INFINITY, 0.0);
        }
        let scale = 0.5_f64.powi(SQUARINGS);
        let twos = (self.0 / LN_2.0 + 0.5).floor();
        let x = (self - LN_2 * Self::from(twos)) * Self::from(scale);
        let mut power = x * x;
        // Leaving out the leading one keeps the digits of small arguments.
        let mut sum = x + power * Self::from(0.5);
        let mut factor = Self::from(0.5);
        for term in 3..=LAST_TERM {
            power = power * x;
            factor = factor / Self::from(f64::from(term));
            sum += factor * power;
        }
        for _ in 0..SQUARINGS {
            sum = sum * sum + sum * Self::from(2.0);
        }
        // Integer powers of two are exact on every machine.
        (sum + Self::ONE) * Self::from(2.0_f64.powi(twos as i32))
    }

    /// Adds two numbers keeping all bits of both remainders, at twice the cost of `+` (Li et al. 2002).
    fn add_accurately(self, other: Self) -> Self {
        let Self(sum, rest) = Self::of(self.0, other.0);
        let Self(rests, last) = Self::of(self.1, other.1);
        let Self(sum, rest) = Self::of_larger(sum, rest + rests);
        Self::of_larger(sum, rest + last)
    }

    /// Adds two doubles exactly; the first must be the larger in modulus (Dekker 1971).
    #[inline(always)]
    fn of_larger(x: f64, y: f64) -> Self {
        let sum = x + y;
        Self(sum, y - (sum - x))
    }

    /// Adds two doubles exactly, in any order of size (Knuth 1969).
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

    /// Divides by long division with three digits in base 2⁵³ (Hida, Li & Bailey 2001).
    fn div(self, other: Self) -> Self {
        let first = self.0 / other.0;
        let rest = self.add_accurately(-(other * Self::from(first)));
        let second = rest.0 / other.0;
        let rest = rest.add_accurately(-(other * Self::from(second)));
        Self::of_larger(first, second).add_accurately(Self::from(rest.0 / other.0))
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
    use qd::Quad;

    fn number() -> impl Strategy<Value = DoubleDouble> {
        let rest = |x: f64| (Just(x), -0.5..0.5).prop_map(|(x, part)| DoubleDouble::of(x, x * part * f64::EPSILON));
        prop_oneof![-1e3..1e3, -1e-12..1e-12, Just(0.0), Just(1.0), -1e100..1e100].prop_flat_map(rest)
    }

    fn quad(x: DoubleDouble) -> Quad {
        Quad(x.0, x.1)
    }

    /// Returns the bits of a number, with −0 mapped to +0.
    fn bits(nearest: f64, rest: f64) -> [u64; 2] {
        [nearest + 0.0, rest + 0.0].map(f64::to_bits)
    }

    proptest! {
        #[test]
        fn operations_are_those_of_qd(x in number(), y in number()) {
            let pairs = [
                (x + y, quad(x) + quad(y)),
                (x - y, quad(x) - quad(y)),
                (x * y, quad(x) * quad(y)),
                (x / y, quad(x) / quad(y)),
            ];
            for (ours, theirs) in pairs {
                prop_assert!(bits(ours.0, ours.1) == bits(theirs.0, theirs.1) || ours.0.is_nan() && theirs.0.is_nan());
            }
            prop_assert_eq!(x.partial_cmp(&y), quad(x).partial_cmp(quad(y)));
            let (mut sum, mut difference) = (x, x);
            sum += y;
            difference -= y;
            prop_assert_eq!((sum, difference), (x + y, x - y));
        }

        #[test]
        fn exponentials_are_those_of_qd(x in -800.0..800.0, part in -0.5..0.5) {
            let x = DoubleDouble::of(x, x * part * f64::EPSILON);
            let (ours, theirs) = (x.exp(), quad(x).exp());
            prop_assert_eq!(bits(ours.0, ours.1), bits(theirs.0, theirs.1), "{:?} {:?}", ours, theirs);
        }
    }

    #[test]
    fn digits_are_kept() {
        let tiny = DoubleDouble::from(1e-20);
        assert_eq!((DoubleDouble::ONE + tiny - DoubleDouble::ONE).0, 1e-20);
        let e = DoubleDouble::ONE.exp();
        // e − fl(e), from the decimals of e.
        assert_eq!(e.0, std::f64::consts::E);
        assert!((e.1 - 1.445_646_891_729_250_2e-16).abs() < 1e-31);
    }
}
