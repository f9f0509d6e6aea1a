//! Optimal control problems, and first guesses of their solutions.

mod control_problem;
mod guess;

pub use control_problem::{ControlProblem, ProblemError};
pub(crate) use control_problem::expect;
pub use guess::Guess;
