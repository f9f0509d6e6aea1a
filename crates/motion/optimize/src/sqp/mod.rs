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

pub use blocks::{ActiveRow, ConstraintRow, ConvexModel, HessianBlock, MultiplierCorrection};
pub use program::{Linearization, LocalModel, Program, ProgramValues, Ranges};
pub use quasi_newton::LagrangianPart;
pub use solution::{Hessian, Iteration, ProgramSolution, SolverOptions, WarmStart};
pub use solver::Solver;
pub use status::Status;
