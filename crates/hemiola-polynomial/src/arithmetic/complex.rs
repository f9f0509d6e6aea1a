//! Complex numbers over any [`Real`].

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use crate::arithmetic::real::Real;

/// x + iy.
#[derive(Clone, Debug)]
pub(crate) struct Complex<T> {
    pub(crate) re: T,
    pub(crate) im: T,
}

impl<T: Real> Complex<T> {
    pub(crate) fn new(re: T, im: T) -> Self {
        Self { re, im }
    }

    /// A double complex number in the precision of `like`.
    pub(crate) fn like(like: &T, (re, im): (f64, f64)) -> Self {
        Self { re: like.like(re), im: like.like(im) }
    }

    /// Re(conj(self)·other), the scalar product of the plane.
    pub(crate) fn dot(&self, other: &Self) -> T {
        self.re.clone() * other.re.clone() + self.im.clone() * other.im.clone()
    }

    pub(crate) fn norm_sqr(&self) -> T {
        self.dot(self)
    }

    pub(crate) fn scale(&self, factor: &T) -> Self {
        Self { re: self.re.clone() * factor.clone(), im: self.im.clone() * factor.clone() }
    }

    pub(crate) fn conj(&self) -> Self {
        Self { re: self.re.clone(), im: -self.im.clone() }
    }

    pub(crate) fn over(&self, other: &Self) -> Self {
        let norm = other.norm_sqr();
        let product = self.clone() * other.conj();
        Self { re: product.re / norm.clone(), im: product.im / norm }
    }

    /// selfⁿ for a small n.
    pub(crate) fn power(&self, n: usize) -> Self {
        (0..n).fold(Self::like(&self.re, (1.0, 0.0)), |power, _| power * self.clone())
    }
}

impl<T: Real> Add for Complex<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }
}

impl<T: Real> Sub for Complex<T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { re: self.re - other.re, im: self.im - other.im }
    }
}

impl<T: Real> Mul for Complex<T> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let re = self.re.clone() * other.re.clone() - self.im.clone() * other.im.clone();
        Self { re, im: self.re * other.im + self.im * other.re }
    }
}

impl<T: Real> Neg for Complex<T> {
    type Output = Self;

    fn neg(self) -> Self {
        Self { re: -self.re, im: -self.im }
    }
}

impl<T: Real> AddAssign for Complex<T> {
    fn add_assign(&mut self, other: Self) {
        self.re += other.re;
        self.im += other.im;
    }
}
