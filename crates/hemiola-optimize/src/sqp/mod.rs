//! Sequential quadratic programming: programs with sparse constraints, convex models of them, and the iterations.

pub(crate) mod blocks;
mod merit;
mod program;
mod quadratic;
mod solver;
mod status;

pub use blocks::{Block, Convex, Correction};
pub use program::{Expansion, Linearization, Program, Ranges, Values};
pub use solver::{Iteration, Options, Solution, Solver, Start, Watch};
pub use status::Status;
