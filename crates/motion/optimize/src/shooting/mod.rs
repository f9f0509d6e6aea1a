//! Transcription of optimal control problems to nonlinear programs: single and multiple shooting on a control grid.

mod convex;
mod expansion;
mod layout;
mod order;
mod refinement;
mod ringing;
mod segment;
mod solution;
mod transcription;

pub use layout::{ControlGrid, ShootingNodes};
pub use refinement::solve_refined;
pub use ringing::Ringing;
pub use solution::ControlOptimum;
pub use transcription::Transcription;
