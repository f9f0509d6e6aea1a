//! Numbers on the command line.
//!
//! A leading minus belongs to a number: `--z -0.1+2i -i` and `--xrange -1e-3 1` contain numbers, not options. The option parser cannot
//! know this. Therefore [`protect`] first replaces the minus of such arguments by U+2212, which the readers here accept.

use std::ffi::OsString;
use std::str::FromStr;

use dashu::rational::RBig;
use hemiola::tableau::parse_number;
use num_complex::Complex64;
use thiserror::Error;

const MINUS: &str = "\u{2212}";
/// Largest number of entries in a list.
const LARGEST_COUNT: usize = 1_000_000;

/// Reason why a text is not a number.
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
    #[error("`{0}` is not a positive integer, nor a list or range of positive integers; expected 5, 5,10,20 or 5..20")]
    NotCounts(String),
    #[error("`{0}` is not a rational number such as 1/3 or 0.25")]
    NotRational(String),
    #[error("`{0}` is not a coupling strength with a value; expected γ=VALUE")]
    NotPair(String),
}

/// Replaces the minus of every argument that is a negative number by U+2212.
pub(crate) fn protect(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    arguments.into_iter().map(|argument| protected(&argument).unwrap_or(argument)).collect()
}

fn protected(argument: &OsString) -> Option<OsString> {
    let magnitude = argument.to_str()?.strip_prefix('-')?;
    let is_number = !magnitude.starts_with('-') && magnitude.split(',').all(|part| part.parse::<Complex64>().is_ok());
    is_number.then(|| format!("{MINUS}{magnitude}").into())
}

/// Reads a complex number: 0.5, 2i, -i, 1-2i, 1e-3+2e-4i.
pub(crate) fn complex(text: &str) -> Result<Complex64, NumberError> {
    let number: Complex64 = text.replace(MINUS, "-").parse().map_err(|_| NumberError::NotComplex(text.to_owned()))?;
    if number.is_finite() { Ok(number) } else { Err(NumberError::NotFinite(text.to_owned())) }
}

/// Reads an exact fraction or a decimal.
pub(crate) fn rational(text: &str) -> Result<RBig, NumberError> {
    let value = parse_number(text.trim()).ok().and_then(|value| value.as_rational().cloned());
    value.ok_or_else(|| NumberError::NotRational(text.to_owned()))
}

/// Reads a finite number.
pub(crate) fn real(text: &str) -> Result<f64, NumberError> {
    let number: f64 = text.replace(MINUS, "-").parse().map_err(|_| NumberError::NotReal(text.to_owned()))?;
    if number.is_finite() { Ok(number) } else { Err(NumberError::NotFinite(text.to_owned())) }
}

/// Reads a finite nonnegative number.
pub(crate) fn not_negative(text: &str) -> Result<f64, NumberError> {
    in_range(text, 0.0..=f64::MAX, "a number ≥ 0")
}

/// Reads a resolution in dots per inch, within bounds for which the image fits in memory.
pub(crate) fn resolution(text: &str) -> Result<f64, NumberError> {
    in_range(text, 1.0..=4800.0, "1 to 4800 dots per inch")
}

/// Reads a finite positive number.
pub(crate) fn positive(text: &str) -> Result<f64, NumberError> {
    in_range(text, f64::MIN_POSITIVE..=f64::MAX, "a number > 0")
}

/// Reads a damping ratio.
pub(crate) fn damping(text: &str) -> Result<f64, NumberError> {
    in_range(text, 0.0..=1.0 - f64::EPSILON, "0 ≤ ζ < 1")
}

/// Reads a coupling strength; at γ = 1 symmetric couplings make the problem singular.
pub(crate) fn strength(text: &str) -> Result<f64, NumberError> {
    in_range(text, 0.0..=1.0 - f64::EPSILON, "0 ≤ γ < 1")
}

/// Reads the damping ratio of a ray; 1 is the negative real axis.
pub(crate) fn damping_of_ray(text: &str) -> Result<f64, NumberError> {
    in_range(text, 0.0..=1.0, "0 ≤ ζ ≤ 1")
}

/// Positive integers in increasing order, without duplicates: 5, 5,10,20 or 5..20 including both ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counts(pub(crate) Vec<usize>);

impl FromStr for Counts {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        let fault = || NumberError::NotCounts(text.to_owned());
        let mut counts = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once("..").unwrap_or((part, part));
            let count = |text: &str| text.trim().parse().ok().filter(|count| (1..=LARGEST_COUNT).contains(count));
            let (first, last): (usize, usize) = (count(first).ok_or_else(fault)?, count(last).ok_or_else(fault)?);
            if first > last {
                return Err(fault());
            }
            if last - first >= LARGEST_COUNT - counts.len() {
                return Err(fault());
            }
            counts.extend(first..=last);
        }
        counts.sort_unstable();
        counts.dedup();
        Ok(Self(counts))
    }
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
        let texts = ["-i", "-1e-3", "--z", "-h", "-", "--", "0.5", "-0.1+2i", "-.5", "-5,.1,-2"];
        let protected = protect(texts.map(OsString::from));
        assert_eq!(
            protected,
            ["−i", "−1e-3", "--z", "-h", "-", "--", "0.5", "−0.1+2i", "−.5", "−5,.1,-2"].map(OsString::from)
        );
    }

    #[test]
    fn counts_are_lists_and_ranges() {
        let counts = |text: &str| text.parse::<Counts>().map(|Counts(counts)| counts);
        assert_eq!(counts("5"), Ok(vec![5]));
        assert_eq!(counts("20,5,10,5"), Ok(vec![5, 10, 20]));
        assert_eq!(counts("2..4, 9"), Ok(vec![2, 3, 4, 9]));
        for fault in ["", "0", "5..", "7..3", "-1", "a", "1.5", "1..999999999999", "1..1000000,1..1000000"] {
            assert_eq!(counts(fault), Err(NumberError::NotCounts(fault.to_owned())));
        }
    }

    #[test]
    fn ranges_are_kept() {
        assert_eq!(not_negative("1e-6"), Ok(1e-6));
        assert!(not_negative("-1").is_err() && not_negative("inf").is_err() && not_negative("nan").is_err());
        assert!(damping("1").is_err());
    }
}
