//! Interval of stability of a method.

use crate::problem::axis::Axis;

/// Interval of stability [−L, 0] or [−iL, iL] on which a [`Scheme::Recurrence`](crate::Scheme::Recurrence) is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Axis of the interval.
    pub axis: Axis,
    /// Limit L > 0.
    pub limit: f64,
}
