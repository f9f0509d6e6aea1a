//! ρ(S) along damped oscillations of both parts, with the fast part solved exactly.

use num_complex::Complex64;

use super::coupled::{CoupledFlow, FixedPair};

/// ρ(S) at z_ss = p L_s u, z_ff = y u, z_sf z_fs = g z_ss z_ff.
pub(super) struct FlowRadius {
    flow: CoupledFlow,
    u: Complex64,
    slow_limit: f64,
}

impl FlowRadius {
    pub(super) fn new(flow: CoupledFlow, u: Complex64, slow_limit: f64) -> Self {
        Self { flow, u, slow_limit }
    }

    /// Returns L_s.
    pub(super) fn slow_limit(&self) -> f64 {
        self.slow_limit
    }

    /// Returns ζ.
    pub(super) fn damping(&self) -> f64 {
        -self.u.re
    }

    /// Fixes y; infinity is its limit.
    pub(super) fn fixed(&self, y: f64) -> FixedPair {
        if y.is_finite() { self.flow.at_fast(self.u * y) } else { self.flow.far_left() }
    }

    /// Computes ρ(S) at p and g.
    pub(super) fn at(&self, fixed: &FixedPair, p: f64, coupling: f64) -> f64 {
        fixed.radius(self.u * (p * self.slow_limit), coupling)
    }
}
