//! Optimal control problems as nonlinear programs: single and multiple shooting on a grid of controls.

mod convex;
mod expansion;
mod layout;
mod segment;
mod transcription;

pub use layout::{Grid, Shooting};
pub use transcription::{Optimum, Transcription};
