//! Simulation of motions by the classical method of order four, with iterative refinement in place of every second
//! factorization.

pub(crate) mod evaluator;
pub(crate) mod refinement;
pub(crate) mod simulation;

pub use evaluator::{Evaluator, SolverCounts};
pub use refinement::{AccelerationSolver, Refinement, ResidualForm};
pub use simulation::MachineRun;
