//! Exact real numbers: rationals extended by square roots.
//!
//! A number is either rational or `x + y√d`, where `x`, `y` and `d` are again exact numbers. Radicands are
//! ordered, and the largest one stands outermost, so that sums and products of any two numbers find their common
//! form without a shared context (a recursive representation of a tower of quadratic extensions; Cohen, *A Course
//! in Computational Algebraic Number Theory*, 1993, §4.2). A rational radicand is first split into prime factors:
//! square roots of different primes are linearly independent over ℚ (Besicovitch 1940), so a sum of them is zero
//! only if it is written as zero.

mod operators;

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use dashu::base::{Abs, BitTest, Signed, SquareRootRem, UnsignedAbs};
use dashu::float::DBig;
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use num_traits::{One, Zero};

use crate::interval::Interval;

/// Largest trial divisor of radicands, sufficient for the small radicands of the literature. Roots of larger
/// composite numbers may be dependent. A sum that vanishes is then possibly not written as zero, which can cost a
/// proof but never gives a wrong answer.
const LARGEST_TRIAL_DIVISOR: u32 = 1000;

/// Largest precision in bits to which enclosures are refined before a question about a number is left undecided.
const MOST_BITS: usize = 4096;

/// An exact real number built from rationals by `+ − × ÷ √`.
///
/// Arithmetic is exact. If [`Exact::is_zero`](Zero::is_zero) returns `true`, the number is proved to be zero. If
/// it returns `false`, the number is nonzero unless it contains nested radicals that happen to cancel.
///
/// ```
/// use hemiola_number::Exact;
/// use num_traits::Zero;
/// let root = Exact::from_ratio(12, 1).sqrt().unwrap(); // 2√3
/// let difference = root.clone() * root - Exact::from_ratio(12, 1);
/// assert!(difference.is_zero());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Exact(Form);

#[derive(Clone, PartialEq, Eq)]
enum Form {
    Rational(RBig),
    /// `x + y√d` with `y ≠ 0` and `d` greater (in [`compare_radicands`]) than every radicand inside `x` and `y`.
    Surd(Arc<Surd>),
}

#[derive(PartialEq, Eq)]
struct Surd {
    x: Exact,
    y: Exact,
    d: Exact,
}

impl Exact {
    /// Returns the fraction `numerator / denominator`; a zero denominator is treated as one.
    #[must_use]
    pub fn from_ratio(numerator: i64, denominator: u64) -> Self {
        RBig::from_parts(IBig::from(numerator), UBig::from(denominator.max(1))).into()
    }

    /// Returns the exact value of a double, or `None` if it is not finite.
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Self> {
        RBig::try_from(value).ok().map(Self::from)
    }

    /// Returns the value as a rational number, if it is one.
    #[must_use]
    pub fn as_rational(&self) -> Option<&RBig> {
        match &self.0 {
            Form::Rational(value) => Some(value),
            Form::Surd(_) => None,
        }
    }

    /// Returns the nonnegative square root, or `None` if the number is negative.
    ///
    /// Square factors are taken out of the root: √12 becomes 2√3 and √(1/2) becomes √2/2.
    #[must_use]
    pub fn sqrt(&self) -> Option<Self> {
        match &self.0 {
            Form::Rational(value) => rational_root(value),
            Form::Surd(_) => match self.sign() {
                Ordering::Less => None,
                Ordering::Equal => Some(Self::zero()),
                Ordering::Greater => Some(surd(Self::zero(), Self::one(), self.clone())),
            },
        }
    }

    /// Returns the reciprocal, or `None` for zero.
    #[must_use]
    pub fn reciprocal(&self) -> Option<Self> {
        match &self.0 {
            Form::Rational(value) if value.is_zero() => None,
            Form::Rational(value) => Some((RBig::ONE / value).into()),
            Form::Surd(surd) => {
                // 1/(x + y√d) = (x − y√d)/(x² − y²d); the norm lies in the field below.
                let Surd { x, y, d } = surd.as_ref();
                let norm = x.clone() * x.clone() - y.clone() * y.clone() * d.clone();
                match norm.reciprocal() {
                    Some(inverse) => Some(self::surd(x.clone() * inverse.clone(), -(y.clone() * inverse), d.clone())),
                    // x = ±y√d: √d lies in the field below, and the number is 2x or zero.
                    None if self.sign() == Ordering::Equal => None,
                    None => (x.clone() + x.clone()).reciprocal(),
                }
            }
        }
    }

