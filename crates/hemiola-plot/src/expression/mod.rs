//! Complex expressions in one or two variables, as slices have them: `-0.1+0.5i`, `0.2z`, `x sqrt(1-y^2)`.

mod parser;

use std::fmt;

use num_complex::Complex64;
use thiserror::Error;

/// The longest text of an expression.
pub(crate) const LONGEST_TEXT: usize = 500;
/// The deepest nesting of parentheses, signs and functions: bounds the recursion of the parser.
pub(crate) const DEEPEST_NESTING: usize = 50;
/// The largest power that may be written.
pub(crate) const LARGEST_POWER: i32 = 99;

/// Why a text is not an expression, or not the one that was asked for. Places count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExpressionError {
    /// The text stops where something should follow.
    #[error("the text ends where {expected} should follow")]
    UnexpectedEnd {
        /// What could follow.
        expected: &'static str,
    },
    /// A character that does not fit.
    #[error("`{found}` at character {column} is not {expected}")]
    Unexpected {
        /// The character.
        found: char,
        /// Where it stands.
        column: usize,
        /// What could stand there.
        expected: &'static str,
    },
    /// A word that is neither a variable nor a function.
    #[error("`{name}` at character {column} is not known; expected {expected}")]
    UnknownName {
        /// The word.
        name: String,
        /// Where it begins.
        column: usize,
        /// The names that there are.
        expected: String,
    },
    /// A product without a sign after a quotient.
    #[error("the factor at character {column} may belong above or below the bar; expected `a/b*c` or `a/(b*c)`")]
    Ambiguous {
        /// Where the factor begins.
        column: usize,
    },
    /// A number that no double can hold.
    #[error("the number at character {column} is outside the range of doubles")]
    OutOfRange {
        /// Where the number begins.
        column: usize,
    },
    /// A power that is not a small whole number.
    #[error("the power at character {column} is not a whole number from −{LARGEST_POWER} to {LARGEST_POWER}")]
    Power {
        /// Where the exponent begins.
        column: usize,
    },
    /// Too many nested parentheses, signs or functions.
    #[error("nested deeper than {DEEPEST_NESTING} levels at character {column}")]
    TooDeep {
        /// Where the limit is passed.
        column: usize,
    },
    /// A text that is too long.
    #[error("the text has {length} characters, more than {LONGEST_TEXT}")]
    TooLong {
        /// The number of characters.
        length: usize,
    },
    /// A term that is not a polynomial of the degree that was asked for.
    #[error("`{term}` at character {column} is not {expected}")]
    NotPolynomial {
        /// The term.
        term: String,
        /// Where it begins.
        column: usize,
        /// What it should be.
        expected: &'static str,
    },
    /// A division by zero, or numbers that overflow.
    #[error("the value is not finite")]
    NotFinite,
}

/// An expression with numbers, `i`, variables, `+ - * / ^`, parentheses and the functions `sqrt`, `exp`, `abs`, `re`, `im`,
/// `conj`, `cos` and `sin`.
///
/// Products need no sign, `0.2z` or `5(z-1)`, except after a quotient; powers are whole numbers. Two expressions are equal
/// where their texts are.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    text: String,
    root: Node,
}

/// A part of an expression, and which characters of the text it takes.
#[derive(Clone, Debug)]
struct Node {
    kind: Kind,
    from: usize,
    to: usize,
}

