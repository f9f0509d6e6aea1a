//! Sequential quadratic programming: programs with sparse constraints, their convex models, and the iterations.

pub(crate) mod blocks;
mod iterate;
mod merit;
mod program;
mod quadratic;
mod quasi_newton;
mod restoration;
mod snapshot;
mod solution;
mod solver;
mod status;

pub use blocks::{Block, Convex, Correction, Held, Row};
pub use program::{Expansion, Linearization, Program, Ranges, Values};
pub use quasi_newton::Part;
pub use solution::{Hessian, Iteration, Options, Solution, Start, Watch};
pub use solver::Solver;
pub use status::Status;