    /// Returns the sign of the number, and `Equal` also if enclosures of 4096 bits do not separate it from zero.
    #[must_use]
    pub fn sign(&self) -> Ordering {
        if let Form::Rational(value) = &self.0 {
            return value.cmp(&RBig::ZERO);
        }
        let mut bits = 64;
        while bits <= MOST_BITS {
            if let Some(sign) = self.enclose(bits).sign() {
                return sign;
            }
            bits *= 2;
        }
        Ordering::Equal
    }

    /// Returns the absolute value.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.sign() == Ordering::Less { -self.clone() } else { self.clone() }
    }

    /// Returns a rational interval that contains the number; square roots in it are computed to `bits` binary
    /// places.
    #[must_use]
    pub fn enclose(&self, bits: usize) -> Interval {
        match &self.0 {
            Form::Rational(value) => Interval::point(value.clone()),
            Form::Surd(surd) => {
                let root = surd.d.enclose(bits).sqrt(bits);
                &surd.x.enclose(bits) + &(&surd.y.enclose(bits) * &root)
            }
        }
    }

    /// Returns the nearest double.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        if let Form::Rational(value) = &self.0 {
            return value.to_f64().value();
        }
        let mut bits = 128;
        loop {
            let enclosure = self.enclose(bits);
            let (low, high) = (enclosure.low().to_f64().value(), enclosure.high().to_f64().value());
            // The limit on the bits is reached only if the number vanishes without being written as zero.
            if low == high || bits > MOST_BITS {
                return low;
            }
            bits *= 2;
        }
    }

    /// Returns the number as a decimal with `digits` significant digits.
    ///
    /// ```
    /// use hemiola_number::Exact;
    /// let root = Exact::from_ratio(2, 1).sqrt().unwrap();
    /// assert_eq!(root.to_decimal(30).to_string(), "1.41421356237309504880168872421");
    /// ```
    #[must_use]
    pub fn to_decimal(&self, digits: usize) -> DBig {
        // Three and a third bits per digit plus a margin for cancellation; the loop adds more bits if necessary.
        let mut bits = 4 * digits + 64;
        loop {
            let enclosure = self.enclose(bits);
            let (low, high) = (decimal(enclosure.low(), digits), decimal(enclosure.high(), digits));
            if low == high || bits > MOST_BITS.max(16 * digits) {
                return low;
            }
            bits *= 2;
        }
    }

    /// Writes the number as a sum of rational multiples of products of square roots. Each term is a factor with
    /// its radicands.
    ///
    /// ```
    /// let number = hemiola_number::parse_number("1/2-sqrt(3)/6").unwrap();
    /// let factors: Vec<String> = number.terms().iter().map(|(factor, _)| factor.to_string()).collect();
    /// assert_eq!(factors, ["1/2", "-1/6"]);
    /// ```
    #[must_use]
    pub fn terms(&self) -> Vec<(RBig, Vec<Self>)> {
        match &self.0 {
            Form::Rational(value) if value.is_zero() => Vec::new(),
            Form::Rational(value) => vec![(value.clone(), Vec::new())],
            Form::Surd(surd) => {
                let with_root = surd.y.terms().into_iter().map(|(factor, mut roots)| {
                    roots.push(surd.d.clone());
                    (factor, roots)
                });
                surd.x.terms().into_iter().chain(with_root).collect()
            }
        }
    }

    /// Returns the approximate memory size of the number in 64-bit words, which also measures the cost of
    /// arithmetic with it.
    ///
    /// ```
    /// use hemiola_number::Exact;
    /// assert_eq!(Exact::from_ratio(1, 3).size(), 1);
    /// ```
    #[must_use]
    pub fn size(&self) -> usize {
        match &self.0 {
            Form::Rational(value) => 1 + (value.numerator().bit_len() + value.denominator().bit_len()) / 64,
            Form::Surd(surd) => surd.x.size() + surd.y.size() + surd.d.size(),
        }
    }

    /// Returns the distinct radicands in the representation of the number.
    ///
    /// ```
    /// let number = hemiola_number::parse_number("sqrt(2) + sqrt(3)/2")?;
    /// assert_eq!(number.radicands().len(), 2);
    /// # Ok::<(), hemiola_number::NumberError>(())
    /// ```
    #[must_use]
    pub fn radicands(&self) -> Vec<Self> {
        fn collect(number: &Exact, found: &mut Vec<Exact>) {
            if let Form::Surd(surd) = &number.0 {
                if !found.contains(&surd.d) {
                    found.push(surd.d.clone());
                }
                for part in [&surd.x, &surd.y, &surd.d] {
                    collect(part, found);
                }
            }
        }
        let mut found = Vec::new();
        collect(self, &mut found);
        found
    }
}

