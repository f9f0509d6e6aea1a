//! Syntax of bounds and standard deviations.

use crate::arguments::number;
use crate::arguments::usage::OptionError;
use crate::failure::Failure;

/// Value for a name, or for all names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedValue<T> {
    pub(crate) name: Option<String>,
    pub(crate) value: T,
}

/// Reads `NAME=A..B`, where either side may be missing.
pub(crate) fn bounds(text: &str) -> Result<NamedValue<(f64, f64)>, String> {
    let expected = || "expected NAME=A..B, such as mass=100..2000 or mass=0..".to_owned();
    let (name, range) = text.split_once('=').ok_or_else(expected)?;
    let (lower, upper) = range.split_once("..").ok_or_else(expected)?;
    let side = |text: &str, none: f64| {
        if text.trim().is_empty() { Ok(none) } else { number::real(text.trim()).map_err(|_| expected()) }
    };
    let value = (side(lower, f64::NEG_INFINITY)?, side(upper, f64::INFINITY)?);
    if value.0 < value.1 { Ok(NamedValue { name: Some(name.trim().to_owned()), value }) } else { Err(expected()) }
}

/// Reads `S` or `NAME=S`.
pub(crate) fn deviation(text: &str) -> Result<NamedValue<f64>, String> {
    let (name, value) = text.rsplit_once('=').map_or((None, text), |(name, value)| (Some(name), value));
    let value = number::positive(value.trim()).map_err(|problem| problem.to_string())?;
    Ok(NamedValue { name: name.map(|name| name.trim().to_owned()), value })
}

/// Rejects unknown names.
pub(crate) fn expect_names<T>(option: &'static str, named: &[NamedValue<T>], known: &[&str]) -> Result<(), Failure> {
    let names = named.iter().filter_map(|one| one.name.as_deref());
    match names.into_iter().find(|name| !known.contains(name)) {
        Some(found) => {
            Err(OptionError::NoSuchName { option, found: found.to_owned(), expected: known.join(", ") }.into())
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_have_two_sides_of_which_one_may_be_missing() {
        assert_eq!(bounds("mass=1..2.5").map(|one| one.value), Ok((1.0, 2.5)));
        assert_eq!(bounds("mass=..2").map(|one| one.value), Ok((f64::NEG_INFINITY, 2.0)));
        assert!(["mass", "mass=1", "mass=2..1", "mass=a..b"].iter().all(|text| bounds(text).is_err()));
        assert_eq!(deviation("0.5").map(|one| one.name), Ok(None));
        assert!(deviation("x=0").is_err() && deviation("x=nan").is_err());
    }
}
