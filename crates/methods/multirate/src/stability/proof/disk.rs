//! Disks in the complex plane with double precision: fast rigorous enclosures.
//!
//! The arithmetic uses only additions, products, quotients and square roots, which IEEE 754 rounds correctly.
//! Enclosures therefore agree on every machine and do not depend on the accuracy of its exponential function.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use hemiola_number::{Exact, Scalar};
use num_traits::{One, Zero};

use crate::stability::ball::ComplexBall;
use crate::stability::flow_number::FlowNumber;

/// The largest relative error of one operation.
const UNIT: f64 = f64::EPSILON / 2.0;
/// Relative enlargement of bounds, more than the error of ten operations.
const SLACK: f64 = 32.0 * UNIT;
/// Upper bound of all moduli whose squares underflow.
const TINY: f64 = 1e-150;
/// Moduli whose squares neither underflow nor overflow.
const INVERTIBLE: std::ops::Range<f64> = 1e-140..1e140;
/// Largest number of terms of a series, far more than required for |z| ≤ 10.
const MOST_TERMS: usize = 400;

/// A disk of complex numbers: a center and a radius. Results of operations contain the results for all members.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Disk {
    re: f64,
    im: f64,
    radius: f64,
}

impl Disk {
    /// Encloses a single double.
    pub(super) fn point(value: f64) -> Self {
        Self { re: value, im: 0.0, radius: 0.0 }
    }

    /// Encloses all numbers of modulus at most `radius`.
    pub(super) fn around_zero(radius: f64) -> Self {
        Self { re: 0.0, im: 0.0, radius }
    }

    /// The imaginary unit.
    pub(super) fn imaginary_unit() -> Self {
        Self { re: 0.0, im: 1.0, radius: 0.0 }
    }

    /// Enlarges the disk by a radius.
    pub(super) fn widened(self, radius: f64) -> Self {
        Self { radius: above(self.radius + radius), ..self }
    }

    pub(super) fn conjugate(self) -> Self {
        Self { im: -self.im, ..self }
    }

    /// Returns the ends of an interval that contains the real parts.
    pub(super) fn real_range(&self) -> [f64; 2] {
        let slack = SLACK * (self.re.abs() + self.radius) + TINY;
        [self.re - self.radius - slack, self.re + self.radius + slack]
    }

    /// Returns an upper bound of the modulus of the center.
    fn center_bound(&self) -> f64 {
        above((self.re * self.re + self.im * self.im).sqrt())
    }

    /// Bounds the modulus of the center without a square root, at most eight per cent too large: max + (√2 − 1) min.
    fn quick_bound(&self) -> f64 {
        let (re, im) = (self.re.abs(), self.im.abs());
        above(re.max(im) + 0.414_213_562_373_1 * re.min(im))
    }

    /// Returns an upper bound of the moduli.
    pub(super) fn bound(&self) -> f64 {
        above(self.center_bound() + self.radius)
    }

    /// Returns a lower bound of the moduli; it may be negative.
    pub(super) fn least(&self) -> f64 {
        let center = (self.re * self.re + self.im * self.im).sqrt();
        center - self.radius - SLACK * (center + self.radius) - TINY
    }

    /// Computes Σ_n zⁿ/(n+k)! by partial sums and a bound of the remainder.
    fn series(&self, k: usize) -> Self {
        let divided = |value: Self, n: usize| value * Self::ratio(1, n as u64);
        let size = self.bound();
        let mut term = (1..=k).fold(Self::one(), divided);
        let mut sum = Self::zero();
        for n in 1..=MOST_TERMS {
            sum += term;
            term = divided(term * *self, n + k);
            // From here on each term is at most half of the previous one, so the remainder is at most twice its first
            // term.
            if 2.0 * size <= (n + k) as f64 && term.bound() <= UNIT * UNIT.max(sum.bound()) {
                return sum.widened(above(2.0 * term.bound()));
            }
        }
        Self::around_zero(f64::INFINITY)
    }
}

/// Rounds a nonnegative result of a few operations up.
fn above(value: f64) -> f64 {
    value * (1.0 + SLACK) + TINY
}

impl Zero for Disk {
    fn zero() -> Self {
        Self::point(0.0)
    }

    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }
}

impl One for Disk {
    fn one() -> Self {
        Self::point(1.0)
    }
}

impl Scalar for Disk {
    fn ratio(numerator: i64, denominator: u64) -> Self {
        let value = numerator as f64 / denominator as f64;
        let is_exact = denominator == 1 && numerator.unsigned_abs() < 1 << 53;
        Self { radius: if is_exact { 0.0 } else { SLACK * value.abs() }, ..Self::point(value) }
    }
}

impl Add for Disk {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (re, im) = (self.re + other.re, self.im + other.im);
        let rounding = 2.0 * UNIT * (re.abs() + im.abs());
        Self { re, im, radius: above(self.radius + other.radius + rounding) }
    }
}

impl AddAssign for Disk {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for Disk {
    type Output = Self;

