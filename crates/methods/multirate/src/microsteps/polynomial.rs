//! Polynomials in λ and M, with negative powers of M.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use hemiola_number::{Exact, ExpressionValue, NumberError, Scalar, parse_expression};
use num_traits::Zero;

/// Range of exponents.
const EXPONENTS: RangeInclusive<i32> = -8..=8;

/// A sum of c λᵃ Mᵇ with a ≥ 0 and any integer b: λ counts micro-steps from 1, and M is their number.
///
/// ```
/// use hemiola_multirate::RatioPolynomial;
/// let entry = RatioPolynomial::parse("(λ - 1/2)/M").expect("an expression in λ and M");
/// assert_eq!(entry.at(2, 3).to_string(), "1/2");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RatioPolynomial {
    /// Nonzero coefficients by the exponents of λ and M.
    terms: BTreeMap<(u32, i32), Exact>,
}

/// Bounds of the exponents of a quantity for large M, where λ counts as M. The quantity becomes a polynomial after
/// `divisions` multiplications by the common divisor of a method and multiplication by a power of M.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exponents {
    /// The lowest exponent of M; if it is negative, the quantity must also be multiplied by a power of M.
    pub(super) lowest: i32,
    /// The power of M that bounds the growth, divisors included.
    pub(super) highest: i32,
    pub(super) divisions: i32,
}

impl Exponents {
    /// Exponents of a number.
    pub(super) const NUMBER: Self = Self { lowest: 0, highest: 0, divisions: 0 };

    pub(super) fn times(self, other: Self) -> Self {
        Self {
            lowest: self.lowest + other.lowest,
            highest: self.highest + other.highest,
            divisions: self.divisions + other.divisions,
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            lowest: self.lowest.min(other.lowest),
            highest: self.highest.max(other.highest),
            divisions: self.divisions.max(other.divisions),
        }
    }

    /// Returns the exponents after a division by M.
    pub(super) fn over_ratio(self) -> Self {
        Self { lowest: self.lowest - 1, highest: self.highest - 1, ..self }
    }

    /// Returns the exponents of a sum over micro-steps: Σ_λ λᵃ is a polynomial of degree a + 1.
    pub(super) fn summed(self) -> Self {
        Self { highest: self.highest + 1, ..self }
    }
}

impl RatioPolynomial {
    /// Reads an expression in λ and M, such as `(λ - 1/2)/M` or `sqrt(2)*λ^2/M^2`.
    ///
    /// Numbers have the same syntax as all coefficients. A divisor is a number or a power of M, so that the result is a
    /// polynomial.
    ///
    /// # Errors
    /// Returns a [`NumberError`] with the position and what is expected there.
    pub fn parse(text: &str) -> Result<Self, NumberError> {
        let value: Self = parse_expression(text)?;
        let is_finite = value.terms.values().all(|coefficient| coefficient.to_f64().is_finite());
        if is_finite { Ok(value) } else { Err(NumberError::OutOfRange) }
    }

    /// Iterates over the terms c λᵃ Mᵇ as (a, b, c), those of the highest powers first.
    pub fn terms(&self) -> impl Iterator<Item = (u32, i32, &Exact)> {
        self.terms.iter().rev().map(|(&(a, b), c)| (a, b, c))
    }

    pub(super) fn term(coefficient: Exact, lambda: u32, ratio: i32) -> Self {
        let mut terms = BTreeMap::new();
        if !coefficient.is_zero() {
            terms.insert((lambda, ratio), coefficient);
        }
        Self { terms }
    }

    /// Computes the value at the micro-step λ of M.
    #[must_use]
    pub fn at(&self, lambda: u64, ratio: u64) -> Exact {
        let power = |base: &Exact, exponent: u32| (0..exponent).fold(Exact::ratio(1, 1), |x, _| x * base.clone());
        let (step, count) = (Exact::ratio(lambda as i64, 1), Exact::ratio(ratio as i64, 1));
        let inverse = Exact::ratio(1, ratio.max(1));
        let value = |(&(a, b), c): (&(u32, i32), &Exact)| {
            let base = if b < 0 { &inverse } else { &count };
            c.clone() * power(&step, a) * power(base, b.unsigned_abs())
        };
        self.terms.iter().map(value).fold(Exact::zero(), |sum, x| sum + x)
    }

