//! Discrete steps with exact first and second derivatives: explicit, implicit and linearized methods.

mod adjoint;
mod frame;
mod interval;
mod propagation;
mod rule;
mod solve;
mod step;

pub use frame::{ProblemSizes, StepFrame};
pub use interval::{ControlInterval, StateFlow};
pub use propagation::{IntegratorSpan, Propagation, Propagator};
pub use rule::{RuleError, StepRule};
pub use step::StepFailure;