    fn neg(self) -> Self {
        Self { re: -self.re, im: -self.im, radius: self.radius }
    }
}

impl Sub for Disk {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Disk {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::zero();
        }
        // |xy − ab| ≤ |x − a| |y| + |a| |y − b|; each part of ab has an error of at most 2 u |a| |b|.
        let (a, b) = (self.quick_bound(), other.quick_bound());
        let spread = self.radius * (b + other.radius) + a * other.radius;
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
            radius: above(spread + 8.0 * UNIT * a * b),
        }
    }
}

impl FlowNumber for Disk {
    fn of_exact(value: &Exact) -> Self {
        let ball = ComplexBall::new(value, &Exact::zero());
        let (re, _) = ball.center();
        Self { radius: above(ball.radius() + 4.0 * UNIT * re.abs()), ..Self::point(re) }
    }

    fn size(&self) -> f64 {
        self.center_bound()
    }

    fn exponential(&self) -> Self {
        let center = Self { radius: 0.0, ..*self };
        let mut scaled = center;
        let mut doublings = 0;
        // Products with one half are exact.
        while scaled.size() > 0.5 && doublings < 64 {
            scaled = Self { re: scaled.re * 0.5, im: scaled.im * 0.5, radius: 0.0 };
            doublings += 1;
        }
        let power = (0..doublings).fold(scaled.series(0), |power, _| power * power);
        if self.radius.is_zero() {
            return power;
        }
        // |e^δ − 1| ≤ r + r² for |δ| ≤ r ≤ 1.
        let r = self.radius;
        let spread = if r <= 1.0 { r * (1.0 + r) } else { f64::INFINITY };
        power.widened(above(power.bound() * spread))
    }

    fn exponential_series(&self, k: usize) -> Self {
        self.series(k)
    }

    fn divided_by(&self, divisor: &Self) -> Option<Self> {
        // 1/y = conj(b)/|b|² (1 + e), |e| ≤ r/(|b| − r), for a disk around b with radius r.
        let (least, size) = (divisor.least(), divisor.center_bound());
        if !(INVERTIBLE.contains(&least) && INVERTIBLE.contains(&size)) {
            return None;
        }
        let norm = divisor.re * divisor.re + divisor.im * divisor.im;
        let radius = above(divisor.radius / (least * least) + 8.0 * UNIT / least);
        Some(*self * Self { re: divisor.re / norm, im: -divisor.im / norm, radius })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether the disk contains the enclosed number, up to the radius of the ball.
    fn contains(disk: &Disk, ball: &ComplexBall) -> bool {
        let [re, im] = [disk.re, disk.im].map(|x| Exact::from_f64(x).unwrap());
        let distance = ball.clone() - ComplexBall::new(&re, &im);
        // The ball is larger than the disk where both are below 2⁻³²⁰.
        distance.size() * (1.0 - 4.0 * f64::EPSILON) <= disk.radius + distance.radius()
    }

    fn both(re: f64, im: f64) -> (Disk, ComplexBall) {
        let [exact_re, exact_im] = [re, im].map(|x| Exact::from_f64(x).unwrap());
        (Disk { re, im, radius: 0.0 }, ComplexBall::new(&exact_re, &exact_im))
    }

    #[test]
    fn results_contain_those_of_long_balls_and_are_sharp() {
        for (re, im) in [(-0.3, 0.2), (-1e-9, 3.0), (-7.5, 60.0), (-300.0, 40.0), (0.0, 0.0)] {
            let ((x, long_x), (y, long_y)) = (both(re, im), both(0.7, -0.1));
            let pairs = [
                (x * y, long_x.clone() * long_y.clone(), 1e-14),
                (x - y, long_x.clone() - long_y.clone(), 1e-14),
                (x.divided_by(&y).unwrap(), long_x.divided_by(&long_y).unwrap(), 1e-13),
                (x.exponential(), long_x.exponential(), 1e-11),
                (y.exponential_series(3), long_y.exponential_series(3), 1e-14),
            ];
            for (disk, ball, sharp) in pairs {
                assert!(contains(&disk, &ball), "{disk:?} {ball:?}");
                assert!(disk.radius <= sharp * (1.0 + disk.bound()), "{disk:?}");
            }
        }
    }

    #[test]
    fn wide_disks_contain_their_members() {
        let (center, _) = both(-0.5, 1.5);
        let wide = center.widened(0.1);
        for angle in 0..12 {
            let turn = f64::from(angle).to_radians() * 30.0;
            let (member, long) = both(-0.5 + 0.0999 * turn.cos(), 1.5 + 0.0999 * turn.sin());
            assert!(contains(&(wide * wide), &(long.clone() * long.clone())));
            assert!(contains(&wide.exponential(), &long.exponential()));
            assert!(contains(&wide.exponential_series(2), &long.exponential_series(2)));
            assert!(contains(&member.divided_by(&wide).unwrap(), &ComplexBall::one()));
            assert!(wide.least() < member.bound() && member.bound() < wide.bound());
        }
    }

    #[test]
    fn quotients_by_disks_around_zero_have_no_bound() {
        assert!(Disk::one().divided_by(&Disk::around_zero(1e-3)).is_none());
        assert!(Disk::one().divided_by(&Disk::zero()).is_none());
    }
}
