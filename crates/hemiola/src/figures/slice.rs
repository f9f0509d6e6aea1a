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
    /// A coupled pair in the parameters of Gil, Sanfelice & Nikravesh (2013), (51): `gil:alpha=…,beta=…`. That is κ = α and
    /// g = β².
    Gil {
        /// α = λ_f / λ_s.
        alpha: f64,
        /// β = δ / λ_f = μ / λ_s for the coupling δ of the fast part to the slow one and μ of the slow part to the fast one.
        beta: f64,
    },
}

impl Slice {
    /// The frequency ratio κ and the coupling number g of a coupled slice.
    ///
    /// ```
    /// use hemiola::figures::Slice;
    /// assert_eq!(Slice::Gil { alpha: 5.0, beta: 0.5 }.ray(), Some((5.0, 0.25)));
    /// assert_eq!(Slice::Partitions.ray(), None);
    /// ```
    #[must_use]
    pub fn ray(self) -> Option<(f64, f64)> {
        match self {
            Self::Partitions => None,
            Self::Coupled { kappa, coupling } => Some((kappa, coupling)),
            Self::Gil { alpha, beta } => Some((alpha, beta * beta)),
        }
    }
}

/// How coupled slices are written.
const COUPLED: &str = "coupled:kappa=…,g=…";
const GIL: &str = "gil:alpha=…,beta=…";

/// What is wrong with the text of a slice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SliceError {
    /// None of the slices.
    #[error("`{found}` is not a slice; expected `partitions`, `{COUPLED}` or `{GIL}`")]
    Unknown {
        /// The name found.
        found: String,
    },
    /// A part that is not `key=value`.
    #[error("`{found}` is not of the form key=value; expected `{expected}`")]
    NotAPair {
        /// The part.
        found: String,
        /// How the slice is written.
        expected: &'static str,
    },
    /// A key that the slice does not have.
    #[error("unknown key `{key}`; expected `{expected}`")]
    UnknownKey {
        /// The key.
        key: String,
        /// How the slice is written.
        expected: &'static str,
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
    #[error("`{key}` is missing; expected `{expected}`")]
    Missing {
        /// The key.
        key: &'static str,
        /// How the slice is written.
        expected: &'static str,
    },
}

impl FromStr for Slice {
    type Err = SliceError;

    fn from_str(text: &str) -> Result<Self, SliceError> {
        match text.split_once(':').unwrap_or((text, "")) {
            ("partitions", "") => Ok(Self::Partitions),
            ("coupled", text) => {
                let [kappa, coupling] = parameters(text, ["kappa", "g"], COUPLED)?;
                Ok(Self::Coupled { kappa, coupling })
            }
            ("gil", text) => {
                let [alpha, beta] = parameters(text, ["alpha", "beta"], GIL)?;
                Ok(Self::Gil { alpha, beta })
            }
            _ => Err(SliceError::Unknown { found: text.to_owned() }),
        }
    }
}

/// The values of two keys in `key=value,key=value`, in any order.
fn parameters(text: &str, keys: [&'static str; 2], expected: &'static str) -> Result<[f64; 2], SliceError> {
    let mut values = [None; 2];
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let fault = || SliceError::NotAPair { found: part.to_owned(), expected };
        let (key, value) = part.split_once('=').ok_or_else(fault)?;
        let place = keys.iter().position(|known| *known == key.trim());
        let place = place.ok_or_else(|| SliceError::UnknownKey { key: key.trim().to_owned(), expected })?;
        if values[place].replace(finite(keys[place], value.trim())?).is_some() {
            return Err(SliceError::Repeated { key: keys[place] });
        }
    }
    let value = |place: usize| values[place].ok_or(SliceError::Missing { key: keys[place], expected });
    Ok([value(0)?, value(1)?])
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
            Self::Gil { alpha, beta } => write!(f, "gil:alpha={alpha},beta={beta}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_slices_come_back() {
        for text in ["partitions", "coupled:kappa=5,g=0.04", "coupled:kappa=2.5,g=-0.1", "gil:alpha=5,beta=0.2"] {
            assert_eq!(text.parse::<Slice>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn each_fault_is_named() {
        let fault = |text: &str| text.parse::<Slice>().unwrap_err();
        assert_eq!(fault("all"), SliceError::Unknown { found: "all".to_owned() });
        assert_eq!(fault("partitions:kappa=1"), SliceError::Unknown { found: "partitions:kappa=1".to_owned() });
        assert_eq!(fault("coupled:kappa"), SliceError::NotAPair { found: "kappa".to_owned(), expected: COUPLED });
        assert_eq!(fault("coupled:kappa=5,h=1"), SliceError::UnknownKey { key: "h".to_owned(), expected: COUPLED });
        assert_eq!(fault("coupled:g=1,g=2"), SliceError::Repeated { key: "g" });
        assert_eq!(fault("coupled:kappa=x,g=1"), SliceError::NotANumber { key: "kappa", found: "x".to_owned() });
        assert_eq!(fault("coupled:kappa=inf,g=1"), SliceError::NotANumber { key: "kappa", found: "inf".to_owned() });
        assert_eq!(fault("coupled:g=1"), SliceError::Missing { key: "kappa", expected: COUPLED });
        assert_eq!(fault("coupled"), SliceError::Missing { key: "kappa", expected: COUPLED });
        assert_eq!(fault("gil:alpha=1"), SliceError::Missing { key: "beta", expected: GIL });
        assert_eq!(fault("gil:kappa=1"), SliceError::UnknownKey { key: "kappa".to_owned(), expected: GIL });
        assert_eq!(fault("coupled:kappa=5"), SliceError::Missing { key: "g", expected: COUPLED });
    }
}
