//! The interval of stability that a method is made for.

use crate::problem::axis::Axis;

/// The interval of stability [−L, 0] or [−iL, iL] that a [`Scheme::Recurrence`](crate::Scheme::Recurrence) is built on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The axis.
    pub axis: Axis,
    /// The limit L > 0.
    pub limit: f64,
}
