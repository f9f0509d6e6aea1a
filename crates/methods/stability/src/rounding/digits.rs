//! Real and complex numbers in several precisions, for questions that double precision cannot decide.

use std::ops::{Add, Mul, Sub};

use dashu::base::BitTest;
use dashu::integer::IBig;
use hemiola_number::DoubleDouble;
use num_complex::Complex64;

/// Number type of one precision.
pub(crate) trait PrecisionNumber: Clone + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// Precision parameter, for types whose number of digits varies.
    type Precision: Copy;

    fn from_f64(value: f64, precision: Self::Precision) -> Self;

    fn to_f64(&self) -> f64;

    /// Bounds the rounding error of an operation whose operands and result are at most this large.
    fn rounding(size: f64, precision: Self::Precision) -> f64;
}

impl PrecisionNumber for f64 {
    type Precision = ();

    fn from_f64(value: f64, (): ()) -> Self {
        value
    }

    fn to_f64(&self) -> f64 {
        *self
    }

    fn rounding(size: f64, (): ()) -> f64 {
        0.5 * Self::EPSILON * size
    }
}

/// Uses double-doubles: 2⁻¹⁰⁶, reduced by a few bits for sums that are not rounded correctly (Hida, Li & Bailey 2001).
impl PrecisionNumber for DoubleDouble {
    type Precision = ();

    fn from_f64(value: f64, (): ()) -> Self {
        Self::from(value)
    }

    fn to_f64(&self) -> f64 {
        self.0
    }

    fn rounding(size: f64, (): ()) -> f64 {
        2f64.powi(-102) * size
    }
}

/// Integer over 2ᴮ: sums are exact, and products are rounded down. Operands must have the same B.
#[derive(Clone, Debug)]
pub(crate) struct BinaryFixed {
    numerator: IBig,
    bits: usize,
}

impl Add for BinaryFixed {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { numerator: self.numerator + other.numerator, ..self }
    }
}

impl Sub for BinaryFixed {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { numerator: self.numerator - other.numerator, ..self }
    }
}

impl Mul for BinaryFixed {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self { numerator: (self.numerator * other.numerator) >> self.bits, ..self }
    }
}

impl PrecisionNumber for BinaryFixed {
    /// Number of fraction bits B.
    type Precision = usize;

    /// Converts a double; non-finite values become zero.
    fn from_f64(value: f64, bits: usize) -> Self {
        let (significand, exponent) = parts(value);
        let shift = exponent + bits as i64;
        let significand = IBig::from(significand);
        let numerator = if shift >= 0 { significand << shift as usize } else { significand >> (-shift) as usize };
        Self { numerator, bits }
    }

    fn to_f64(&self) -> f64 {
        // Keep two words, more than a double holds: their conversion is rounded, and the power of two is exact.
        let surplus = self.numerator.bit_len().saturating_sub(128);
        let exponent = surplus as i64 - self.bits as i64;
        let half = exponent.clamp(-2000, 2000) as i32 / 2;
        let rest = exponent.clamp(-2000, 2000) as i32 - half;
        (&self.numerator >> surplus).to_f64().value() * 2f64.powi(half) * 2f64.powi(rest)
    }

    /// Bounds the rounding error, including that of factors with more bits.
    fn rounding(size: f64, bits: usize) -> f64 {
        2f64.powi(2 - bits as i32) * (1.0 + size)
    }
}

/// Splits a double into m and e with value = m·2ᵉ.
fn parts(value: f64) -> (i64, i64) {
    if !value.is_finite() {
        return (0, 0);
    }
    let bits = value.to_bits();
    let biased = (bits >> 52 & 0x7FF) as i64;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let significand = if biased == 0 { fraction } else { fraction | 1 << 52 };
    (if value < 0.0 { -significand } else { significand }, biased.max(1) - 1075)
}

/// Complex number re + i·im.
#[derive(Clone, Debug)]
pub(crate) struct PreciseComplex<T> {
    pub(crate) re: T,
    pub(crate) im: T,
}

impl<T: PrecisionNumber> PreciseComplex<T> {
    pub(crate) fn new(value: Complex64, precision: T::Precision) -> Self {
        Self { re: T::from_f64(value.re, precision), im: T::from_f64(value.im, precision) }
    }

    pub(crate) fn to_complex(&self) -> Complex64 {
        Complex64::new(self.re.to_f64(), self.im.to_f64())
    }

    pub(crate) fn plus(self, other: &Self) -> Self {
        Self { re: self.re + other.re.clone(), im: self.im + other.im.clone() }
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        let product = |x: &T, y: &T| x.clone() * y.clone();
        Self {
            re: product(&self.re, &other.re) - product(&self.im, &other.im),
            im: product(&self.re, &other.im) + product(&self.im, &other.re),
        }
    }

    /// Computes self + factor · other.
    pub(crate) fn plus_scaled(self, factor: &T, other: &Self) -> Self {
        Self { re: self.re + factor.clone() * other.re.clone(), im: self.im + factor.clone() * other.im.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_come_back_unchanged() {
        for value in [0.0, 1.0, -1.0 / 3.0, 1e-40, -6.02e23, 5e-324, 1.7e308] {
            assert_eq!(BinaryFixed::from_f64(value, 1200).to_f64(), value);
            assert_eq!(<DoubleDouble as PrecisionNumber>::from_f64(value, ()).to_f64(), value);
        }
        // Bits below the last one are rounded down.
        assert!(BinaryFixed::from_f64(1e-30, 64).to_f64().abs() <= BinaryFixed::rounding(0.0, 64));
    }

    #[test]
    fn products_are_rounded_within_the_bound() {
        let (x, y) = (1.0 / 3.0, -0.7);
        let fixed = |value: f64| BinaryFixed::from_f64(value, 400);
        let exact = fixed(x) * fixed(y);
        let difference = |value: f64| (exact.clone() - fixed(value)).to_f64().abs();
        assert!(difference(x * y) <= f64::rounding(1.0, ()) && difference(x * y) > 0.0);
        let quad =
            <DoubleDouble as PrecisionNumber>::from_f64(x, ()) * <DoubleDouble as PrecisionNumber>::from_f64(y, ());
        let rest = exact.clone() - fixed(quad.0) - fixed(quad.1);
        assert!(rest.to_f64().abs() <= DoubleDouble::rounding(1.0, ()));
        let shorter = BinaryFixed::from_f64(x, 80) * BinaryFixed::from_f64(y, 80);
        assert!((shorter.to_f64() - x * y).abs() <= BinaryFixed::rounding(1.0, 80) + f64::rounding(1.0, ()));
    }

    #[test]
    fn complex_products() {
        let [x, y] = [Complex64::new(0.5, -2.0), Complex64::new(3.0, 0.25)];
        assert_eq!(PreciseComplex::<BinaryFixed>::new(x, 90).times(&PreciseComplex::new(y, 90)).to_complex(), x * y);
        let sum = PreciseComplex::<DoubleDouble>::new(x, ())
            .plus_scaled(&<DoubleDouble as PrecisionNumber>::from_f64(2.0, ()), &PreciseComplex::new(y, ()));
        assert_eq!(sum.plus(&PreciseComplex::new(x, ())).to_complex(), 2.0 * (x + y));
    }
}