#[derive(Clone, Debug)]
enum Kind {
    Number(Complex64),
    Variable(usize),
    Negative(Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
    Power(Box<Node>, i32),
    Call(Function, Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}

#[derive(Clone, Copy, Debug)]
enum Function {
    Sqrt,
    Exp,
    Abs,
    Re,
    Im,
    Conj,
    Cos,
    Sin,
}

impl Expression {
    /// Reads an expression in variables of one letter each.
    ///
    /// # Errors
    /// [`ExpressionError`] with the place and what could stand there.
    pub(crate) fn parse(text: &str, variables: &[char]) -> Result<Self, ExpressionError> {
        parser::parse(text, variables)
    }

    /// The value where the variables have these values, in the order in which they were named.
    #[must_use]
    pub(crate) fn at(&self, variables: &[Complex64]) -> Complex64 {
        self.root.at(variables)
    }

    /// The coefficients of a polynomial in the only variable, from the constant upwards: `degree` + 1 of them.
    ///
    /// # Errors
    /// [`ExpressionError::NotPolynomial`] with the term that is not, [`ExpressionError::NotFinite`] where a coefficient is
    /// not finite.
    pub(crate) fn polynomial(&self, degree: usize) -> Result<Vec<Complex64>, ExpressionError> {
        let mut coefficients = self.root.polynomial(degree).map_err(|fault| self.not_polynomial(fault, degree))?;
        coefficients.resize(degree + 1, Complex64::ZERO);
        let is_finite = coefficients.iter().all(|value| value.is_finite());
        if is_finite { Ok(coefficients) } else { Err(ExpressionError::NotFinite) }
    }

    fn not_polynomial(&self, node: &Node, degree: usize) -> ExpressionError {
        let term: String = self.text.chars().skip(node.from).take(node.to - node.from).collect();
        ExpressionError::NotPolynomial {
            term: term.trim_end().to_owned(),
            column: node.from + 1,
            expected: match degree {
                0 => "constant",
                1 => "affine in z (a + bz)",
                _ => "quadratic in z (a + bz + cz²)",
            },
        }
    }
}

impl Node {
    fn at(&self, variables: &[Complex64]) -> Complex64 {
        match &self.kind {
            Kind::Number(value) => *value,
            Kind::Variable(index) => variables.get(*index).copied().unwrap_or(Complex64::new(f64::NAN, f64::NAN)),
            Kind::Negative(inner) => -inner.at(variables),
            Kind::Binary(operator, left, right) => operator.apply(left.at(variables), right.at(variables)),
            Kind::Power(base, exponent) => power(base.at(variables), *exponent),
            Kind::Call(function, argument) => function.apply(argument.at(variables)),
        }
    }

    /// The coefficients without leading zeros; the error is the term of too high a degree, or none at all.
    fn polynomial(&self, degree: usize) -> Result<Vec<Complex64>, &Self> {
        let coefficients = match &self.kind {
            Kind::Number(value) => vec![*value],
            Kind::Variable(_) => vec![Complex64::ZERO, Complex64::ONE],
            Kind::Negative(inner) => inner.polynomial(degree)?.into_iter().map(|value| -value).collect(),
            Kind::Binary(operator, left, right) => {
                let (left, right) = (left.polynomial(degree)?, right.polynomial(degree)?);
                match operator {
                    Operator::Plus | Operator::Minus => (0..left.len().max(right.len()))
                        .map(|k| operator.apply(coefficient(&left, k), coefficient(&right, k)))
                        .collect(),
                    Operator::Times => product(&left, &right),
                    Operator::Over if right.len() > 1 => return Err(self),
                    Operator::Over => left.iter().map(|value| operator.apply(*value, right[0])).collect(),
                }
            }
            Kind::Power(base, exponent) => match base.polynomial(degree)?[..] {
                [constant] => vec![power(constant, *exponent)],
                _ if *exponent < 0 || *exponent as usize > degree => return Err(self),
                ref base => (0..*exponent).fold(vec![Complex64::ONE], |power, _| product(&power, base)),
            },
            Kind::Call(function, argument) => match argument.polynomial(degree)?[..] {
                [constant] => vec![function.apply(constant)],
                _ => return Err(self),
            },
        };
        let coefficients = trimmed(coefficients);
        if coefficients.len() > degree + 1 { Err(self) } else { Ok(coefficients) }
    }
}

fn coefficient(p: &[Complex64], k: usize) -> Complex64 {
    p.get(k).copied().unwrap_or(Complex64::ZERO)
}

fn product(p: &[Complex64], q: &[Complex64]) -> Vec<Complex64> {
    let mut product = vec![Complex64::ZERO; p.len() + q.len() - 1];
    for (i, &p) in p.iter().enumerate() {
        for (j, &q) in q.iter().enumerate() {
            product[i + j] += p * q;
        }
    }
    product
}

fn trimmed(mut p: Vec<Complex64>) -> Vec<Complex64> {
    while p.len() > 1 && p.last() == Some(&Complex64::ZERO) {
        p.pop();
    }
    p
}

impl Operator {
    fn apply(self, left: Complex64, right: Complex64) -> Complex64 {
        match self {
            Self::Plus => left + right,
            Self::Minus => left - right,
            Self::Times => left * right,
            // A real divisor is not squared: no more rounding, and no overflow.
            Self::Over if right.im == 0.0 => left / right.re,
            Self::Over => left / right,
        }
    }
}

fn power(base: Complex64, exponent: i32) -> Complex64 {
    if base.im == 0.0 { base.re.powi(exponent).into() } else { base.powi(exponent) }
}

impl Function {
    fn apply(self, value: Complex64) -> Complex64 {
        match self {
            // Adding zero to a negative one keeps roots of negative numbers on the positive imaginary axis.
            Self::Sqrt => Complex64::new(value.re, value.im + 0.0).sqrt(),
            Self::Exp => value.exp(),
            Self::Abs => value.norm().into(),
            Self::Re => value.re.into(),
            Self::Im => value.im.into(),
            Self::Conj => value.conj(),
            Self::Cos => value.cos(),
            Self::Sin => value.sin(),
        }
    }
}

impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests;
