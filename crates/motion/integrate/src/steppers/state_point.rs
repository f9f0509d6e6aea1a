//! The point at which known slopes were evaluated.

/// A state at a time. The time is NaN before the first step.
#[derive(Clone, Debug)]
pub(crate) struct StatePoint {
    pub(crate) t: f64,
    pub(crate) y: Vec<f64>,
}

impl StatePoint {
    /// Creates an undefined point, with storage for n variables.
    pub(crate) fn nowhere(n: usize) -> Self {
        Self { t: f64::NAN, y: vec![0.0; n] }
    }

    /// Returns whether this is the point (t, y), up to rounding of times.
    pub(crate) fn matches(&self, t: f64, h: f64, y: &[f64]) -> bool {
        self.is_at(t, h) && self.y == y
    }

    pub(crate) fn is_at(&self, t: f64, h: f64) -> bool {
        (t - self.t).abs() <= 4.0 * f64::EPSILON * t.abs().max(h.abs())
    }

    pub(crate) fn set(&mut self, t: f64, y: &[f64]) {
        self.t = t;
        self.y.copy_from_slice(y);
    }
}
