//! Pairs designed for models, in builds with and without models.

#[cfg(feature = "motion")]
mod runs;
#[cfg(not(feature = "motion"))]
mod without_models;

#[cfg(feature = "motion")]
pub(crate) use runs::{RunComparison, TrainingRuns};
#[cfg(not(feature = "motion"))]
pub(crate) use without_models::{RunComparison, TrainingRuns};
