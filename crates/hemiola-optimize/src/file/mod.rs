//! Optimal control problems as JSON files, `hemiola-control/1`: a model of the library with controls on it. `problems/schema.json` is the schema.

mod controlled;
mod polynomial;
mod read;
mod sides;
mod text;

pub use read::{ControlFileError, ProblemFile};
