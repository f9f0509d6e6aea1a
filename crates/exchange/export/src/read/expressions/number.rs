//! Exact arithmetic that preserves the text of coefficients.

use hemiola_tableau::{Exact, NumberError, parse_number};
use num_traits::{One, Zero};

use crate::read::error::TextPosition;

/// Longest expression kept as text; longer ones are replaced by their value.
const LONGEST_EXPRESSION: usize = 160;
/// Largest supported power; larger ones do not occur in coefficients.
pub(crate) const LARGEST_POWER: i64 = 32;

/// Number with the text of the resulting coefficient.
///
/// Literals keep their digits, quotients of integers become fractions, and other operations on fractions are evaluated.
/// Sums and products of decimals and roots stay expressions: their digits show the precision.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WrittenNumber {
    text: String,
    value: Exact,
    form: NotationForm,
    /// Whether the program treats the number as an integer; a quotient of two such numbers may drop its remainder.
    is_integer: bool,
    /// Position in the text, if the number is an entry of an array. Results of arithmetic have none.
    place: Option<TextPosition>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NotationForm {
    Whole,
    Fraction,
    Decimal,
    Root,
    Product,
    Sum,
}

impl WrittenNumber {
    fn new(text: String, value: Exact, form: NotationForm) -> Self {
        Self { text, value, form, is_integer: false, place: None }
    }

    /// Marks the number as an integer or a floating-point number of the program.
    pub(crate) fn typed(self, is_integer: bool) -> Self {
        Self { is_integer, ..self }
    }

    /// Sets the position in the text.
    pub(crate) fn placed(self, place: TextPosition) -> Self {
        Self { place: Some(place), ..self }
    }

    pub(crate) fn place(&self) -> Option<TextPosition> {
        self.place
    }

    pub(crate) fn is_integer(&self) -> bool {
        self.is_integer
    }

    pub(crate) fn zero() -> Self {
        Self::new("0".to_owned(), Exact::zero(), NotationForm::Whole)
    }

    pub(crate) fn whole(value: i32) -> Self {
        Self::new(value.to_string(), Exact::from(value), NotationForm::Whole)
    }

    /// Parses a literal of a table, whose digits are kept.
    pub(crate) fn literal(text: &str) -> Result<Self, NumberError> {
        let form = if text.bytes().all(|b| b.is_ascii_digit()) { NotationForm::Whole } else { NotationForm::Decimal };
        Ok(Self::new(text.to_owned(), parse_number(text)?, form))
    }