    /// Returns whether the polynomial is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns bounds of the exponents of M for λ between 1 and M; `None` for zero.
    pub(super) fn exponents(&self) -> Option<Exponents> {
        let lowest = self.terms.keys().map(|(_, b)| *b).min()?;
        let highest = self.terms.keys().map(|(a, b)| *a as i32 + b).max()?;
        Some(Exponents { lowest, highest, divisions: 0 })
    }

    /// Returns the degree in M, with λ counted as M.
    pub(super) fn degree(&self) -> i32 {
        self.exponents().map_or(0, |bounds| bounds.highest)
    }

    /// Returns whether this is a polynomial in M alone that vanishes at no integer M ≥ `least`.
    pub(super) fn is_divisor_from(&self, least: u64) -> bool {
        let is_polynomial = self.terms.keys().all(|(a, b)| *a == 0 && *b >= 0);
        let values: Vec<Exact> = (1..=u64::from(self.degree().unsigned_abs()) + 1).map(|m| self.at(1, m)).collect();
        is_polynomial
            && super::zeros::positive_integer_zeros(&values).is_some_and(|zeros| zeros.iter().all(|m| *m < least))
    }

    /// Returns the coefficient and the exponent of M if the polynomial is a single power of M.
    pub(super) fn as_power_of_ratio(&self) -> Option<(&Exact, i32)> {
        let mut terms = self.terms.iter();
        let (&(a, b), c) = terms.next()?;
        (terms.next().is_none() && a == 0).then_some((c, b))
    }

    /// Returns the value of a constant other than zero.
    fn as_number(&self) -> Option<Exact> {
        self.as_power_of_ratio().filter(|(_, exponent)| *exponent == 0).map(|(value, _)| value.clone())
    }

    pub(super) fn plus(mut self, other: &Self) -> Self {
        for (exponents, coefficient) in &other.terms {
            let sum = self.terms.remove(exponents).unwrap_or_else(Exact::zero) + coefficient.clone();
            if !sum.is_zero() {
                self.terms.insert(*exponents, sum);
            }
        }
        self
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (&(a, b), c) in &self.terms {
            for (&(p, q), d) in &other.terms {
                product = product.plus(&Self::term(c.clone() * d.clone(), a + p, b + q));
            }
        }
        product
    }
}

impl From<Exact> for RatioPolynomial {
    fn from(value: Exact) -> Self {
        Self::term(value, 0, 0)
    }
}

/// Writes an expression that [`RatioPolynomial::parse`] reads: a polynomial in λ and M, divided by a power of M.
impl fmt::Display for RatioPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lowest, highest] = self.terms.keys().fold([0, 0], |[low, high], (_, b)| [low.min(*b), high.max(*b)]);
        // Powers beyond the range of the syntax appear as divisors of single terms.
        let divisor = (-lowest).min(EXPONENTS.end() - highest);
        let power = |name: &str, exponent: u32| match exponent {
            0 => None,
            1 => Some(name.to_owned()),
            _ => Some(format!("{name}^{exponent}")),
        };
        let mut text = String::new();
        for (a, b, c) in self.terms() {
            let (sign, size) = if c.sign() == Ordering::Less { ("-", -c.clone()) } else { ("+", c.clone()) };
            text += match (text.is_empty(), sign) {
                (true, "+") => "",
                (true, _) => "-",
                (false, "+") => " + ",
                (false, _) => " - ",
            };
            let number = if size.as_rational().is_some() { size.to_string() } else { format!("({size})") };
            let factors = power("λ", a).into_iter().chain(power("M", (b + divisor).max(0).unsigned_abs()));
            let factors: Vec<String> = factors.collect();
            text += &match (factors.is_empty(), number == "1") {
                (true, _) => number,
                (false, true) => factors.join("*"),
                (false, false) => format!("{number}*{}", factors.join("*")),
            };
            if let Some(rest) = power("M", (-b - divisor).max(0).unsigned_abs()) {
                text += &format!("/{rest}");
            }
        }
        match (self.terms.len(), power("M", divisor.unsigned_abs())) {
            (0, _) => f.write_str("0"),
            (_, None) => f.write_str(&text),
            (1, Some(divisor)) => write!(f, "{text}/{divisor}"),
            (_, Some(divisor)) => write!(f, "({text})/{divisor}"),
        }
    }
}

