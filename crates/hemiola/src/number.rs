//! Numbers on the command line.
//!
//! A leading minus belongs to a number: `--z -0.1+2i -i` and `--xrange -1e-3 1` are numbers, not options. Since the parser
//! of options cannot know that, such arguments get a true minus sign (U+2212) first, which the readers here accept.

use std::ffi::OsString;

use num_complex::Complex64;
use thiserror::Error;

const MINUS: &str = "\u{2212}";

/// Why a text is not a number.
#[derive(Clone, Debug, PartialEq, Error)]
pub(crate) enum NumberError {
    #[error("`{0}` is not a complex number such as 0.5, 2i, 1-2i or -0.5+1e-3i")]
    NotComplex(String),
    #[error("`{0}` is not a number")]
    NotReal(String),
    #[error("`{0}` is not finite")]
    NotFinite(String),
    #[error("{0} is out of range; expected {1}")]
    OutOfRange(f64, &'static str),
}

/// The arguments with a true minus sign before every number that begins with a minus.
pub(crate) fn protect(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    arguments.into_iter().map(|argument| protected(&argument).unwrap_or(argument)).collect()
}

fn protected(argument: &OsString) -> Option<OsString> {
    let magnitude = argument.to_str()?.strip_prefix('-')?;
    let is_number = !magnitude.starts_with('-') && magnitude.parse::<Complex64>().is_ok();
    is_number.then(|| format!("{MINUS}{magnitude}").into())
}

/// Reads a complex number: 0.5, 2i, -i, 1-2i, 1e-3+2e-4i.
pub(crate) fn complex(text: &str) -> Result<Complex64, NumberError> {
    let number: Complex64 = text.replace(MINUS, "-").parse().map_err(|_| NumberError::NotComplex(text.to_owned()))?;
    if number.is_finite() { Ok(number) } else { Err(NumberError::NotFinite(text.to_owned())) }
}

/// Reads a finite number.
pub(crate) fn real(text: &str) -> Result<f64, NumberError> {
    let number: f64 = text.replace(MINUS, "-").parse().map_err(|_| NumberError::NotReal(text.to_owned()))?;
    if number.is_finite() { Ok(number) } else { Err(NumberError::NotFinite(text.to_owned())) }
}

/// Reads a finite number that is not negative.
pub(crate) fn not_negative(text: &str) -> Result<f64, NumberError> {
    in_range(text, 0.0..=f64::MAX, "a number ≥ 0")
}

/// Reads a damping ratio.
pub(crate) fn damping(text: &str) -> Result<f64, NumberError> {
    in_range(text, 0.0..=1.0 - f64::EPSILON, "0 ≤ ζ < 1")
}

fn in_range(text: &str, range: std::ops::RangeInclusive<f64>, expected: &'static str) -> Result<f64, NumberError> {
    let number = real(text)?;
    if range.contains(&number) { Ok(number) } else { Err(NumberError::OutOfRange(number, expected)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complex_numbers_as_people_write_them() {
        for (text, re, im) in [
            ("1-2i", 1.0, -2.0),
            ("-0.5+3i", -0.5, 3.0),
            ("2i", 0.0, 2.0),
            ("i", 0.0, 1.0),
            ("-i", 0.0, -1.0),
            ("\u{2212}i", 0.0, -1.0),
            ("1e-3+2e-4i", 1e-3, 2e-4),
            ("0.5", 0.5, 0.0),
            ("-.5", -0.5, 0.0),
            ("1+i", 1.0, 1.0),
        ] {
            assert_eq!(complex(text), Ok(Complex64::new(re, im)), "{text}");
        }
        assert_eq!(complex("1+2k"), Err(NumberError::NotComplex("1+2k".to_owned())));
        assert_eq!(complex(""), Err(NumberError::NotComplex(String::new())));
        assert_eq!(complex("inf"), Err(NumberError::NotFinite("inf".to_owned())));
    }

    #[test]
    fn only_numbers_are_protected() {
        let texts = ["-i", "-1e-3", "--z", "-h", "-", "--", "0.5", "-0.1+2i", "-.5"];
        let protected = protect(texts.map(OsString::from));
        assert_eq!(protected, ["−i", "−1e-3", "--z", "-h", "-", "--", "0.5", "−0.1+2i", "−.5"].map(OsString::from));
    }

    #[test]
    fn ranges_are_kept() {
        assert_eq!(not_negative("1e-6"), Ok(1e-6));
        assert!(not_negative("-1").is_err() && not_negative("inf").is_err() && not_negative("nan").is_err());
        assert!(damping("1").is_err());
    }
}
