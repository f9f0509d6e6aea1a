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

pub use blocks::{HessianBlock, ConvexModel, MultiplierCorrection, ActiveRow, ConstraintRow};
pub use program::{LocalModel, Linearization, Program, Ranges, ProgramValues};
pub use quasi_newton::LagrangianPart;
pub use solution::{Hessian, Iteration, SolverOptions, ProgramSolution, WarmStart, SolverWatch};
pub use solver::Solver;
pub use status::Status;
