//! One coefficient of a method: the text as published, and its exact value.

use num_traits::Zero;

use crate::expression::{NumberError, parse_number};
use crate::{Exact, Precision};

/// A coefficient as it is written, with the exact number that it stands for.
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
    /// [`NumberError`] where the text is none of these.
    pub fn parse(text: &str) -> Result<Self, NumberError> {
        Ok(Self { value: parse_number(text)?, text: text.to_owned() })
    }

    /// The text as published.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The exact value of the text.
    #[must_use]
    pub fn value(&self) -> &Exact {
        &self.value
    }

    /// How far the intended coefficient may lie from the written one.
    ///
    /// With a stated precision: half a unit of the last stated decimal where the text is a decimal, zero where it is
    /// an integer, a fraction or a root of them. With none stated: what rounding to a double changes at the most.
    /// A zero is structure, however many digits it is printed with.
    #[must_use]
    pub fn uncertainty(&self, precision: Option<Precision>) -> f64 {
        match precision {
            _ if self.value.is_zero() => 0.0,
            Some(precision) if self.text.contains('.') => precision.half_unit(),
            Some(_) => 0.0,
            None => {
                let nearest = self.value.to_f64();
                let exactly_a_double = self.value.as_rational().is_some()
                    && Exact::from_f64(nearest).is_some_and(|double| double == self.value);
                if exactly_a_double { 0.0 } else { 0.5 * f64::EPSILON * nearest.abs() }
            }
        }
    }
}
