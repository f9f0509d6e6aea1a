//! Interval of stability of a method.

use crate::problem::axis::Axis;

/// Interval of stability [−L, 0] or [−iL, iL] on which a [`StageForm::Recurrence`](crate::StageForm::Recurrence) is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StabilityInterval {
    /// Axis of the interval.
    pub axis: Axis,
    /// Limit L > 0.
    pub limit: f64,
}
