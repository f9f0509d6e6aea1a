//! Warm starts from results printed as JSON.

use std::path::Path;

use hemiola::optimize::Guess;
use hemiola::tableau::json::{self, StrictObject};
use serde::Deserialize;

use crate::failure::Failure;

/// Entries read from a result; all others are ignored.
#[derive(Deserialize)]
pub(crate) struct SavedResult {
    states: Vec<Vec<f64>>,
    controls: Vec<Vec<f64>>,
    duration: f64,
    #[serde(default)]
    parameters: Vec<f64>,
    #[serde(default)]
    pub(crate) multipliers: Vec<f64>,
}

impl SavedResult {
    pub(crate) fn read(file: &Path) -> Result<Self, Failure> {
        let text = json::read_bounded(file)?;
        let StrictObject(saved) = json::read::<StrictObject<Self>>(&text, &file.display().to_string())?;
        Ok(saved)
    }

    pub(crate) fn guess(&self) -> Guess {
        let Self { states, controls, duration, parameters, .. } = self;
        Guess {
            states: states.clone(),
            controls: controls.clone(),
            duration: *duration,
            parameters: parameters.clone(),
        }
    }
}
