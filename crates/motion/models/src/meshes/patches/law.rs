//! Systems of conservation laws u_t + f(u)_x + g(u)_y = 0.

use crate::equations::Number;

/// Number of nodes along a side of a cell.
pub(super) const NODES: usize = 4;

/// The variables at the nodes of a line.
pub(super) type Line<N, const V: usize> = [[N; NODES]; V];

/// A system of V conservation laws in the plane.
pub(super) trait Law<const V: usize>: Send + Sync + 'static {
    /// Returns the flux along an axis.
    fn flux<N: Number>(&self, axis: usize, state: &Line<N, V>) -> Line<N, V>;

    /// Returns the numerical flux between the states below and above a face.
    fn numerical_flux<N: Number>(&self, axis: usize, low: &Line<N, V>, high: &Line<N, V>) -> Line<N, V>;
}