/// Returns `x + y√d`, or just `x` if `y` vanishes.
fn surd(x: Exact, y: Exact, d: Exact) -> Exact {
    if y.is_zero() { x } else { Exact(Form::Surd(Arc::new(Surd { x, y, d }))) }
}

/// Computes the square root of a rational as √(p/q) = √(pq)/q, with the square factors of pq taken out and one
/// root per prime.
fn rational_root(value: &RBig) -> Option<Exact> {
    if value.is_zero() {
        return Some(Exact::zero());
    }
    if value.is_negative() {
        return None;
    }
    let product: UBig = value.numerator().clone().abs().try_into().ok()?;
    let mut rest = product * value.denominator();
    let mut outside = RBig::from_parts(IBig::ONE, value.denominator().clone());
    let mut primes = Vec::new();
    for p in 2..=LARGEST_TRIAL_DIVISOR {
        let p = UBig::from(p);
        if p.sqr() > rest {
            break; // what remains is prime, or one
        }
        let mut exponent = 0;
        while (&rest % &p).is_zero() {
            rest /= &p;
            exponent += 1;
        }
        outside *= RBig::from(IBig::from(p.pow(exponent / 2)));
        if exponent % 2 == 1 {
            primes.push(p);
        }
    }
    let (root, remainder) = rest.sqrt_rem();
    if remainder.is_zero() {
        outside *= RBig::from(IBig::from(root));
    } else {
        primes.push(rest);
    }
    let one_root = |p: UBig| surd(Exact::zero(), Exact::one(), RBig::from(IBig::from(p)).into());
    Some(primes.into_iter().fold(outside.into(), |product, p| product * one_root(p)))
}

/// Compares radicands: a nested radicand comes after the radicals it contains; the order is otherwise arbitrary
/// but fixed.
fn compare_radicands(a: &Exact, b: &Exact) -> Ordering {
    match (&a.0, &b.0) {
        (Form::Rational(a), Form::Rational(b)) => a.cmp(b),
        (Form::Rational(_), Form::Surd(_)) => Ordering::Less,
        (Form::Surd(_), Form::Rational(_)) => Ordering::Greater,
        (Form::Surd(s), Form::Surd(t)) => depth(a)
            .cmp(&depth(b))
            .then_with(|| compare_radicands(&s.d, &t.d))
            .then_with(|| compare_radicands(&s.y, &t.y))
            .then_with(|| compare_radicands(&s.x, &t.x)),
    }
}

fn depth(number: &Exact) -> usize {
    match &number.0 {
        Form::Rational(_) => 0,
        Form::Surd(surd) => depth(&surd.x).max(depth(&surd.y)).max(1 + depth(&surd.d)),
    }
}

/// Rounds a fraction to the nearest decimal with `digits` significant digits.
///
/// `RBig::to_float` rounds twice, first to one more digit: 0.2113249 would become 0.21133.
fn decimal(value: &RBig, digits: usize) -> DBig {
    let digits = digits.max(1);
    if value.is_zero() {
        return DBig::ZERO;
    }
    let ten = UBig::from(10u8);
    let (numerator, denominator) = (value.numerator().clone().unsigned_abs(), value.denominator().clone());
    // 10ᵏ ≤ |value| < 10ᵏ⁺¹
    let scaled = |k: isize| {
        let power = ten.pow(k.unsigned_abs());
        if k < 0 { (&numerator * power, denominator.clone()) } else { (numerator.clone(), &denominator * power) }
    };
    let mut k = numerator.ilog(&ten) as isize - denominator.ilog(&ten) as isize;
    let (above, below) = scaled(k);
    if above < below {
        k -= 1;
    }
    let exponent = k + 1 - digits as isize;
    let (above, below) = scaled(exponent);
    let rounded = IBig::from((above * 2u8 + &below) / (below * 2u8));
    DBig::from_parts(if value.is_negative() { -rounded } else { rounded }, exponent)
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Rational(value) => value.fmt(f),
            Form::Surd(s) if s.x.is_zero() => write!(f, "({})*sqrt({})", s.y, s.d),
            Form::Surd(s) => write!(f, "{}+({})*sqrt({})", s.x, s.y, s.d),
        }
    }
}

