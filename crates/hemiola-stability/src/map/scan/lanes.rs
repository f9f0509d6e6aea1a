//! Arithmetic on eight numbers at a time, real and complex.
//!
//! Every operation is a loop over an array of constant length, which the compiler turns into vector instructions of whatever
//! width the surrounding function is compiled for. One source therefore serves all processors; only whether a product and a
//! sum are rounded once or twice is a parameter.

use num_complex::Complex64;

/// Numbers in a block: a cache line, one AVX-512 register or two of AVX2.
pub(crate) const LANES: usize = 8;

/// How x y + z is rounded, and how many numbers a register holds.
pub(crate) trait Arithmetic {
    /// Whether registers hold eight blocks and more, one to a register: fewer independent sums would wait for each other.
    const IS_WIDE: bool = false;

    /// x y + z.
    fn multiply_add(x: f64, y: f64, z: f64) -> f64;
}

/// One rounding, by an instruction; without that instruction it would be a call for each number.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "other processors take the portable path"))]
pub(crate) struct Fused;

/// One rounding, in registers of eight numbers.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "other processors take the portable path"))]
pub(crate) struct Wide;

/// Two roundings, on any processor.
pub(crate) struct Plain;

impl Arithmetic for Fused {
    #[inline(always)]
    fn multiply_add(x: f64, y: f64, z: f64) -> f64 {
        x.mul_add(y, z)
    }
}

impl Arithmetic for Wide {
    const IS_WIDE: bool = true;

    #[inline(always)]
    fn multiply_add(x: f64, y: f64, z: f64) -> f64 {
        x.mul_add(y, z)
    }
}

impl Arithmetic for Plain {
    #[inline(always)]
    fn multiply_add(x: f64, y: f64, z: f64) -> f64 {
        x * y + z
    }
}

/// Eight real numbers.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Real(pub(crate) [f64; LANES]);

impl Real {
    pub(crate) const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    pub(crate) fn all(value: f64) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    pub(crate) fn map(self, f: impl Fn(f64) -> f64) -> Self {
        self.zip(self, |x, _| f(x))
    }

    /// f(x, y) in each lane.
    #[inline(always)]
    pub(crate) fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            out[lane] = f(self.0[lane], other.0[lane]);
        }
        Self(out)
    }

    #[inline(always)]
    pub(crate) fn plus(self, other: Self) -> Self {
        self.zip(other, |x, y| x + y)
    }

    #[inline(always)]
    pub(crate) fn minus(self, other: Self) -> Self {
        self.zip(other, |x, y| x - y)
    }

    #[inline(always)]
    pub(crate) fn times(self, other: Self) -> Self {
        self.zip(other, |x, y| x * y)
    }

    /// self · y + z.
    #[inline(always)]
    pub(crate) fn times_plus<A: Arithmetic>(self, y: Self, z: Self) -> Self {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            out[lane] = A::multiply_add(self.0[lane], y.0[lane], z.0[lane]);
        }
        Self(out)
    }

    /// z − self · y.
    #[inline(always)]
    pub(crate) fn times_from<A: Arithmetic>(self, y: Self, z: Self) -> Self {
        self.map(|x| -x).times_plus::<A>(y, z)
    }

    /// The larger number; where one is not a number, the other.
    #[inline(always)]
    pub(crate) fn larger(self, other: Self) -> Self {
        self.zip(other, |x, y| if x > y { x } else { y })
    }
}

/// Eight complex numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Complex {
    pub(crate) re: Real,
    pub(crate) im: Real,
}

impl Complex {
    pub(crate) const ZERO: Self = Self { re: Real::ZERO, im: Real::ZERO };

    #[inline(always)]
    pub(crate) fn all(value: Complex64) -> Self {
        Self { re: Real::all(value.re), im: Real::all(value.im) }
    }

    #[inline(always)]
    pub(crate) fn plus(self, other: Self) -> Self {
        Self { re: self.re.plus(other.re), im: self.im.plus(other.im) }
    }

    #[inline(always)]
    pub(crate) fn minus(self, other: Self) -> Self {
        Self { re: self.re.minus(other.re), im: self.im.minus(other.im) }
    }

    #[inline(always)]
    pub(crate) fn conj(self) -> Self {
        Self { re: self.re, im: self.im.map(|im| -im) }
    }

    /// self · factor, with real factors.
    #[inline(always)]
    pub(crate) fn scaled(self, factor: Real) -> Self {
        Self { re: self.re.times(factor), im: self.im.times(factor) }
    }

    /// self · factor + z, with a real factor.
    #[inline(always)]
    pub(crate) fn scaled_plus<A: Arithmetic>(self, factor: f64, z: Self) -> Self {
        let factor = Real::all(factor);
        Self { re: self.re.times_plus::<A>(factor, z.re), im: self.im.times_plus::<A>(factor, z.im) }
    }

    #[inline(always)]
    pub(crate) fn times<A: Arithmetic>(self, other: Self) -> Self {
        Self {
            re: self.im.times_from::<A>(other.im, self.re.times(other.re)),
            im: self.im.times_plus::<A>(other.re, self.re.times(other.im)),
        }
    }

    /// self · y + z.
    #[inline(always)]
    pub(crate) fn times_plus<A: Arithmetic>(self, y: Self, z: Self) -> Self {
        let (re, im) = (self.re.times_plus::<A>(y.re, z.re), self.re.times_plus::<A>(y.im, z.im));
        Self { re: self.im.times_from::<A>(y.im, re), im: self.im.times_plus::<A>(y.re, im) }
    }

    /// |z|², which overflows where |z| is beyond 1e154.
    #[inline(always)]
    pub(crate) fn squared_modulus<A: Arithmetic>(self) -> Real {
        self.re.times_plus::<A>(self.re, self.im.times(self.im))
    }

    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> Complex64 {
        Complex64::new(self.re.0[lane], self.im.0[lane])
    }

    #[inline(always)]
    pub(crate) fn set_lane(&mut self, lane: usize, value: Complex64) {
        (self.re.0[lane], self.im.0[lane]) = (value.re, value.im);
    }

    /// 1/z, which is infinite or not a number where |z|² underflows.
    #[inline(always)]
    pub(crate) fn reciprocal<A: Arithmetic>(self) -> Self {
        self.conj().scaled(self.squared_modulus::<A>().map(|square| 1.0 / square))
    }

    /// The larger of |Re z| and |Im z|.
    #[inline(always)]
    pub(crate) fn size(self) -> Real {
        self.re.map(f64::abs).larger(self.im.map(f64::abs))
    }
}
