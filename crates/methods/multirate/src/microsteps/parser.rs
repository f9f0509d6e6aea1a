//! Reads expressions in λ and M: `(λ - 1/2)/M`, `sqrt(2)*λ^2/M^2`.
//!
//! ```text
//! sum     = product { ("+" | "-") product }
//! product = factor { ("*" | "/") factor }
//! factor  = ("+" | "-") factor | atom [ "^" digits ]
//! atom    = "(" sum ")" | "λ" | "lambda" | "M" | number | "sqrt(" number ")"
//! ```
//!
//! Numbers are read as all coefficients are. A divisor is a number or a power of M, so that entries are polynomials.

use std::ops::RangeInclusive;

use hemiola_number::{NumberError, parse_number};
use thiserror::Error;

use super::polynomial::RatioPolynomial;

/// Longest text of an entry, deepest nesting, and the range of exponents.
const LONGEST: usize = 1024;
const DEEPEST: usize = 32;
const EXPONENTS: RangeInclusive<i32> = -8..=8;

/// Reasons why a text is no expression in λ and M. Positions count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExpressionError {
    /// The text is too long or too deeply nested, or a power or coefficient is too large.
    #[error("expected at most {LONGEST} characters, {DEEPEST} levels of parentheses and exponents up to 8")]
    TooLarge,
    /// Something else stands where an expression is expected.
    #[error("found {found} at character {position}; expected {expected}")]
    Unexpected {
        /// The character, or the end.
        found: String,
        /// Its position.
        position: usize,
        /// The expected text.
        expected: &'static str,
    },
    /// A divisor is not a number or a power of M.
    #[error("division at character {position}: expected a nonzero number or a power of M as divisor")]
    Divisor {
        /// The position of the `/`.
        position: usize,
    },
    /// A number in the expression.
    #[error("in the number at character {position}: {problem}")]
    Number {
        /// The position of the number.
        position: usize,
        /// The problem.
        #[source]
        problem: NumberError,
    },
}

impl RatioPolynomial {
    /// Reads an expression.
    ///
    /// # Errors
    /// [`ExpressionError`] with the position and the expected text.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let characters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).take(LONGEST + 1).collect();
        if characters.len() > LONGEST {
            return Err(ExpressionError::TooLarge);
        }
        let mut parser = Parser { characters, position: 0, depth: 0 };
        let value = parser.sum()?;
        if parser.position < parser.characters.len() {
            return Err(parser.unexpected("an operator or the end"));
        }
        Ok(value)
    }
}