impl fmt::Debug for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(n: i64) -> Exact {
        Exact::from_ratio(n, 1).sqrt().unwrap()
    }

    #[test]
    fn roots_of_products_are_products_of_roots() {
        assert_eq!(root(6), root(2) * root(3));
        assert_eq!(root(72), Exact::from(6) * root(2));
        assert_eq!(Exact::from_ratio(1, 2).sqrt().unwrap(), root(2) * Exact::from_ratio(1, 2));
        assert_eq!(root(49), Exact::from(7));
    }

    #[test]
    fn nested_roots_multiply_back() {
        // The abscissae of the four-stage Gauss method contain √(525 ± 70√30).
        let [plus, minus] = [1, -1].map(|sign| (Exact::from(525) + Exact::from(70 * sign) * root(30)).sqrt().unwrap());
        assert_eq!(plus.clone() * plus.clone() + minus.clone() * minus.clone(), Exact::from(1050));
        assert!((plus.clone() / plus).unwrap() == Exact::one());
    }

    #[test]
    fn reciprocals_and_signs() {
        let x = Exact::from(1) + root(2) - root(3);
        assert_eq!(x.clone() * x.reciprocal().unwrap(), Exact::one());
        assert_eq!(x.sign(), Ordering::Greater);
        assert_eq!((root(2) - root(3)).sign(), Ordering::Less);
        assert!(Exact::zero().reciprocal().is_none());
        assert!(Exact::from(-1).sqrt().is_none());
        assert!((root(2) - root(3)).sqrt().is_none());
    }

    #[test]
    fn roots_that_depend_on_others_have_reciprocals() {
        // √(3 − 2√2) = √2 − 1, and 1022117 = 1009·1013.
        let denested = (Exact::from(3) - Exact::from(2) * root(2)).sqrt().unwrap();
        let double = denested + root(2) - Exact::from(1);
        assert_eq!(double.reciprocal().unwrap().to_f64(), f64::midpoint(1.0, 2f64.sqrt()));
        let factors = root(1_022_117) + root(1009) * root(1013);
        assert!((factors.reciprocal().unwrap().to_f64() * 2.0 * 1_022_117f64.sqrt() - 1.0).abs() < 1e-15);
        assert!((root(1_022_117) - root(1009) * root(1013)).reciprocal().is_none());
    }

    #[test]
    fn decimals_are_rounded_once() {
        let decimal = |text: &str, digits| crate::parse_number(text).unwrap().to_decimal(digits).to_string();
        // 0.29289321881345248…, and 0.01234999…, which double rounding would turn into 0.01235.
        assert_eq!(decimal("1-sqrt(2)/2", 12), "0.292893218813");
        assert_eq!(decimal("0.012349999999999999999999", 4), "0.01235");
        assert_eq!(decimal("2469999999999999999999998999/200000000000000000000000000000", 4), "0.01235");
        assert_eq!(decimal("-246999/20000000", 4), "-0.01235");
        assert_eq!(decimal("-246999/20000000", 3), "-0.0123");
        assert_eq!(
            [decimal("999.96", 4), decimal("1e9", 3), decimal("1/8", 9)],
            ["1000", "1000000000", "0.125"].map(str::to_owned)
        );
        let shown = |text: &str, digits: usize| crate::parse_number(text).unwrap().to_decimal(digits).to_string();
        assert_eq!(shown("(3-sqrt(3))/6", 5), "0.21132"); // 0.2113248…
        assert_eq!(shown("0.2113249", 5), "0.21132");
        assert_eq!(shown("-0.444445", 5), "-0.44445");
        assert_eq!(shown("99999.96", 6), "100000");
        assert_eq!(shown("2/3", 1), "0.7");
        assert_eq!(shown("123456789", 3), "123000000");
        assert_eq!(shown("1e-40/3", 3), "0.0000000000000000000000000000000000000000333");
    }

    #[test]
    fn doubles_are_the_nearest_ones() {
        assert_eq!(root(2).to_f64(), std::f64::consts::SQRT_2);
        assert_eq!(Exact::from_ratio(1, 3).to_f64(), 1.0 / 3.0);
        // √2 − p/q with a convergent p/q: heavy cancellation.
        let tiny = root(2) - Exact::from_ratio(886_731_088_897, 627_013_566_048);
        assert!((tiny.to_f64() / 8.99e-25).abs() < 1.01);
    }
}
