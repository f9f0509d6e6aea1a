//! Reads exact expressions: coefficients with `+ - * / ( ) sqrt`, and the same with names and powers.
//!
//! Grammar, with blanks allowed between tokens and `−`, `×`, `·`, `÷`, `√(` accepted for `-`, `*`, `*`, `/`, `sqrt(`:
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = factor { ("*" | "/") factor }
//! factor  = ("+" | "-") factor | number | "(" sum ")" | "sqrt" "(" sum ")"
//! number  = digits [ "." [digits] ] [exponent] | "." digits [exponent]
//! ```
//!
//! For values with names ([`ExpressionValue::NAMES`]), a factor may also be a name, and a number, a name or a parenthesis
//! may be followed by `^` and a digit.

use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use num_traits::Zero;
use thiserror::Error;

use crate::Exact;

/// Maximum length of a coefficient text; the longest published fractions have about 330 characters.
const LONGEST_TEXT: usize = 4096;
/// Maximum nesting depth of parentheses and signs, which bounds the recursion of the parser.
const DEEPEST_NESTING: usize = 64;
/// Largest decimal exponent: numbers with more digits before the decimal point, or more zeros after it, are out
/// of range. Integers may be as long as the text, because an exact fraction can be a quotient of integers that
/// exceed the range of doubles.
const LARGEST_EXPONENT: i64 = LONGEST_TEXT as i64;
/// Maximum number of square roots in one coefficient; n roots lead to numbers with 2ⁿ terms.
pub const MOST_ROOTS: usize = 8;
/// Maximum [`Exact::size`] of intermediate results. A text full of digits takes half of it, published
/// coefficients a few dozen words.
const LARGEST_SIZE: usize = 1024;

/// Reasons why a text is not a coefficient. Positions count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NumberError {
    /// The text ends where a number is expected.
    #[error("the text ends; expected {expected}")]
    UnexpectedEnd {
        /// The expected token.
        expected: &'static str,
    },
    /// A character that violates the grammar.
    #[error("found `{found}` at character {position}; expected {expected}")]
    Unexpected {
        /// The character.
        found: char,
        /// Its position.
        position: usize,
        /// The expected token.
        expected: &'static str,
    },
    /// A division by zero.
    #[error("division by zero at character {position}")]
    DivisionByZero {
        /// The position of the `/`.
        position: usize,
    },
    /// The square root of a negative number.
    #[error("square root of a negative number at character {position}")]
    NegativeRoot {
        /// The position of `sqrt`.
        position: usize,
    },
    /// A number outside the range of doubles.
    #[error("the value is out of the range of doubles")]
    OutOfRange,
    /// A text longer than any coefficient.
    #[error("the text has {length} characters; expected at most {LONGEST_TEXT}")]
    TooLong {
        /// The number of characters.
        length: usize,
    },
    /// Too many nested parentheses or signs.
    #[error("nesting deeper than {DEEPEST_NESTING} levels at character {position}")]
    TooDeep {
        /// The position at which the limit is exceeded.
        position: usize,
    },
    /// More different square roots than exact arithmetic can handle.
    #[error("found more than {MOST_ROOTS} different square roots")]
    TooManyRoots,
    /// More digits and products of square roots than exact arithmetic should handle.
    #[error("the exact value has too many digits or products of square roots")]
    TooLarge,
    /// A value that its kind of expression does not allow, such as a divisor that is not a number.
    #[error("the value at character {position} is not {expected}")]
    NotAllowed {
        /// The position of the operator or the function.
        position: usize,
        /// The allowed values.
        expected: &'static str,
    },
}

/// A kind of value that [`parse_expression`] computes.
pub trait ExpressionValue: Clone + From<Exact> {
    /// Names of values. Without names, powers are not allowed either.
    const NAMES: &'static [&'static str];
    /// Description of an operand, for errors.
    const OPERAND: &'static str;

    /// Returns the value of a name.
    fn named(name: &str) -> Self;

    /// Computes a sum.
    fn plus(self, other: Self) -> Self;

    /// Computes the opposite.
    fn negated(self) -> Self;

    /// Computes a product.
    fn times(self, other: Self) -> Self;

    /// Computes a quotient; `position` is that of the operator.
    ///
    /// # Errors
    /// [`NumberError`] if the quotient does not exist.
    fn over(self, divisor: Self, position: usize) -> Result<Self, NumberError>;

    /// Computes a square root; `position` is that of the function.
    ///
    /// # Errors
    /// [`NumberError`] if the root does not exist.
    fn root(self, position: usize) -> Result<Self, NumberError>;

    /// Rejects intermediate results with which a short text could cause unbounded work.
    ///
    /// # Errors
    /// [`NumberError`] with the limit.
    fn within_limits(self, position: usize) -> Result<Self, NumberError>;
}

