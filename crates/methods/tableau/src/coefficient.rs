//! A coefficient of a method: its published text and its exact value.

use crate::Exact;
use hemiola_number::{NumberError, parse_number};

/// A coefficient as published, with its exact value.
///
/// ```
/// use hemiola_tableau::Coefficient;
/// let c = Coefficient::parse("0.52737769").unwrap();
/// assert_eq!(c.text(), "0.52737769");
/// assert_eq!(c.value().to_f64(), 0.52737769);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coefficient {
    text: String,
    value: Exact,
}

impl Coefficient {
    /// Reads a fraction, decimal or expression.
    ///
    /// # Errors
    /// [`NumberError`] if the text is none of these.
    pub fn parse(text: &str) -> Result<Self, NumberError> {
        Ok(Self { value: parse_number(text)?, text: text.to_owned() })
    }

    /// Returns the text as published.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the exact value of the text.
    #[must_use]
    pub fn value(&self) -> &Exact {
        &self.value
    }
}
