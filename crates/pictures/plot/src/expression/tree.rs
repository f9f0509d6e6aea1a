//! The syntax tree of an expression, its value, and its coefficients if it is a polynomial.

use num_complex::Complex64;

/// A subexpression and its range of characters in the text.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Number(Complex64),
    Variable(usize),
    Negative(Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
    Power(Box<Node>, i32),
    Call(Function, Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Function {
    Sqrt,
    Exp,
    Abs,
    Re,
    Im,
    Conj,
    Cos,
    Sin,
}

impl Node {
    pub(crate) fn at(&self, variables: &[Complex64]) -> Complex64 {
        match &self.kind {
            Kind::Number(value) => *value,
            Kind::Variable(index) => variables.get(*index).copied().unwrap_or(Complex64::new(f64::NAN, f64::NAN)),
            Kind::Negative(inner) => -inner.at(variables),
            Kind::Binary(operator, left, right) => operator.apply(left.at(variables), right.at(variables)),
            Kind::Power(base, exponent) => power(base.at(variables), *exponent),
            Kind::Call(function, argument) => function.apply(argument.at(variables)),
        }
    }

    /// Returns the coefficients without leading zeros, or else the subexpression that is not a polynomial or exceeds
    /// `degree`.
    pub(crate) fn polynomial(&self, degree: usize) -> Result<Vec<Complex64>, &Self> {
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
            // Dividing by a real number directly avoids squaring it, which adds rounding errors and may overflow.
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
            // Adding zero turns an imaginary part of −0 into +0, so that roots of negative numbers lie on the positive
            // imaginary axis.
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