impl ExpressionValue for Exact {
    const NAMES: &'static [&'static str] = &[];
    const OPERAND: &'static str = "a number, `(` or `sqrt`";

    fn named(_: &str) -> Self {
        Self::zero()
    }

    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn negated(self) -> Self {
        -self
    }

    fn times(self, other: Self) -> Self {
        self * other
    }

    fn over(self, divisor: Self, position: usize) -> Result<Self, NumberError> {
        (self / divisor).ok_or(NumberError::DivisionByZero { position })
    }

    fn root(self, position: usize) -> Result<Self, NumberError> {
        self.sqrt().ok_or(NumberError::NegativeRoot { position })
    }

    fn within_limits(self, _: usize) -> Result<Self, NumberError> {
        if self.radicands().len() > MOST_ROOTS {
            return Err(NumberError::TooManyRoots);
        }
        if self.size() > LARGEST_SIZE { Err(NumberError::TooLarge) } else { Ok(self) }
    }
}

/// Computes the exact value of a coefficient text.
///
/// # Errors
/// [`NumberError`] if the text is not an expression, divides by zero, takes the square root of a negative number
/// or has a value outside the range of doubles.
///
/// ```
/// use hemiola_number::{parse_number, Exact};
/// assert_eq!(parse_number("-7/10").unwrap(), Exact::from_ratio(-7, 10));
/// assert_eq!(parse_number("0.125").unwrap(), Exact::from_ratio(1, 8));
/// assert_eq!(parse_number("(3-sqrt(3))/6").unwrap().to_f64(), 0.2113248654051871);
/// assert!(parse_number("1/0").is_err());
/// ```
pub fn parse_number(text: &str) -> Result<Exact, NumberError> {
    let value: Exact = parse_expression(text)?;
    if value.to_f64().is_finite() { Ok(value) } else { Err(NumberError::OutOfRange) }
}

/// Computes the value of an expression.
///
/// # Errors
/// [`NumberError`] with the position and what is expected there.
///
/// ```
/// use hemiola_number::{Exact, NumberError, parse_expression};
/// assert_eq!(parse_expression::<Exact>("1/2 + 1/3"), Ok(Exact::from_ratio(5, 6)));
/// assert_eq!(parse_expression::<Exact>("1/0"), Err(NumberError::DivisionByZero { position: 2 }));
/// ```
pub fn parse_expression<V: ExpressionValue>(text: &str) -> Result<V, NumberError> {
    let length = text.chars().take(LONGEST_TEXT + 1).count();
    if length > LONGEST_TEXT {
        return Err(NumberError::TooLong { length: text.chars().count() });
    }
    let characters: Vec<char> = text.chars().map(plain).collect();
    let mut parser = Parser { characters, position: 0, nesting: 0 };
    let value = parser.sum()?;
    match parser.peek() {
        Some(found) => Err(parser.unexpected(found, "an operator or the end")),
        None => Ok(value),
    }
}

/// Replaces typographical operators by their ASCII forms.
fn plain(character: char) -> char {
    match character {
        '−' => '-',
        '×' | '·' => '*',
        '÷' => '/',
        other => other,
    }
}

struct Parser {
    characters: Vec<char>,
    position: usize,
    nesting: usize,
}

impl Parser {
    /// Returns the next character that is not blank, without consuming it.
    fn peek(&mut self) -> Option<char> {
        while self.characters.get(self.position).is_some_and(|c| c.is_whitespace()) {
            self.position += 1;
        }
        self.characters.get(self.position).copied()
    }

    fn take(&mut self, character: char) -> bool {
        let found = self.peek() == Some(character);
        self.position += usize::from(found);
        found
    }

    fn unexpected(&self, found: char, expected: &'static str) -> NumberError {
        NumberError::Unexpected { found, position: self.position + 1, expected }
    }

    fn expect(&mut self, character: char, expected: &'static str) -> Result<(), NumberError> {
        if self.take(character) {
            return Ok(());
        }
        Err(match self.peek() {
            Some(found) => self.unexpected(found, expected),
            None => NumberError::UnexpectedEnd { expected },
        })
    }

    fn sum<V: ExpressionValue>(&mut self) -> Result<V, NumberError> {
        let mut value: V = self.product()?;
        loop {
            let position = self.position + 1;
            value = if self.take('+') {
                value.plus(self.product()?)
            } else if self.take('-') {
                let term: V = self.product()?;
                value.plus(term.negated())
            } else {
                return Ok(value);
            }
            .within_limits(position)?;
        }
    }

