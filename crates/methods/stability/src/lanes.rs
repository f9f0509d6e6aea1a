//! Arithmetic on eight real or complex numbers at a time.
//!
//! Every operation is a loop over an array of constant length, which the compiler turns into vector instructions of the
//! width for which the surrounding function is compiled. One source therefore serves all processors. The only
//! difference is whether a product and a sum are rounded once or twice.
//!
//! ```
//! use hemiola_stability::lanes::{ComplexLanes, LANES, RealLanes};
//! use num_complex::Complex64;
//! let t = RealLanes(std::array::from_fn(|lane| lane as f64));
//! let square = ComplexLanes::all(Complex64::I).scaled(t);
//! assert_eq!(square.times(square).lane(LANES - 1), Complex64::from(-49.0));
//! ```

use hemiola_number::vector::times_plus;
use num_complex::Complex64;

/// Numbers in a block: a cache line, one AVX-512 register or two AVX2 registers.
pub const LANES: usize = 8;

/// Eight real numbers.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct RealLanes(
    /// The numbers.
    pub [f64; LANES],
);

impl RealLanes {
    /// Zeros.
    pub const ZERO: Self = Self([0.0; LANES]);

    /// Repeats a number.
    #[inline(always)]
    #[must_use]
    pub fn all(value: f64) -> Self {
        Self([value; LANES])
    }

    /// Applies a function in each lane.
    #[inline(always)]
    #[must_use]
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        self.zip(self, |x, _| f(x))
    }

    /// Applies f(x, y) in each lane.
    #[inline(always)]
    #[must_use]
    pub fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            out[lane] = f(self.0[lane], other.0[lane]);
        }
        Self(out)
    }

    /// Computes self + other.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.zip(other, |x, y| x + y)
    }

    /// Computes self − other.
    #[inline(always)]
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        self.zip(other, |x, y| x - y)
    }

    /// Computes self · other.
    #[inline(always)]
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        self.zip(other, |x, y| x * y)
    }

    /// Computes self · y + z.
    #[inline(always)]
    #[must_use]
    pub fn times_plus(self, y: Self, z: Self) -> Self {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            out[lane] = times_plus(self.0[lane], y.0[lane], z.0[lane]);
        }
        Self(out)
    }

    /// Computes z − self · y.
    #[inline(always)]
    #[must_use]
    pub fn times_from(self, y: Self, z: Self) -> Self {
        self.map(|x| -x).times_plus(y, z)
    }

    /// Returns the larger number in each lane, or that of `other` if either is NaN.
    #[inline(always)]
    #[must_use]
    pub fn larger(self, other: Self) -> Self {
        self.zip(other, |x, y| if x > y { x } else { y })
    }
}

/// Eight complex numbers.
#[derive(Clone, Copy, Debug)]
pub struct ComplexLanes {
    /// The real parts.
    pub re: RealLanes,
    /// The imaginary parts.
    pub im: RealLanes,
}

impl ComplexLanes {
    /// Zeros.
    pub const ZERO: Self = Self { re: RealLanes::ZERO, im: RealLanes::ZERO };

    /// Repeats a number.
    #[inline(always)]
    #[must_use]
    pub fn all(value: Complex64) -> Self {
        Self { re: RealLanes::all(value.re), im: RealLanes::all(value.im) }
    }

    /// Computes self + other.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { re: self.re.plus(other.re), im: self.im.plus(other.im) }
    }

    /// Computes self − other.
    #[inline(always)]
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self { re: self.re.minus(other.re), im: self.im.minus(other.im) }
    }

    /// Returns the complex conjugates.
    #[inline(always)]
    #[must_use]
    pub fn conj(self) -> Self {
        Self { re: self.re, im: self.im.map(|im| -im) }
    }

    /// Computes self · factor with real factors.
    #[inline(always)]
    #[must_use]
    pub fn scaled(self, factor: RealLanes) -> Self {
        Self { re: self.re.times(factor), im: self.im.times(factor) }
    }

    /// Computes self · t + z with real t.
    #[inline(always)]
    #[must_use]
    pub fn real_times_plus(self, t: RealLanes, z: Self) -> Self {
        Self { re: self.re.times_plus(t, z.re), im: self.im.times_plus(t, z.im) }
    }

    /// Computes self · factor + z with one real factor.
    #[inline(always)]
    #[must_use]
    pub fn scaled_plus(self, factor: f64, z: Self) -> Self {
        self.real_times_plus(RealLanes::all(factor), z)
    }

    /// Computes self · other.
    #[inline(always)]
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        Self {
            re: self.im.times_from(other.im, self.re.times(other.re)),
            im: self.im.times_plus(other.re, self.re.times(other.im)),
        }
    }

    /// Computes self · y + z.
    #[inline(always)]
    #[must_use]
    pub fn times_plus(self, y: Self, z: Self) -> Self {
        let (re, im) = (self.re.times_plus(y.re, z.re), self.re.times_plus(y.im, z.im));
        Self { re: self.im.times_from(y.im, re), im: self.im.times_plus(y.re, im) }
    }

    /// Computes |z|², which overflows for |z| above 1e154.
    #[inline(always)]
    #[must_use]
    pub fn squared_modulus(self) -> RealLanes {
        self.re.times_plus(self.re, self.im.times(self.im))
    }

    /// Returns the number in a lane.
    #[inline(always)]
    #[must_use]
    pub fn lane(&self, lane: usize) -> Complex64 {
        Complex64::new(self.re.0[lane], self.im.0[lane])
    }

    /// Replaces the number in a lane.
    #[inline(always)]
    pub fn set_lane(&mut self, lane: usize, value: Complex64) {
        (self.re.0[lane], self.im.0[lane]) = (value.re, value.im);
    }

    /// Computes 1/z, which is infinite or NaN if |z|² underflows.
    #[inline(always)]
    #[must_use]
    pub fn reciprocal(self) -> Self {
        self.conj().scaled(self.squared_modulus().map(|square| 1.0 / square))
    }

    /// Returns the larger of |Re z| and |Im z|.
    #[inline(always)]
    #[must_use]
    pub fn size(self) -> RealLanes {
        self.re.map(f64::abs).larger(self.im.map(f64::abs))
    }
}
