//! Discrete steps with exact first and second derivatives: explicit, implicit and linearized methods.

mod adjoint;
mod frame;
mod interval;
mod propagation;
mod rule;
mod solve;
mod step;

pub use frame::{Frame, Local};
pub use interval::{Flow, Interval};
pub use propagation::{Propagation, Propagator, Span};
pub use rule::{RuleError, StepRule};
pub use step::StepFailure;
