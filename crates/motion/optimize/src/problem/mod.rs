//! Optimal control problems and first guesses of their solutions.

mod control_problem;
mod guess;

pub(crate) use control_problem::expect;
pub use control_problem::{ControlProblem, ProblemError};
pub use guess::Guess;
pub(crate) use guess::finite;
