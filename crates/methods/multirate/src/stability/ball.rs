//! Balls in the complex plane: rigorous enclosures of complex numbers.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use dashu::base::{BitTest, Signed, SquareRoot, UnsignedAbs};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use hemiola_number::{Exact, Scalar};
use num_traits::{One, Zero};

use super::flow_number::FlowNumber;

/// Binary places of centers and radii: more than ninety decimal digits. Sixty of these remain after the operations of a
/// stability function.
const PLACES: usize = 320;

/// A disk of complex numbers: a center and a radius in units of 2⁻³²⁰.
///
/// Arithmetic encloses: the result of an operation contains its results for all members.
///
/// ```
/// use hemiola_multirate::{ComplexBall, FlowNumber};
/// use hemiola_number::Exact;
/// let i = ComplexBall::new(&Exact::from(0), &Exact::from(1));
/// let square = i.clone() * i;
/// assert_eq!(square.center(), (-1.0, 0.0));
/// assert!(square.radius() < 1e-90 && square.exponential().center().0 == (-1.0f64).exp());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComplexBall {
    re: IBig,
    im: IBig,
    radius: UBig,
}

impl ComplexBall {
    /// Encloses the number with these parts.
    #[must_use]
    pub fn new(re: &Exact, im: &Exact) -> Self {
        let ([re, from_re], [im, from_im]) = (fixed(re), fixed(im));
        Self { re, im, radius: from_re.unsigned_abs() + from_im.unsigned_abs() }
    }

    /// Returns the center, rounded to doubles.
    #[must_use]
    pub fn center(&self) -> (f64, f64) {
        (to_f64(&self.re), to_f64(&self.im))
    }

    /// Returns an upper bound of the radius.
    #[must_use]
    pub fn radius(&self) -> f64 {
        to_f64(&IBig::from(&self.radius + UBig::ONE)) * (1.0 + f64::EPSILON)
    }

    /// Returns whether the moduli of all members exceed one.
    #[must_use]
    pub fn exceeds_one(&self) -> bool {
        let bound = IBig::from((UBig::ONE << PLACES) + &self.radius);
        &self.re * &self.re + &self.im * &self.im > &bound * &bound
    }

    /// Returns whether the real parts of all members are negative.
    #[must_use]
    pub fn is_left(&self) -> bool {
        &self.re + IBig::from(self.radius.clone()) < IBig::ZERO
    }

    /// Returns an upper bound of the moduli of all members, in units.
    fn magnitude(&self) -> UBig {
        self.re.clone().unsigned_abs() + self.im.clone().unsigned_abs() + &self.radius
    }

    /// Computes Σ_n zⁿ/(n+k)! by partial sums and a bound of the remainder.
    fn series(&self, k: usize) -> Self {
        let size = self.magnitude();
        let divided = |value: Self, n: usize| value * Self::ratio(1, n as u64);
        let mut term = (1..=k).fold(Self::one(), divided);
        let mut sum = Self::zero();
        let mut n = 0;
        loop {
            sum += term.clone();
            n += 1;
            term = divided(term * self.clone(), n + k);
            // From here on each term is at most half of the previous one, so the remainder is at most twice its first
            // term.
            if &size * UBig::from(2u8) <= UBig::from(n + k) << PLACES && term.magnitude() <= term.radius.clone() * 4u8 {
                sum.radius += term.magnitude() * 2u8;
                return sum;
            }
        }
    }
}

/// Returns a number in units, and the bound of its error.
fn fixed(value: &Exact) -> [IBig; 2] {
    let enclosure = value.enclose(PLACES + 8);
    let unit = RBig::from(UBig::ONE << PLACES);
    let [low, high] = [enclosure.low() * &unit, enclosure.high() * &unit];
    let (low, high) = (low.floor(), high.ceil());
    let width = &high - &low;
    [low, width]
}

fn to_f64(value: &IBig) -> f64 {
    RBig::from_parts(value.clone(), UBig::ONE << PLACES).to_f64().value()
}

/// Rounds a product of two numbers in units to units; its error is at most one unit.
fn rounded(product: IBig) -> IBig {
    product >> PLACES
}

impl Zero for ComplexBall {
    fn zero() -> Self {
        Self { re: IBig::ZERO, im: IBig::ZERO, radius: UBig::ZERO }
    }

    fn is_zero(&self) -> bool {
        self == &Self::zero()
    }
}

impl One for ComplexBall {
    fn one() -> Self {
        Self { re: IBig::ONE << PLACES, im: IBig::ZERO, radius: UBig::ZERO }
    }
}

impl Scalar for ComplexBall {
    fn ratio(numerator: i64, denominator: u64) -> Self {
        Self::new(&Exact::from_ratio(numerator, denominator), &Exact::zero())
    }
}

impl Add for ComplexBall {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im, radius: self.radius + other.radius }
    }
}

impl AddAssign for ComplexBall {
    fn add_assign(&mut self, other: Self) {
        self.re += other.re;
        self.im += other.im;
        self.radius += other.radius;
    }
}

