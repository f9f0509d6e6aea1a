//! Values of options that describe a design.

use std::str::FromStr;

use dashu::rational::RBig;
use hemiola::design::{Bound, DescentSolver, Entry, Stability};
use hemiola::tableau::parse_number;

use crate::arguments::choice::{Choice, Choices};
use crate::arguments::number::{self, NumberError};

impl Choices for DescentSolver {
    const ALL: &'static [Choice<Self>] = &[
        (Self::Newton, "newton", "Newton's method for the Lagrangian"),
        (Self::LBfgs, "l-bfgs", "L-BFGS of argmin"),
        (Self::TrustRegion, "trust-region", "Trust region of argmin"),
        (Self::GaussNewton, "gauss-newton", "Gauss–Newton of argmin, for objectives of errors alone"),
    ];
}

/// Polynomial: `free`, `auto`, or coefficients.
#[derive(Clone)]
pub(super) struct Polynomial(pub(super) Stability);

impl FromStr for Polynomial {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        match text {
            "free" => return Ok(Self(Stability::Free)),
            "auto" => return Ok(Self(Stability::Auto)),
            _ => {}
        }
        text.split(',').map(rational).collect::<Result<_, _>>().map(|betas| Self(Stability::Given(betas)))
    }
}

/// Bound NAME=VALUE or NAME=LO..HI.
#[derive(Clone)]
pub(super) struct NamedBound(pub(super) Entry, pub(super) Bound);

impl FromStr for NamedBound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, bound) = text.split_once('=').ok_or("expected NAME=VALUE or NAME=LO..HI")?;
        let entry = name.parse().map_err(|error: hemiola::design::DesignError| error.to_string())?;
        let said = |error: NumberError| error.to_string();
        let bound = match bound.split_once("..") {
            Some((low, high)) => Bound::Between(number::real(low).map_err(said)?, number::real(high).map_err(said)?),
            None => Bound::Fixed(rational(bound).map_err(said)?),
        };
        Ok(Self(entry, bound))
    }
}

/// Target value γ=VALUE of the coupled profile.
#[derive(Clone)]
pub(super) struct WantedProfilePoint {
    pub(super) gamma: f64,
    pub(super) profile: f64,
}

impl FromStr for WantedProfilePoint {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        let (gamma, profile) = text.split_once('=').ok_or_else(|| NumberError::NotPair(text.to_owned()))?;
        Ok(Self { gamma: number::real(gamma)?, profile: number::real(profile)? })
    }
}

/// Checks the form of FILE@I,…; builds without models refuse it later.
pub(super) fn linear_system(text: &str) -> Result<String, &'static str> {
    #[cfg(feature = "motion")]
    crate::arguments::model::expect_linear_system(text)?;
    Ok(text.to_owned())
}

fn rational(text: &str) -> Result<RBig, NumberError> {
    let value = parse_number(text.trim()).ok().and_then(|value| value.as_rational().cloned());
    value.ok_or_else(|| NumberError::NotRational(text.to_owned()))
}