    fn product<V: ExpressionValue>(&mut self) -> Result<V, NumberError> {
        let mut value: V = self.factor()?;
        loop {
            let position = self.position + 1;
            value = if self.take('*') {
                value.times(self.factor()?)
            } else if self.take('/') {
                value.over(self.factor()?, position)?
            } else {
                return Ok(value);
            }
            .within_limits(position)?;
        }
    }

    fn factor<V: ExpressionValue>(&mut self) -> Result<V, NumberError> {
        self.nesting += 1;
        if self.nesting > DEEPEST_NESTING {
            return Err(NumberError::TooDeep { position: self.position + 1 });
        }
        let value = self.unguarded_factor();
        self.nesting -= 1;
        value
    }

    fn unguarded_factor<V: ExpressionValue>(&mut self) -> Result<V, NumberError> {
        if self.take('+') {
            return self.factor();
        }
        if self.take('-') {
            let value: V = self.factor()?;
            return Ok(value.negated());
        }
        let base = self.atom()?;
        if V::NAMES.is_empty() || !self.take('^') { Ok(base) } else { self.power(&base) }
    }

    fn atom<V: ExpressionValue>(&mut self) -> Result<V, NumberError> {
        if self.take('(') {
            return self.closed_sum();
        }
        if let Some(name) = self.name(V::NAMES) {
            return Ok(V::named(name));
        }
        match self.peek() {
            Some(digit) if digit.is_ascii_digit() || digit == '.' => self.number().map(V::from),
            Some('s' | '√') => self.root(),
            Some(found) => Err(self.unexpected(found, V::OPERAND)),
            None => Err(NumberError::UnexpectedEnd { expected: V::OPERAND }),
        }
    }

