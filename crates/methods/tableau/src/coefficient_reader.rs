//! Reading of coefficients from JSON values.

use std::cell::Cell;

use serde_json::value::RawValue;

use crate::coefficient::Coefficient;
use crate::error::MethodError;
use crate::json::describe_error;
use crate::validate::{Validator, excerpt};

/// Reads the coefficients of one file and bounds their total size.
#[derive(Debug)]
pub struct CoefficientReader<'a> {
    origin: &'a str,
    /// Total size of the coefficients read so far.
    size: Cell<usize>,
}

impl<'a> CoefficientReader<'a> {
    /// Creates a reader; `origin` names the file in errors.
    #[must_use]
    pub fn new(origin: &'a str) -> Self {
        Self { origin, size: Cell::new(0) }
    }

    /// Reads an array of coefficients; `path` is its place in the document.
    ///
    /// # Errors
    /// [`MethodError`] with the place of the entry that is not a number.
    pub fn coefficients(&self, path: &str, raw: &[&RawValue]) -> Result<Vec<Coefficient>, MethodError> {
        raw.iter().enumerate().map(|(j, value)| self.coefficient(&format!("{path}[{j}]"), value)).collect()
    }

    /// Reads a coefficient. A JSON number stands for the decimal as written, not for the nearest double.
    ///
    /// # Errors
    /// [`MethodError`] with the place, unless the value is a number or the text of one.
    pub fn coefficient(&self, path: &str, raw: &RawValue) -> Result<Coefficient, MethodError> {
        let json = raw.get();
        let text = match json.as_bytes().first() {
            Some(b'"') => serde_json::from_str::<String>(json).map_err(|error| MethodError::Json {
                file: self.origin.to_owned(),
                path: path.to_owned(),
                problem: describe_error(&error, json.as_bytes()),
            })?,
            Some(b'-' | b'0'..=b'9') => json.to_owned(),
            _ => {
                let expected = "a number or a text such as \"1/3\"";
                return Err(Validator::new(self.origin).invalid(path, excerpt(json), expected));
            }
        };
        let coefficient = Coefficient::parse(&text).map_err(|problem| MethodError::Number {
            file: self.origin.to_owned(),
            path: path.to_owned(),
            found: excerpt(&text),
            problem,
        })?;
        self.size.set(self.size.get() + coefficient.value().size());
        Validator::new(self.origin).size(path, &text, self.size.get())?;
        Ok(coefficient)
    }
}
