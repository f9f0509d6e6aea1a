//! Parsing of `key=value,key=value` in any order.

use hemiola_stability::Growth;
use num_complex::Complex64;

use crate::expression::{Expression, ExpressionError};
use crate::slice::error::SliceError;
use crate::slice::{Phases, Sign};

/// Keys of a slice with the texts of their values.
pub(crate) struct Keys<'a> {
    pairs: Vec<(&'static str, &'a str)>,
    form: &'static str,
}

impl<'a> Keys<'a> {
    /// Parses the text of a slice with the given syntax and the known keys.
    pub(crate) fn read(text: &'a str, form: &'static str, known: &[&'static str]) -> Result<Self, SliceError> {
        let mut keys = Self { pairs: Vec::new(), form };
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let not_a_pair = || SliceError::NotAPair { found: part.to_owned(), expected: form };
            let (key, value) = part.split_once('=').ok_or_else(not_a_pair)?;
            let key = key.trim();
            let Some(name) = known.iter().find(|name| **name == key) else {
                return Err(SliceError::UnknownKey { key: key.to_owned(), expected: form });
            };
            if keys.optional(name).is_some() {
                return Err(SliceError::Repeated { key: key.to_owned() });
            }
            keys.pairs.push((name, value.trim()));
        }
        Ok(keys)
    }

    pub(crate) fn optional(&self, key: &'static str) -> Option<&'a str> {
        self.pairs.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }

    pub(crate) fn required(&self, key: &'static str) -> Result<&'a str, SliceError> {
        self.optional(key).ok_or(SliceError::Missing { key, expected: self.form })
    }

    pub(crate) fn expression(&self, key: &'static str, variables: &[char]) -> Result<Expression, SliceError> {
        let found = self.required(key)?;
        Expression::parse(found, variables).map_err(|fault| expression_fault(key, found, fault))
    }

    pub(crate) fn complex(&self, key: &'static str) -> Result<Complex64, SliceError> {
        constant(key, self.required(key)?)
    }

    pub(crate) fn real(&self, key: &'static str) -> Result<f64, SliceError> {
        real(key, self.required(key)?)
    }

    /// Parses a real number with a property.
    pub(crate) fn real_where(
        &self,
        key: &'static str,
        holds: impl Fn(f64) -> bool,
        expected: &'static str,
    ) -> Result<f64, SliceError> {
        let value = self.real(key)?;
        if holds(value) { Ok(value) } else { Err(unfit(key, self.required(key)?, expected)) }
    }

    /// Parses a real number, or an interval with `..` between its ends, the smaller first.
    pub(crate) fn interval(&self, key: &'static str) -> Result<(f64, f64), SliceError> {
        let text = self.required(key)?;
        let (low, high) = text.split_once("..").unwrap_or((text, text));
        let (low, high) = (real(key, low)?, real(key, high)?);
        if low <= high { Ok((low, high)) } else { Err(unfit(key, text, "an interval a..b with a ≤ b")) }
    }

    /// Parses a radius, which defaults to infinity.
    pub(crate) fn radius(&self) -> Result<f64, SliceError> {
        match self.optional("radius") {
            None | Some("inf" | "∞") => Ok(f64::INFINITY),
            Some(_) => self.real_where("radius", |radius| radius >= 0.0, "a number ≥ 0 or `inf`"),
        }
    }

    pub(crate) fn sign(&self) -> Result<Sign, SliceError> {
        match self.optional("sign") {
            None | Some("+") => Ok(Sign::Plus),
            Some("-" | "−") => Ok(Sign::Minus),
            Some(found) => Err(unfit("sign", found, "`+` or `-`")),
        }
    }

    pub(crate) fn growth(&self) -> Result<Growth, SliceError> {
        match self.optional("growth") {
            None | Some("practical") => Ok(Growth::Practical),
            Some("strict") => Ok(Growth::Strict),
            Some(found) => Err(unfit("growth", found, "`practical` or `strict`")),
        }
    }

    pub(crate) fn phases(&self) -> Result<Phases, SliceError> {
        match self.optional("phase") {
            None | Some("all") => Ok(Phases::All),
            Some("real") => Ok(Phases::Real),
            Some(found) => Err(unfit("phase", found, "`all` or `real`")),
        }
    }
}

fn real(key: &'static str, text: &str) -> Result<f64, SliceError> {
    let value = constant(key, text)?;
    if value.im == 0.0 { Ok(value.re) } else { Err(unfit(key, text, "a real number")) }
}

/// Parses a number, which may be an expression such as 1/3 or sqrt(2).
fn constant(key: &'static str, text: &str) -> Result<Complex64, SliceError> {
    let value = Expression::parse(text, &[]).map_err(|fault| expression_fault(key, text, fault))?.at(&[]);
    let is_finite = value.is_finite();
    if is_finite { Ok(value) } else { Err(expression_fault(key, text, ExpressionError::NotFinite)) }
}

pub(crate) fn expression_fault(key: &'static str, found: &str, fault: ExpressionError) -> SliceError {
    SliceError::Expression { key, found: found.to_owned(), fault }
}

fn unfit(key: &'static str, found: &str, expected: &'static str) -> SliceError {
    SliceError::Value { key, found: found.to_owned(), expected }
}