    /// Reads one of the names, if one stands here.
    fn name(&mut self, names: &[&'static str]) -> Option<&'static str> {
        self.peek();
        let rest = &self.characters[self.position..];
        let found = *names.iter().find(|name| {
            let length = name.chars().count();
            rest.len() >= length && name.chars().eq(rest[..length].iter().copied())
        })?;
        self.position += found.chars().count();
        Some(found)
    }

    /// Computes the power with the digit that stands here as exponent.
    fn power<V: ExpressionValue>(&mut self, base: &V) -> Result<V, NumberError> {
        const EXPECTED: &str = "an exponent from 0 to 9";
        let position = self.position + 1;
        let next = self.peek().ok_or(NumberError::UnexpectedEnd { expected: EXPECTED })?;
        let exponent = next.to_digit(10).ok_or_else(|| self.unexpected(next, EXPECTED))?;
        self.position += 1;
        (0..exponent).try_fold(V::from(Exact::from(1)), |power, _| power.times(base.clone()).within_limits(position))
    }

    /// Reads a sum and its closing parenthesis.
    fn closed_sum<V: ExpressionValue>(&mut self) -> Result<V, NumberError> {
        let value = self.sum()?;
        self.expect(')', "an operator or `)`")?;
        Ok(value)
    }

    fn root<V: ExpressionValue>(&mut self) -> Result<V, NumberError> {
        let position = self.position + 1;
        if !self.take('√') {
            for letter in "sqrt".chars() {
                self.expect(letter, "`sqrt`")?;
            }
        }
        self.expect('(', "`(` after sqrt")?;
        let radicand: V = self.closed_sum()?;
        radicand.root(position)?.within_limits(position)
    }

    fn digits(&mut self, into: &mut String) {
        while let Some(digit) = self.characters.get(self.position).filter(|c| c.is_ascii_digit()) {
            into.push(*digit);
            self.position += 1;
        }
    }

    /// Reads a decimal as the exact fraction it denotes.
    fn number(&mut self) -> Result<Exact, NumberError> {
        let mut digits = String::new();
        self.digits(&mut digits);
        let mut exponent = 0;
        if self.characters.get(self.position) == Some(&'.') {
            self.position += 1;
            let whole = digits.len();
            self.digits(&mut digits);
            exponent -= (digits.len() - whole) as i64;
        }
        if digits.is_empty() {
            return Err(self.unexpected('.', "a number"));
        }
        exponent += self.exponent()?;
        let mantissa = IBig::from_str_radix(&digits, 10).map_err(|_| NumberError::OutOfRange)?;
        // Only the magnitude of the value is bounded; the text may have any number of leading zeros and of
        // trailing digits.
        let magnitude = exponent + digits.trim_start_matches('0').len() as i64;
        if mantissa.is_zero() {
            return Ok(Exact::zero());
        }
        if magnitude.abs() > LARGEST_EXPONENT {
            return Err(NumberError::OutOfRange);
        }
        let power = UBig::from(10u8).pow(exponent.unsigned_abs() as usize);
        Ok(if exponent < 0 { RBig::from_parts(mantissa, power) } else { RBig::from(mantissa * power) }.into())
    }

    /// Reads the decimal exponent that may follow a number; returns zero if there is none.
    fn exponent(&mut self) -> Result<i64, NumberError> {
        if !matches!(self.characters.get(self.position), Some('e' | 'E')) {
            return Ok(0);
        }
        self.position += 1;
        let negative = self.characters.get(self.position) == Some(&'-');
        if negative || self.characters.get(self.position) == Some(&'+') {
            self.position += 1;
        }
        let mut digits = String::new();
        self.digits(&mut digits);
        if digits.is_empty() {
            return Err(match self.peek() {
                Some(found) => self.unexpected(found, "the digits of an exponent"),
                None => NumberError::UnexpectedEnd { expected: "the digits of an exponent" },
            });
        }
        // An exponent with more than eight digits is out of range; the cap keeps the sum above from overflowing.
        let size = digits.parse::<i64>().unwrap_or(i64::MAX).min(100_000_000);
        Ok(if negative { -size } else { size })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value(text: &str) -> f64 {
        parse_number(text).unwrap().to_f64()
    }

    #[test]
    fn reads_what_tables_print() {
        assert_eq!(value("1/3"), 1.0 / 3.0);
        assert_eq!(value(".5"), 0.5);
        assert_eq!(value("5."), 5.0);
        assert_eq!(value("-1.25e-2"), -0.0125);
        assert_eq!(value("2 * (1 + 3) / 4 - 1"), 1.0);
        assert_eq!(value("−√(2)÷2"), -std::f64::consts::FRAC_1_SQRT_2);
        assert_eq!(value("--1"), 1.0);
        assert_eq!(value("1e-350"), 0.0);
        // Numerators and denominators of exact fractions may exceed the range of doubles.
        assert_eq!(value(&format!("1{0}/4{0}", "0".repeat(1500))), 0.25);
    }

    #[test]
    fn names_the_place_of_a_mistake() {
        let found = parse_number("NaN").unwrap_err();
        assert_eq!(found, NumberError::Unexpected { found: 'N', position: 1, expected: "a number, `(` or `sqrt`" });
        assert_eq!(parse_number("1/0").unwrap_err(), NumberError::DivisionByZero { position: 2 });
        assert_eq!(parse_number("1-sqrt(-2)").unwrap_err(), NumberError::NegativeRoot { position: 3 });
        assert_eq!(parse_number("1e999").unwrap_err(), NumberError::OutOfRange);
        assert_eq!(parse_number("1e99999999999999999999").unwrap_err(), NumberError::OutOfRange);
        assert!(matches!(parse_number(""), Err(NumberError::UnexpectedEnd { .. })));
        assert!(matches!(parse_number("1 2"), Err(NumberError::Unexpected { position: 3, .. })));
        assert!(matches!(parse_number("1e"), Err(NumberError::UnexpectedEnd { .. })));
        assert!(matches!(parse_number("."), Err(NumberError::Unexpected { .. } | NumberError::UnexpectedEnd { .. })));
    }

    #[test]
    fn bombs_are_refused() {
        assert!(matches!(parse_number(&"(".repeat(3000)), Err(NumberError::TooDeep { .. })));
        assert!(matches!(parse_number(&"-".repeat(3000)), Err(NumberError::TooDeep { .. })));
        assert!(matches!(parse_number(&"1".repeat(5000)), Err(NumberError::TooLong { length: 5000 })));
        let primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31];
        let product: Vec<String> = primes.iter().map(|p| format!("(1+sqrt({p}))")).collect();
        assert_eq!(parse_number(&product.join("*")).unwrap_err(), NumberError::TooManyRoots);
    }

    proptest! {
        #[test]
        fn never_panics(text in "[0-9+*/().sqrte −-]{0,40}") {
            let _ = parse_number(&text);
        }

        #[test]
        fn decimals_are_exact(whole in 0i64..1_000_000, part in 0u64..1_000_000_000) {
            let exact = parse_number(&format!("{whole}.{part:09}")).unwrap();
            let expected = Exact::from(RBig::from(whole)) + Exact::from_ratio(part as i64, 1_000_000_000);
            prop_assert_eq!(exact, expected);
        }
    }
}
