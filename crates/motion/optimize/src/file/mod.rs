//! Optimal control problems as JSON files (format `hemiola-control/1`): a library model with controls. The schema is
//! `problems/schema.json`.

mod controlled;
mod polynomial;
mod read;
mod sides;
mod text;

pub use read::{ControlFileError, ProblemFile};