impl Neg for ComplexBall {
    type Output = Self;

    fn neg(self) -> Self {
        Self { re: -self.re, im: -self.im, radius: self.radius }
    }
}

impl Sub for ComplexBall {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for ComplexBall {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        // |xy − ab| ≤ |x − a| |y| + |a| |y − b|; rounding adds two units, as does that of the radius.
        let spread = &self.radius * other.magnitude() + self.magnitude() * &other.radius;
        let radius = (spread >> PLACES) + UBig::from(4u8);
        let re = rounded(&self.re * &other.re - &self.im * &other.im);
        let im = rounded(self.re * other.im + self.im * other.re);
        Self { re, im, radius }
    }
}

impl FlowNumber for ComplexBall {
    fn of_exact(value: &Exact) -> Self {
        Self::new(value, &Exact::zero())
    }

    fn size(&self) -> f64 {
        let (re, im) = self.center();
        re.hypot(im)
    }

    fn exponential(&self) -> Self {
        let doublings = self.magnitude().bit_len().saturating_sub(PLACES);
        let half = Self { re: IBig::ONE << (PLACES - doublings.min(PLACES)), ..Self::zero() };
        let scaled = if doublings > 0 { self.clone() * half } else { self.clone() };
        (0..doublings).fold(scaled.series(0), |power, _| power.clone() * power)
    }

    fn exponential_series(&self, k: usize) -> Self {
        self.series(k)
    }

    fn divided_by(&self, divisor: &Self) -> Option<Self> {
        // 1/y = conj(a)/|a|² (1 + e), |e| ≤ r/(|a| − r), for a ball around a with radius r.
        let norm = (&divisor.re * &divisor.re + &divisor.im * &divisor.im).unsigned_abs();
        let modulus = norm.sqrt();
        let distance = IBig::from(modulus) - IBig::from(divisor.radius.clone());
        if !distance.is_positive() || distance <= IBig::ONE {
            return None;
        }
        let scaled = |part: &IBig| (part << (2 * PLACES)) / IBig::from(norm.clone());
        let distance = distance.unsigned_abs();
        // r/(|a| (|a| − r)), rounded up, and the rounding of both parts.
        let spread = (&divisor.radius << (2 * PLACES)) / (&distance * &distance) + UBig::from(3u8);
        let reciprocal = Self { re: scaled(&divisor.re), im: -scaled(&divisor.im), radius: spread };
        Some(self.clone() * reciprocal)
    }
}

#[cfg(test)]
mod tests {
    use dashu::base::Abs;

    use super::*;

    fn number(re: &str, im: &str) -> ComplexBall {
        let [re, im] = [re, im].map(|text| hemiola_number::parse_number(text).unwrap());
        ComplexBall::new(&re, &im)
    }

    /// Checks that two balls can contain the same number, and that they are small.
    fn assert_meet(a: &ComplexBall, b: &ComplexBall) {
        let difference = a.clone() - b.clone();
        assert!(difference.re.clone().abs() + difference.im.clone().abs() <= IBig::from(difference.radius.clone()) * 2);
        assert!(difference.radius() < 1e-75, "{}", difference.radius());
    }

    /// e^{−1}, cos 1 and sin 1 (OEIS A068985, A049470, A049469).
    #[test]
    fn exponentials_have_the_published_digits() {
        let digits = |value: &IBig| {
            let value = RBig::from_parts(value.clone(), UBig::ONE << PLACES);
            Exact::from(value).to_decimal(50).to_string()
        };
        assert_eq!(digits(&number("-1", "0").exponential().re), "0.36787944117144232159552377016146086744581113103177");
        let turned = number("0", "1").exponential();
        assert_eq!(digits(&turned.re), "0.54030230586813971740093660744297660373231042061792");
        assert_eq!(digits(&turned.im), "0.84147098480789650665250232163029899962256306079837");
        assert!(turned.radius() < 1e-90);
    }

    #[test]
    fn exponentials_multiply_to_one_far_out() {
        let product = number("-3", "40").exponential() * number("3", "-40").exponential();
        assert_meet(&product, &ComplexBall::one());
        let far = number("-100000", "7").exponential();
        assert!(far.size() < 1e-80 && far.radius() < 1e-80);
    }

    #[test]
    fn quotients_multiply_back() {
        let (a, b) = (number("1/3", "-2"), number("sqrt(2)", "5/7"));
        assert_meet(&(a.divided_by(&b).unwrap() * b), &a);
        let around_zero = number("1/3", "0") - number("1/3", "0");
        assert!(ComplexBall::one().divided_by(&around_zero).is_none());
    }

    #[test]
    fn comparisons_hold_for_all_members() {
        assert!(number("1.0000000001", "0").exceeds_one() && number("-0.8", "0.60000001").exceeds_one());
        // 1/3 · 3 contains one.
        assert!(!(number("1/3", "0") * number("3", "0")).exceeds_one());
        assert!(number("-1e-50", "3").is_left() && !number("0", "3").is_left());
    }
}
