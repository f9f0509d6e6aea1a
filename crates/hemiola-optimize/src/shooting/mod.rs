//! Optimal control problems as nonlinear programs: single and multiple shooting on a grid of controls.

mod convex;
mod expansion;
mod layout;
mod refinement;
mod segment;
mod solution;
mod transcription;

pub use layout::{Grid, Shooting};
pub use refinement::solve_refined;
pub use solution::Optimum;
pub use transcription::Transcription;
