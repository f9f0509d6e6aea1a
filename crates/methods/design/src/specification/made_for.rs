//! Systems for which a pair is made.

use serde::{Deserialize, Serialize};

use crate::error::{DesignError, require};

/// Systems on which a pair is measured: the coefficients left free by the conditions minimize their errors.
///
/// Systems and variables are texts such as `planar-vehicle:speed=20`, which only the measuring code interprets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetSystems {
    /// The systems whose errors are minimized.
    pub training: Vec<String>,
    /// Systems for comparison of the finished pair; the search does not use them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub held_out: Vec<String>,
    /// The variables whose errors count, by name or by number from 1; all slow variables if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<String>,
    /// The duration of a run; `None` for the default of each system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
    /// The target error at the end, relative to the largest modulus of each variable.
    pub error: f64,
    /// The smallest allowed imaginary stability limit of the fast polynomial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fast_limit: Option<f64>,
    /// Whether the fast partition retains the polynomial of the multistart search.
    #[serde(default, skip_serializing_if = "is_false")]
    pub keep_polynomial: bool,
    /// The number of minima of the objective to try.
    #[serde(default = "default_candidates")]
    pub candidates: usize,
    /// The largest number of iterations of the measured descent from the best of these minima.
    #[serde(default = "default_rounds")]
    pub rounds: usize,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn default_candidates() -> usize {
    TargetSystems::default().candidates
}

fn default_rounds() -> usize {
    TargetSystems::default().rounds
}

impl Default for TargetSystems {
    /// Returns an error of 1e-4 and no systems.
    fn default() -> Self {
        Self {
            training: Vec::new(),
            held_out: Vec::new(),
            variables: Vec::new(),
            end: None,
            error: 1e-4,
            fast_limit: None,
            keep_polynomial: false,
            candidates: 4,
            rounds: 100,
        }
    }
}

impl TargetSystems {
    pub(crate) fn validate(&self) -> Result<(), DesignError> {
        let count = self.training.len();
        require(count > 0, "the number of systems", &count, "at least 1")?;
        let is_error = self.error > 0.0 && self.error < 1.0;
        require(is_error, "the target error", &self.error, "a number between 0 and 1")?;
        if let Some(end) = &self.end {
            require(*end > 0.0 && end.is_finite(), "the duration of a run", end, "a positive number")?;
        }
        if let Some(limit) = &self.fast_limit {
            require(
                *limit > 0.0 && *limit < 100.0,
                "the limit of the fast polynomial",
                limit,
                "a number between 0 and 100",
            )?;
        }
        require((1..=64).contains(&self.candidates), "the number of candidates", &self.candidates, "1 to 64")?;
        require((1..=10_000).contains(&self.rounds), "the number of rounds", &self.rounds, "1 to 10000")
    }
}