    /// Parses a literal of a program, where `3.0` denotes the integer 3.
    pub(crate) fn floating_literal(text: &str) -> Result<Self, NumberError> {
        let number = Self::literal(text)?;
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, ""));
        let fraction = mantissa.split_once('.').map_or("", |(_, fraction)| fraction);
        let is_short = fraction.len() <= 1 && fraction.bytes().all(|b| b == b'0') && !exponent.starts_with('-');
        let value = number.value.to_string();
        // 1.0e15 is an integer, 1.0e200 an order of magnitude.
        let is_whole = number.form == NotationForm::Decimal && is_short && value.len() < 40 && !value.contains('/');
        if is_whole { Self::plain(&number.value) } else { Ok(number) }
    }

    /// Parses a coefficient and keeps its text, even if it is an expression.
    pub(crate) fn as_written(text: &str) -> Result<Self, NumberError> {
        Ok(Self::new(text.to_owned(), parse_number(text)?, NotationForm::Sum))
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn value(&self) -> &Exact {
        &self.value
    }

    /// Returns the value as an integer.
    pub(crate) fn as_whole(&self) -> Option<i64> {
        let value = self.value.as_rational()?;
        if value.is_int() { value.numerator().try_into().ok() } else { None }
    }

    /// Returns whether the value is an integer of any size.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.value.as_rational(), Some(value) if value.is_int())
    }

    /// Builds a number that is written as its value.
    fn plain(value: &Exact) -> Result<Self, NumberError> {
        let text = value.to_string();
        let form = match value.as_rational() {
            Some(rational) if rational.is_int() => NotationForm::Whole,
            Some(_) => NotationForm::Fraction,
            None => NotationForm::Sum,
        };
        // Parsing the text again limits the size of numbers to that of coefficients.
        let value = parse_number(&text)?;
        Ok(Self::new(text, value, form))
    }

    fn is_plain(&self) -> bool {
        self.form <= NotationForm::Fraction
    }

    fn composed(text: String, form: NotationForm) -> Result<Self, NumberError> {
        let value = parse_number(&text)?;
        if text.len() <= LONGEST_EXPRESSION { Ok(Self::new(text, value, form)) } else { Self::shortened(value) }
    }

    /// Writes the value as a decimal if that is finite, otherwise as a fraction or a sum of roots.
    fn shortened(value: Exact) -> Result<Self, NumberError> {
        if let Some(rational) = value.as_rational().filter(|rational| !rational.is_int()) {
            let digits = rational.denominator().to_string().len() * 4;
            let text = value.to_decimal(digits).to_string();
            if parse_number(&text).is_ok_and(|number| number == value) {
                return Ok(Self::new(text, value, NotationForm::Decimal));
            }
        }
        Self::plain(&value)
    }

    /// Returns the digits of an integer; `3.0` counts as an integer in a quotient.
    fn whole_text(&self) -> Option<&str> {
        let digits = self.text.strip_suffix(".0").unwrap_or(&self.text);
        let is_whole = digits.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit());
        (is_whole && self.form <= NotationForm::Decimal).then_some(digits)
    }

    fn is_negative(&self) -> bool {
        self.text.starts_with('-')
    }

    /// Returns the text as an unsigned operand that binds at least as tightly as a form.
    fn operand(&self, loosest: NotationForm) -> String {
        let fits = self.form <= loosest || (self.form == NotationForm::Decimal || self.form == NotationForm::Root);
        if fits && !self.is_negative() { self.text.clone() } else { format!("({})", self.text) }
    }

    /// Returns the text as the first operand of a sum or product.
    fn first(&self, loosest: NotationForm) -> String {
        if self.form <= loosest { self.text.clone() } else { format!("({})", self.text) }
    }

    pub(crate) fn negative(&self) -> Result<Self, NumberError> {
        if self.value.is_zero() {
            return Ok(self.clone());
        }
        if let Some(size) = self.text.strip_prefix('-').filter(|_| self.form < NotationForm::Product) {
            return Ok(Self::new(size.to_owned(), -self.value.clone(), self.form));
        }
        let text = format!("-{}", self.operand(NotationForm::Product));
        Ok(Self::new(text, -self.value.clone(), self.form.min(NotationForm::Product)))
    }

    pub(crate) fn plus(&self, other: &Self) -> Result<Self, NumberError> {
        if self.value.is_zero() {
            return Ok(other.clone());
        }
        if other.value.is_zero() {
            return Ok(self.clone());
        }
        if self.is_plain() && other.is_plain() {
            return Self::plain(&(self.value.clone() + other.value.clone()));
        }
        let text = match other.text.strip_prefix('-').filter(|_| other.form < NotationForm::Sum) {
            Some(size) => format!("{}-{size}", self.first(NotationForm::Sum)),
            None => format!("{}+{}", self.first(NotationForm::Sum), other.operand(NotationForm::Sum)),
        };
        Self::composed(text, NotationForm::Sum)
    }

    pub(crate) fn minus(&self, other: &Self) -> Result<Self, NumberError> {
        self.plus(&other.negative()?)
    }

    pub(crate) fn times(&self, other: &Self) -> Result<Self, NumberError> {
        if self.value.is_zero() || other.value.is_zero() {
            return Ok(Self::zero());
        }
        if self.value.is_one() {
            return Ok(other.clone());
        }
        if other.value.is_one() {
            return Ok(self.clone());
        }
        if self.is_plain() && other.is_plain() {
            return Self::plain(&(self.value.clone() * other.value.clone()));
        }
        Self::composed(
            format!("{}*{}", self.first(NotationForm::Product), other.operand(NotationForm::Fraction)),
            NotationForm::Product,
        )
    }

    pub(crate) fn over(&self, other: &Self) -> Result<Self, NumberError> {
        if other.value.is_one() {
            return Ok(self.clone());
        }
        if self.value.is_zero() && !other.value.is_zero() {
            return Ok(Self::zero());
        }
        if let (Some(numerator), Some(denominator)) = (self.whole_text(), other.whole_text())
            && !other.is_negative()
        {
            return Self::composed(format!("{numerator}/{denominator}"), NotationForm::Fraction);
        }
        if self.is_plain() && other.is_plain() {
            let quotient = self.value.clone() / other.value.clone();
            return Self::plain(&quotient.ok_or(NumberError::DivisionByZero { position: 1 })?);
        }
        Self::composed(
            format!("{}/{}", self.first(NotationForm::Product), other.operand(NotationForm::Whole)),
            NotationForm::Product,
        )
    }

    /// Raises the number to an integer power of at most [`LARGEST_POWER`] factors.
    pub(crate) fn power(&self, exponent: i64) -> Result<Self, NumberError> {
        let mut product = Self::whole(1);
        for _ in 0..exponent.abs().min(LARGEST_POWER) {
            product = product.times(self)?;
        }
        if exponent < 0 { Self::whole(1).over(&product) } else { Ok(product) }
    }

    pub(crate) fn root(&self) -> Result<Self, NumberError> {
        let root = Self::composed(format!("sqrt({})", self.text), NotationForm::Root)?;
        if root.value.as_rational().is_some() && self.is_plain() { Self::plain(&root.value) } else { Ok(root) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> WrittenNumber {
        WrittenNumber::floating_literal(text).unwrap()
    }

    #[test]
    fn quotients_of_whole_numbers_are_fractions() {
        assert_eq!(number("1.0").over(&number("3.0")).unwrap().text(), "1/3");
        assert_eq!(number("2").over(&number("4")).unwrap().text(), "2/4");
        assert_eq!(number("1").over(&number("3").negative().unwrap()).unwrap().text(), "-1/3");
        assert_eq!(number("208.0").over(&number("1.0e3")).unwrap().text(), "208/1000");
        assert_eq!(number("0.50").text(), "0.50");
        assert_eq!(number("1.0e-3").text(), "1.0e-3");
        assert!(number("1").over(&number("0")).is_err());
    }

    #[test]
    fn texts_have_the_values_of_their_numbers() {
        let numbers: Vec<WrittenNumber> = ["0", "1", "7", "0.25", "1.5e-3"].map(number).into_iter().collect();
        let mut all = numbers.clone();
        for x in &numbers {
            all.push(x.negative().unwrap());
            all.push(x.root().unwrap());
            all.push(number("1").minus(&x.root().unwrap()).unwrap());
            all.push(x.over(&number("3")).unwrap());
            all.push(x.root().unwrap().over(&number("3")).unwrap().negative().unwrap());
        }
        for (x, y) in all.iter().flat_map(|x| all.iter().map(move |y| (x, y))) {
            let (u, v) = (x.value().clone(), y.value().clone());
            let agrees = |number: WrittenNumber, value: Exact| {
                assert_eq!(number.value(), &value, "{} and {}", x.text(), y.text());
                assert_eq!(parse_number(number.text()).unwrap(), value, "{}", number.text());
            };
            agrees(x.plus(y).unwrap(), u.clone() + v.clone());
            agrees(x.minus(y).unwrap(), u.clone() - v.clone());
            agrees(x.times(y).unwrap(), u.clone() * v.clone());
            if !v.is_zero() {
                agrees(x.over(y).unwrap(), (u / v).unwrap());
            }
        }
    }

    #[test]
    fn long_expressions_become_their_values() {
        let mut sum = number("0.1");
        for _ in 0..100 {
            sum = sum.plus(&number("0.01")).unwrap();
        }
        assert!(sum.text().len() <= LONGEST_EXPRESSION);
        assert_eq!(sum.value(), &parse_number("1.1").unwrap());
        assert_eq!(number("3").power(-2).unwrap().text(), "1/9");
        assert_eq!(number("9").over(&number("4")).unwrap().root().unwrap().text(), "3/2");
    }
}
