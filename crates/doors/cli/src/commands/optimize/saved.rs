//! Warm starts from results printed as JSON.

use std::path::Path;

use hemiola::optimize::Guess;
use hemiola::tableau::json::{self, Object};
use serde::Deserialize;

use crate::failure::Failure;

/// Entries read from a result; all others are ignored.
#[derive(Deserialize)]
pub(crate) struct Saved {
    states: Vec<Vec<f64>>,
    controls: Vec<Vec<f64>>,
    duration: f64,
    #[serde(default)]
    parameters: Vec<f64>,
    #[serde(default)]
    pub(crate) multipliers: Vec<f64>,
}

impl Saved {
    pub(crate) fn read(file: &Path) -> Result<Self, Failure> {
        let text = json::read_bounded(file)?;
        let Object(saved) = json::read::<Object<Self>>(&text, &file.display().to_string())?;
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
