//! Stored iterates and their comparison.

use super::merit::Merit;
use super::solution::{Iteration, ProgramSolution};
use super::status::Status;

/// Iterate with its multipliers.
pub(crate) struct StoredIterate {
    pub(crate) iteration: Iteration,
    /// Whether all constraints hold to the tolerance.
    pub(crate) is_feasible: bool,
    pub(crate) merit: Merit,
    pub(crate) x: Vec<f64>,
    pub(crate) multipliers: Vec<f64>,
    pub(crate) bound_multipliers: Vec<f64>,
}

impl StoredIterate {
    /// Returns whether this iterate is at least as good as another. Feasible iterates precede infeasible ones; among
    /// feasible iterates the merit decides, among infeasible ones the total violation. The line search lets either rise
    /// for a few iterations.
    pub(crate) fn is_no_worse(&self, other: &Self, price: f64) -> bool {
        match (self.is_feasible, other.is_feasible) {
            (true, true) => self.merit.at(price) <= other.merit.at(price),
            (false, false) => self.merit.violation <= other.merit.violation,
            (is_feasible, _) => is_feasible,
        }
    }

    pub(crate) fn solution(self, status: Status, iterations: Vec<Iteration>) -> ProgramSolution {
        let Self { iteration: best, x, multipliers, bound_multipliers, .. } = self;
        ProgramSolution { status, x, multipliers, bound_multipliers, best, iterations }
    }
}
