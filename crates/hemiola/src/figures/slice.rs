//! Slices of the stability region, and how they are written.

use std::fmt;
use std::num::ParseFloatError;
use std::str::FromStr;

use thiserror::Error;

/// A two-dimensional slice of a method's stability region.
///
/// ```
/// use hemiola::figures::Slice;
/// let slice: Slice = "coupled:kappa=5,g=0.04".parse()?;
/// assert_eq!(slice, Slice::Coupled { kappa: 5.0, coupling: 0.04 });
/// # Ok::<(), hemiola::figures::SliceError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Slice {
    /// Every partition by itself, |R_r(z)| = 1 in the plane of z: `partitions`.
    #[default]
    Partitions,
    /// A coupled pair, ρ(S) = 1 in the plane of ξ = z_ss: `coupled:kappa=…,g=…`.
    Coupled {
        /// κ = z_ff / z_ss.
        kappa: f64,
        /// The coupling number g = z_sf z_fs / (z_ss z_ff).
        coupling: f64,
    },
}

/// What is wrong with the text of a slice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SliceError {
    /// Neither of the slices.
    #[error("`{found}` is not a slice; expected `partitions` or `coupled:kappa=…,g=…`")]
    Unknown {
        /// The name found.
        found: String,
    },
    /// A part that is not `key=value`.
    #[error("`{found}` is not of the form key=value; expected `kappa=…` or `g=…`")]
    NotAPair {
        /// The part.
        found: String,
    },
    /// A key that the slice does not have.
    #[error("unknown key `{key}`; expected `kappa` or `g`")]
    UnknownKey {
        /// The key.
        key: String,
    },
    /// A key that is given twice.
    #[error("`{key}` is given twice")]
    Repeated {
        /// The key.
        key: &'static str,
    },
    /// A value that is not a number.
    #[error("the value of `{key}`, `{found}`, is not a finite number")]
    NotANumber {
        /// The key.
        key: &'static str,
        /// The text of the value.
        found: String,
    },
    /// A key without which there is no slice.
    #[error("`{key}` is missing; expected `coupled:kappa=…,g=…`")]
    Missing {
        /// The key.
        key: &'static str,
    },
}

impl FromStr for Slice {
    type Err = SliceError;

    fn from_str(text: &str) -> Result<Self, SliceError> {
        match text.split_once(':').unwrap_or((text, "")) {
            ("partitions", "") => Ok(Self::Partitions),
            ("coupled", parameters) => coupled(parameters),
            _ => Err(SliceError::Unknown { found: text.to_owned() }),
        }
    }
}

fn coupled(parameters: &str) -> Result<Slice, SliceError> {
    let (mut kappa, mut g) = (None, None);
    for part in parameters.split(',').filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').ok_or_else(|| SliceError::NotAPair { found: part.to_owned() })?;
        let (key, place) = match key.trim() {
            "kappa" => ("kappa", &mut kappa),
            "g" => ("g", &mut g),
            other => return Err(SliceError::UnknownKey { key: other.to_owned() }),
        };
        if place.replace(finite(key, value.trim())?).is_some() {
            return Err(SliceError::Repeated { key });
        }
    }
    let kappa = kappa.ok_or(SliceError::Missing { key: "kappa" })?;
    let coupling = g.ok_or(SliceError::Missing { key: "g" })?;
    Ok(Slice::Coupled { kappa, coupling })
}

fn finite(key: &'static str, text: &str) -> Result<f64, SliceError> {
    let number: Result<f64, ParseFloatError> = text.parse();
    number
        .ok()
        .filter(|number| number.is_finite())
        .ok_or_else(|| SliceError::NotANumber { key, found: text.to_owned() })
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Partitions => f.write_str("partitions"),
            Self::Coupled { kappa, coupling } => write!(f, "coupled:kappa={kappa},g={coupling}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_slices_come_back() {
        for text in ["partitions", "coupled:kappa=5,g=0.04", "coupled:kappa=2.5,g=-0.1"] {
            assert_eq!(text.parse::<Slice>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn each_fault_is_named() {
        let fault = |text: &str| text.parse::<Slice>().unwrap_err();
        assert_eq!(fault("all"), SliceError::Unknown { found: "all".to_owned() });
        assert_eq!(fault("partitions:kappa=1"), SliceError::Unknown { found: "partitions:kappa=1".to_owned() });
        assert_eq!(fault("coupled:kappa"), SliceError::NotAPair { found: "kappa".to_owned() });
        assert_eq!(fault("coupled:kappa=5,h=1"), SliceError::UnknownKey { key: "h".to_owned() });
        assert_eq!(fault("coupled:g=1,g=2"), SliceError::Repeated { key: "g" });
        assert_eq!(fault("coupled:kappa=x,g=1"), SliceError::NotANumber { key: "kappa", found: "x".to_owned() });
        assert_eq!(fault("coupled:kappa=inf,g=1"), SliceError::NotANumber { key: "kappa", found: "inf".to_owned() });
        assert_eq!(fault("coupled:g=1"), SliceError::Missing { key: "kappa" });
        assert_eq!(fault("coupled"), SliceError::Missing { key: "kappa" });
        assert_eq!(fault("coupled:kappa=5"), SliceError::Missing { key: "g" });
    }
}