impl ExpressionValue for RatioPolynomial {
    const NAMES: &'static [&'static str] = &["λ", "lambda", "M"];
    const OPERAND: &'static str = "a number, `λ`, `M`, `(` or `sqrt`";

    fn named(name: &str) -> Self {
        if name == "M" { Self::term(1.into(), 0, 1) } else { Self::term(1.into(), 1, 0) }
    }

    fn plus(self, other: Self) -> Self {
        Self::plus(self, &other)
    }

    fn negated(self) -> Self {
        Self::times(&self, &Self::from(Exact::from(-1)))
    }

    fn times(self, other: Self) -> Self {
        Self::times(&self, &other)
    }

    fn over(self, divisor: Self, position: usize) -> Result<Self, NumberError> {
        let inverse = divisor
            .as_power_of_ratio()
            .and_then(|(coefficient, exponent)| Some(Self::term(coefficient.reciprocal()?, 0, -exponent)));
        let expected = "a quotient by a nonzero number or a power of M";
        Ok(Self::times(&self, &inverse.ok_or(NumberError::NotAllowed { position, expected })?))
    }

    fn root(self, position: usize) -> Result<Self, NumberError> {
        let expected = "the square root of a number";
        let radicand = if self.is_zero() { Some(Exact::zero()) } else { self.as_number() };
        radicand.ok_or(NumberError::NotAllowed { position, expected })?.root(position).map(Self::from)
    }

    fn within_limits(self, position: usize) -> Result<Self, NumberError> {
        let fits = |(a, b): &(u32, i32)| EXPONENTS.contains(b) && *a <= *EXPONENTS.end() as u32;
        if self.terms.len() > MOST_TERMS || !self.terms.keys().all(fits) {
            return Err(NumberError::NotAllowed { position, expected: "a polynomial with exponents up to 8" });
        }
        self.terms.values().try_for_each(|coefficient| coefficient.clone().within_limits(position).map(drop))?;
        Ok(self)
    }
}

/// Largest number of terms of an entry.
const MOST_TERMS: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, lambda: u64, ratio: u64) -> String {
        RatioPolynomial::parse(text).unwrap().at(lambda, ratio).to_string()
    }

    #[test]
    fn expressions_have_their_values() {
        assert_eq!(at("(λ-1)/M", 3, 4), "1/2");
        assert_eq!(at("lambda^2/(2*M^2) − 1/(2*M^2)", 3, 4), "1/4");
        assert_eq!(at("-(λ - M)*(λ + M)", 2, 3), "5");
        assert_eq!(at("M/2", 1, 3), "3/2");
        assert_eq!(at("sqrt(4)*0.5", 1, 1), "1");
        assert_eq!(at("-λ^2", 3, 1), "-9");
        assert!(RatioPolynomial::parse("λ - λ").unwrap().is_zero());
    }

    #[test]
    fn written_expressions_are_read_again() {
        for (text, written) in [
            ("(λ-1/2)/M", "(λ - 1/2)/M"),
            ("M/2", "1/2*M"),
            ("0", "0"),
            ("-λ/M^2", "-λ/M^2"),
            ("M^8 + 1/M^8", "M^8 + 1/M^8"),
            ("sqrt(2)*λ^2*M - 3", "((1)*sqrt(2))*λ^2*M - 3"),
            ("(λ^2 - λ*M + 1/3)/(2*M^2)", "(1/2*λ^2 - 1/2*λ*M + 1/6)/M^2"),
            ("1/M - 1", "(-M + 1)/M"),
            ("2/(3*M)", "2/3/M"),
        ] {
            let entry = RatioPolynomial::parse(text).unwrap();
            assert_eq!(entry.to_string(), written);
            assert_eq!(RatioPolynomial::parse(written).unwrap(), entry, "{written}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_their_position() {
        let error = |text: &str| RatioPolynomial::parse(text).unwrap_err().to_string();
        let divisor = "the value at character 2 is not a quotient by a nonzero number or a power of M";
        assert_eq!([error("1/λ"), error("1/(M+1)"), error("1/0")], [divisor; 3]);
        assert_eq!(error("λ+"), "the text ends; expected a number, `λ`, `M`, `(` or `sqrt`");
        assert_eq!(error("(λ"), "the text ends; expected an operator or `)`");
        assert_eq!(error("λ x"), "found `x` at character 3; expected an operator or the end");
        assert_eq!(error("λ^M"), "found `M` at character 3; expected an exponent from 0 to 9");
        assert!(error("λ^9").contains("exponents up to 8") && error("(λ^8)*λ").contains("exponents up to 8"));
        assert!(error(&"(".repeat(99)).contains("nesting") && error(&"1".repeat(5000)).contains("5000 characters"));
        assert!(error("sqrt(0-1)").contains("square root of a negative number"));
        assert!(error("sqrt(M)").contains("the square root of a number"));
    }
}
