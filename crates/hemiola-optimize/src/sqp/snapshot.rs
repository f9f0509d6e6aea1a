//! An iterate that is kept, and which of two is the better one.

use super::merit::Merit;
use super::solution::{Iteration, Solution};
use super::status::Status;

/// An iterate with its multipliers.
pub(crate) struct Snapshot {
    pub(crate) iteration: Iteration,
    /// Whether all constraints hold to the tolerance.
    pub(crate) is_feasible: bool,
    pub(crate) merit: Merit,
    pub(crate) x: Vec<f64>,
    pub(crate) multipliers: Vec<f64>,
    pub(crate) bound_multipliers: Vec<f64>,
}

impl Snapshot {
    /// Feasible iterates are better than others; among them the merit counts, among others the total violation. The line search lets either
    /// rise for a few iterations.
    pub(crate) fn is_no_worse(&self, other: &Self, price: f64) -> bool {
        match (self.is_feasible, other.is_feasible) {
            (true, true) => self.merit.at(price) <= other.merit.at(price),
            (false, false) => self.merit.violation <= other.merit.violation,
            (is_feasible, _) => is_feasible,
        }
    }

    pub(crate) fn solution(self, status: Status, iterations: Vec<Iteration>) -> Solution {
        let Self { iteration: best, x, multipliers, bound_multipliers, .. } = self;
        Solution { status, x, multipliers, bound_multipliers, best, iterations }
    }
}
