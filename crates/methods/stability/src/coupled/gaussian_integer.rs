//! Polynomials with Gaussian integer coefficients, constant term first.

use std::ops::{Add, Mul, Sub};

use dashu::integer::IBig;

/// Gaussian integer re + i·im.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GaussianInteger {
    pub(crate) re: IBig,
    pub(crate) im: IBig,
}

impl From<i32> for GaussianInteger {
    fn from(re: i32) -> Self {
        Self { re: IBig::from(re), im: IBig::ZERO }
    }
}

impl GaussianInteger {
    pub(crate) fn conj(&self) -> Self {
        Self { re: self.re.clone(), im: -self.im.clone() }
    }

    pub(crate) fn times_integer(&self, factor: &IBig) -> Self {
        Self { re: &self.re * factor, im: &self.im * factor }
    }

    /// Computes self/divisor for a quotient that is a Gaussian integer.
    pub(crate) fn divided_exactly(&self, divisor: &IBig) -> Self {
        Self { re: &self.re / divisor, im: &self.im / divisor }
    }

    fn is_zero(&self) -> bool {
        self.re.is_zero() && self.im.is_zero()
    }
}

impl Add for GaussianInteger {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Sub for GaussianInteger {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Mul for &GaussianInteger {
    type Output = GaussianInteger;

    fn mul(self, other: Self) -> GaussianInteger {
        if self.is_zero() || other.is_zero() {
            return GaussianInteger::from(0);
        }
        GaussianInteger {
            re: &self.re * &other.re - &self.im * &other.im,
            im: &self.re * &other.im + &self.im * &other.re,
        }
    }
}

/// Computes p q.
pub(crate) fn product(p: &[GaussianInteger], q: &[GaussianInteger]) -> Vec<GaussianInteger> {
    let mut product = vec![GaussianInteger::from(0); (p.len() + q.len()).saturating_sub(1)];
    for (j, x) in p.iter().enumerate() {
        for (k, y) in q.iter().enumerate() {
            let term = x * y;
            product[j + k].re += term.re;
            product[j + k].im += term.im;
        }
    }
    product
}

/// Computes |p(t)|² for real t.
pub(crate) fn modulus_squared(p: &[GaussianInteger]) -> Vec<IBig> {
    let conjugate: Vec<GaussianInteger> = p.iter().map(GaussianInteger::conj).collect();
    product(p, &conjugate).into_iter().map(|value| value.re).collect()
}

/// Truncates p above `degree`.
pub(crate) fn truncated(mut p: Vec<GaussianInteger>, degree: usize) -> Vec<GaussianInteger> {
    p.truncate(degree + 1);
    p
}