struct Parser {
    characters: Vec<char>,
    position: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.position).copied()
    }

    fn take(&mut self, options: &[char]) -> Option<char> {
        let found = self.peek().filter(|c| options.contains(c))?;
        self.position += 1;
        Some(found)
    }

    fn unexpected(&self, expected: &'static str) -> ExpressionError {
        let found = self.peek().map_or_else(|| "the end".to_owned(), |c| format!("{c:?}"));
        ExpressionError::Unexpected { found, position: self.position + 1, expected }
    }

    fn sum(&mut self) -> Result<RatioPolynomial, ExpressionError> {
        let mut sum = self.product()?;
        while let Some(sign) = self.take(&['+', '-', '−']) {
            let next = self.product()?;
            sum = checked(sum.plus(&if sign == '+' { next } else { negative(&next) }))?;
        }
        Ok(sum)
    }

    fn product(&mut self) -> Result<RatioPolynomial, ExpressionError> {
        let mut product = self.factor()?;
        loop {
            let position = self.position + 1;
            product = match self.take(&['*', '·', '/']) {
                None => return Ok(product),
                Some('/') => {
                    let divisor = inverse(&self.factor()?).ok_or(ExpressionError::Divisor { position })?;
                    checked(product.times(&divisor))?
                }
                Some(_) => checked(product.times(&self.factor()?))?,
            };
        }
    }

    fn factor(&mut self) -> Result<RatioPolynomial, ExpressionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ExpressionError::TooLarge);
        }
        let value = match self.take(&['+', '-', '−']) {
            Some('+') => self.factor()?,
            Some(_) => negative(&self.factor()?),
            None => self.power()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn power(&mut self) -> Result<RatioPolynomial, ExpressionError> {
        let base = self.atom()?;
        if self.take(&['^']).is_none() {
            return Ok(base);
        }
        let exponent =
            self.peek().and_then(|c| c.to_digit(10)).ok_or_else(|| self.unexpected("an exponent from 0 to 9"))?;
        self.position += 1;
        let one = RatioPolynomial::term(1.into(), 0, 0);
        (0..exponent).try_fold(one, |power, _| checked(power.times(&base)))
    }

    fn atom(&mut self) -> Result<RatioPolynomial, ExpressionError> {
        if self.take(&['(']).is_some() {
            let value = self.sum()?;
            return self.take(&[')']).map(|_| value).ok_or_else(|| self.unexpected("an operator or `)`"));
        }
        if self.take(&['λ']).is_some() || self.take_word("lambda") {
            return Ok(RatioPolynomial::term(1.into(), 1, 0));
        }
        if self.take(&['M']).is_some() {
            return Ok(RatioPolynomial::term(1.into(), 0, 1));
        }
        self.number()
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.characters[self.position..].iter().copied().take(word.len()).eq(word.chars());
        self.position += if found { word.len() } else { 0 };
        found
    }

    fn number(&mut self) -> Result<RatioPolynomial, ExpressionError> {
        let start = self.position;
        if self.take_word("sqrt(") {
            let mut open = 1;
            while open > 0 {
                match self.peek() {
                    None => return Err(self.unexpected("`)`")),
                    Some('(') => open += 1,
                    Some(')') => open -= 1,
                    Some(_) => {}
                }
                self.position += 1;
            }
        } else {
            while self.peek().is_some_and(|c| c.is_ascii_digit() || c == '.') {
                self.position += 1;
            }
        }
        if start == self.position {
            return Err(self.unexpected("a number, `λ`, `M`, `sqrt` or `(`"));
        }
        let text: String = self.characters[start..self.position].iter().collect();
        let value = parse_number(&text).map_err(|problem| ExpressionError::Number { position: start + 1, problem })?;
        Ok(RatioPolynomial::term(value, 0, 0))
    }
}

fn negative(value: &RatioPolynomial) -> RatioPolynomial {
    value.times(&RatioPolynomial::term((-1).into(), 0, 0))
}

/// Returns 1/value for a number times a power of M.
fn inverse(value: &RatioPolynomial) -> Option<RatioPolynomial> {
    let (coefficient, exponent) = value.as_power_of_ratio()?;
    Some(RatioPolynomial::term(coefficient.reciprocal()?, 0, -exponent))
}

fn checked(value: RatioPolynomial) -> Result<RatioPolynomial, ExpressionError> {
    if value.fits(&EXPONENTS) { Ok(value) } else { Err(ExpressionError::TooLarge) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, lambda: u64, ratio: u64) -> String {
        RatioPolynomial::parse(text).unwrap().at(lambda, ratio).to_string()
    }

    #[test]
    fn expressions_have_their_values() {
        assert_eq!(at("(λ-1)/M", 3, 4), "1/2");
        assert_eq!(at("lambda^2/(2*M^2) − 1/(2M^2)".replace("2M", "2*M").as_str(), 3, 4), "1/4");
        assert_eq!(at("-(λ - M)*(λ + M)", 2, 3), "5");
        assert_eq!(at("M/2", 1, 3), "3/2");
        assert_eq!(at("sqrt(4)*0.5", 1, 1), "1");
        assert!(RatioPolynomial::parse("λ - λ").unwrap().is_zero());
    }

    #[test]
    fn other_texts_are_refused_with_their_position() {
        let error = |text: &str| RatioPolynomial::parse(text).unwrap_err().to_string();
        assert_eq!(error("1/λ"), "division at character 2: expected a nonzero number or a power of M as divisor");
        assert_eq!(error("1/(M+1)"), "division at character 2: expected a nonzero number or a power of M as divisor");
        assert_eq!(error("λ+"), "found the end at character 3; expected a number, `λ`, `M`, `sqrt` or `(`");
        assert_eq!(error("(λ"), "found the end at character 3; expected an operator or `)`");
        assert_eq!(error("λ x"), "found 'x' at character 2; expected an operator or the end");
        for text in ["λ^9", &"(".repeat(99), &"1".repeat(2000)] {
            assert_eq!(RatioPolynomial::parse(text), Err(ExpressionError::TooLarge));
        }
        assert!(error("sqrt(0-1)").contains("square root of a negative number"));
    }
}
