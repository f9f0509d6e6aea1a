//! What a solver is given and what it returns.

use super::status::Status;

/// Settings of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The largest residual of the optimality conditions that counts as none.
    pub tolerance: f64,
    /// The most iterations.
    pub most_iterations: usize,
    /// Where second derivatives come from.
    pub hessian: Hessian,
}

/// Where second derivatives come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hessian {
    /// They are those of the program.
    Exact,
    /// From differences of gradients: damped BFGS (Powell 1978) in blocks.
    Bfgs,
}

impl Default for Options {
    fn default() -> Self {
        Self { tolerance: 1e-6, most_iterations: 300, hessian: Hessian::Exact }
    }
}

/// An iterate as it is reported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// Its number, from 0.
    pub number: usize,
    /// f(x).
    pub objective: f64,
    /// The largest violation of a constraint.
    pub violation: f64,
    /// The largest residual of the optimality conditions.
    pub residual: f64,
    /// The part of the step that was taken to get here.
    pub fraction: f64,
}

/// Is told of iterates, and asked whether to go on.
pub trait Watch {
    /// A new iterate.
    fn iterate(&mut self, iteration: &Iteration);

    /// Whether to end with the best iterate so far.
    fn is_interrupted(&self) -> bool;
}

/// Nobody watches.
impl Watch for () {
    fn iterate(&mut self, _: &Iteration) {}

    fn is_interrupted(&self) -> bool {
        false
    }
}

/// Where to start: a point, with multipliers of the constraints if they are known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    /// x.
    pub x: Vec<f64>,
    /// Multipliers of the constraints; empty if unknown.
    pub multipliers: Vec<f64>,
}

/// Where the iterations ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// How.
    pub status: Status,
    /// x.
    pub x: Vec<f64>,
    /// Multipliers of the constraints: positive at upper bounds, negative at lower ones.
    pub multipliers: Vec<f64>,
    /// Multipliers of the bounds of variables, with the same signs.
    pub bound_multipliers: Vec<f64>,
    /// The iterate that x is: the last one of an optimum. Otherwise the best one: feasible ones are better than others, among feasible ones that
    /// with the least merit, among others that with the least total violation.
    pub best: Iteration,
    /// All iterates.
    pub iterations: Vec<Iteration>,
}
