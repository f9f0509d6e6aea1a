//! Complex numbers over any [`Real`] type.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use crate::arithmetic::real::Real;

/// Complex number x + iy.
#[derive(Clone, Debug)]
pub(crate) struct Complex<T> {
    pub(crate) re: T,
    pub(crate) im: T,
}

impl<T: Real> Complex<T> {
    #[inline]
    pub(crate) fn new(re: T, im: T) -> Self {
        Self { re, im }
    }

    /// Converts a complex double to the precision of `like`.
    #[inline]
    pub(crate) fn like(like: &T, (re, im): (f64, f64)) -> Self {
        Self { re: like.like(re), im: like.like(im) }
    }

    /// Computes Re(conj(self)·other), the scalar product in the plane.
    #[inline]
    pub(crate) fn dot(&self, other: &Self) -> T {
        self.re.times(&other.re) + self.im.times(&other.im)
    }

    #[inline]
    pub(crate) fn norm_sqr(&self) -> T {
        self.dot(self)
    }

    #[inline]
    pub(crate) fn scale(&self, factor: &T) -> Self {
        Self { re: self.re.times(factor), im: self.im.times(factor) }
    }

    /// Computes self · other without cloning the operands.
    #[inline]
    pub(crate) fn times(&self, other: &Self) -> Self {
        let re = self.re.times(&other.re) - self.im.times(&other.im);
        Self { re, im: self.re.times(&other.im) + self.im.times(&other.re) }
    }

    #[inline]
    pub(crate) fn conj(&self) -> Self {
        Self { re: self.re.clone(), im: -self.im.clone() }
    }

    #[inline]
    pub(crate) fn over(&self, other: &Self) -> Self {
        let norm = other.norm_sqr();
        let product = self.times(&other.conj());
        Self { re: product.re / norm.clone(), im: product.im / norm }
    }

    /// Computes selfⁿ for a small n.
    #[inline]
    pub(crate) fn power(&self, n: usize) -> Self {
        (0..n).fold(Self::like(&self.re, (1.0, 0.0)), |power, _| power.times(self))
    }
}

impl<T: Real> Add for Complex<T> {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl<T: Real> Sub for Complex<T> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl<T: Real> Mul for Complex<T> {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        self.times(&other)
    }
}

impl<T: Real> Neg for Complex<T> {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { re: -self.re, im: -self.im }
    }
}

impl<T: Real> AddAssign for Complex<T> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.re += other.re;
        self.im += other.im;
    }
}
