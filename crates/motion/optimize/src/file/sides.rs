//! Objective and boundary constraints as a function of (y(0), y(T), p, T).

use super::polynomial::SparsePolynomial;
use crate::calculus::{Number, Smooth};

/// Objective and boundary constraints, in this order.
///
/// The objective is the sum of a polynomial in (y(T), p), a multiple of T and the integral, which is the last state if
/// present. Each boundary constraint is the sum of a polynomial in (y(0), p) and a polynomial in (y(T), p).
pub(crate) struct BoundaryFunctions {
    /// Number of states, including the integral if present.
    pub(crate) states: usize,
    pub(crate) parameters: usize,
    pub(crate) duration: f64,
    pub(crate) has_integral: bool,
    pub(crate) last: SparsePolynomial,
    pub(crate) boundary: Vec<[SparsePolynomial; 2]>,
}

impl Smooth for BoundaryFunctions {
    fn inputs(&self) -> usize {
        2 * self.states + self.parameters + 1
    }

    fn outputs(&self) -> usize {
        1 + self.boundary.len()
    }

    fn evaluate<N: Number>(&self, z: &[N], out: &mut [N]) {
        let (n, duration) = (self.states, z[z.len() - 1]);
        let parameters = &z[2 * n..z.len() - 1];
        let [first, last] = [&z[..n], &z[n..2 * n]].map(|state| [state, parameters].concat());
        out[0] = self.last.at(&last) + duration * self.duration;
        if self.has_integral {
            out[0] += last[n - 1];
        }
        for (out, [at_first, at_last]) in out[1..].iter_mut().zip(&self.boundary) {
            *out = at_first.at(&first) + at_last.at(&last);
        }
    }
}
