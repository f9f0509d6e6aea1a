//! Input and output of the solver.

use std::ops::ControlFlow;

use hemiola_number::{Progress, Update};

use super::status::Status;

/// Settings of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverOptions {
    /// Largest residual of the optimality conditions at a solution.
    pub tolerance: f64,
    /// Iteration limit.
    pub most_iterations: usize,
    /// Source of second derivatives.
    pub hessian: Hessian,
}

/// Source of second derivatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hessian {
    /// Exact second derivatives of the program.
    Exact,
    /// Differences of gradients: damped BFGS (Powell 1978) in blocks.
    Bfgs,
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self { tolerance: 1e-6, most_iterations: 300, hessian: Hessian::Exact }
    }
}

/// Summary of an iterate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// Number of the iterate, from 0.
    pub number: usize,
    /// Objective f(x).
    pub objective: f64,
    /// Largest violation of a constraint.
    pub violation: f64,
    /// Largest residual of the optimality conditions.
    pub residual: f64,
    /// Fraction of the last step that was taken.
    pub fraction: f64,
}

impl Iteration {
    pub(crate) fn report(&self, progress: &dyn Progress) -> ControlFlow<()> {
        let Self { number, objective, violation, residual, .. } = *self;
        let values = [("objective", objective), ("violation", violation), ("residual", residual)];
        progress.report(Update { phase: "iterations", done: number, total: None, values: &values })
    }
}

/// Starting point, with multipliers of the constraints if known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WarmStart {
    /// Variables x.
    pub x: Vec<f64>,
    /// Multipliers of the constraints; empty if unknown.
    pub multipliers: Vec<f64>,
}

/// Result of the iterations.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramSolution {
    /// Reason why the iterations ended.
    pub status: Status,
    /// Variables x.
    pub x: Vec<f64>,
    /// Multipliers of the constraints: positive at upper bounds, negative at lower bounds.
    pub multipliers: Vec<f64>,
    /// Multipliers of the bounds of variables, with the same signs.
    pub bound_multipliers: Vec<f64>,
    /// Iterate that x belongs to: the last one if optimal, otherwise the best one. Feasible iterates precede infeasible
    /// ones; among feasible iterates the one with the smallest merit is best, among infeasible ones the one with the
    /// smallest total violation.
    pub best: Iteration,
    /// All iterates.
    pub iterations: Vec<Iteration>,
}
