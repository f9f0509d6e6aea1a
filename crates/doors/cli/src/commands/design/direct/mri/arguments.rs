//! Options of multirate designs.

use std::str::FromStr;

use clap::Args;
use hemiola::design::{MriSpecification, SlowPart, SlowStability, WantedSector};

use crate::arguments::choice::{Choice, Choices, choice};
use crate::arguments::number::{self, NumberError};
use crate::arguments::usage::OptionError;
use crate::commands::design::direct::implicit::ImplicitArgs;
use crate::failure::Failure;

/// Number of fast evaluations, or `exact` for a fast part that is solved by any method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FastEvaluations {
    Count(usize),
    Exact,
}

impl FromStr for FastEvaluations {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "exact" {
            return Ok(Self::Exact);
        }
        let count = text.parse().map_err(|_| "expected a number of evaluations, or `exact`".to_owned())?;
        Ok(Self::Count(count))
    }
}

/// Options of a multirate design.
#[derive(Args)]
#[command(next_help_heading = "Multirate methods of any ratio (--fast exact)")]
pub(crate) struct MriArgs {
    /// Degree of the forcing polynomials in τ [default: 1]
    #[arg(long, value_name = "D", requires = "fast")]
    degree: Option<usize>,

    /// Start every stage from the beginning of the step, as MERK methods do
    ///
    /// By default, each stage continues the one before.
    #[arg(long, requires = "fast")]
    restarts: bool,

    /// Wanted limit X of the slow step for fast eigenvalues within A degrees of the negative axis (repeatable)
    ///
    /// |R(z_F, z_S)| ≤ 1 for all z_S from −X to 0 and all z_F in the sector, of any size. Of two slow partitions, this is so for
    /// each without the other; A=X,Y wants X of the explicit and Y of the implicit one.
    #[arg(long = "sector", value_name = "A=X", requires = "fast")]
    sectors: Vec<SectorWish>,

    /// Stability of an implicit slow partition alone, without the fast part [default: L-stable]
    #[arg(long, value_name = "STABILITY", requires = "fast", value_parser = choice::<SlowStability>())]
    slow_stability: Option<SlowStability>,
}

impl Choices for SlowStability {
    const ALL: &'static [Choice<Self>] = &[
        (Self::LStable, "L-stable", "|R| ≤ 1 in the left half-plane and R(∞) = 0"),
        (Self::AStable, "A-stable", "|R| ≤ 1 in the left half-plane"),
        (Self::Any, "any", "No requirement: a small step in the slow part may be needed"),
    ];
}

/// Wanted limit A=X, or A=X,Y for an explicit and an implicit partition.
#[derive(Clone, Copy)]
struct SectorWish(WantedSector);

impl FromStr for SectorWish {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        let (angle, limits) = text.split_once('=').ok_or_else(|| NumberError::NotPair(text.to_owned()))?;
        let (limit, implicit) =
            limits.split_once(',').map_or((limits, None), |(limit, implicit)| (limit, Some(implicit)));
        let implicit_limit = implicit.map(number::real).transpose()?;
        Ok(Self(WantedSector { angle: number::real(angle)?, limit: number::real(limit)?, implicit_limit }))
    }
}

/// Options that a multirate design shares with others.
pub(crate) struct SharedOptions {
    pub(crate) slow: Option<usize>,
    pub(crate) fast: Option<FastEvaluations>,
    pub(crate) order: Option<usize>,
    pub(crate) embedded: Option<usize>,
    pub(crate) seed: Option<u64>,
    pub(crate) starts: Option<usize>,
    pub(crate) effort: Option<usize>,
    pub(crate) largest: Option<f64>,
    /// A given option that applies only to pairs.
    pub(crate) of_pairs: Option<&'static str>,
}

impl MriArgs {
    /// Returns the requested design, if any.
    pub(crate) fn specification(
        &self,
        shared: &SharedOptions,
        implicit: &ImplicitArgs,
    ) -> Result<Option<MriSpecification>, Failure> {
        if shared.fast != Some(FastEvaluations::Exact) {
            let given = [
                ("--degree", self.degree.is_some()),
                ("--restarts", self.restarts),
                ("--sector", !self.sectors.is_empty()),
                ("--slow-stability", self.slow_stability.is_some()),
            ];
            let given = given.into_iter().find(|(_, is_given)| *is_given);
            return given.map_or(Ok(None), |(option, _)| {
                Err(OptionError::Contradiction { option, with: "--fast exact" }.into())
            });
        }
        if let Some(option) = shared.of_pairs {
            return Err(OptionError::Contradiction { option, with: "a number of fast evaluations" }.into());
        }
        let slow = shared.slow.unwrap_or_default();
        // The highest order that searches attain; methods whose stages continue the previous one need more stages than those with restarts.
        let order = shared.order.unwrap_or(match slow {
            0..=3 => slow.max(1),
            4 if !self.restarts => 3,
            6.. if self.restarts && self.degree.is_some_and(|degree| degree > 1) => 5,
            _ => 4,
        });
        let default = MriSpecification::new(slow, order);
        let is_below = |embedded: usize| embedded > 0 && embedded + 1 == order;
        if shared.embedded.is_some_and(|embedded| embedded > 0 && !is_below(embedded)) {
            let with = "one order below that of the method, or 0 for none";
            return Err(OptionError::Contradiction { option: "--embedded", with }.into());
        }
        let part = implicit.slow_part()?;
        if part == SlowPart::Explicit && self.slow_stability.is_some() {
            return Err(OptionError::Contradiction { option: "--slow-stability", with: "--implicit" }.into());
        }
        let specification = MriSpecification {
            part,
            stability: self.slow_stability.unwrap_or(default.stability),
            degree: self.degree.unwrap_or(default.degree),
            restarts: self.restarts,
            sectors: self.sectors.iter().map(|SectorWish(sector)| *sector).collect(),
            largest: shared.largest.unwrap_or(default.largest),
            embedded: shared.embedded.map_or(default.embedded, is_below),
            seed: shared.seed.unwrap_or(default.seed),
            starts: shared.starts.unwrap_or_else(|| default.starts.saturating_mul(shared.effort.unwrap_or(1))),
            ..default
        };
        specification.validate()?;
        Ok(Some(specification))
    }
}
