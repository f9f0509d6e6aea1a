//! Discrete steps with exact first and second derivatives: explicit, implicit and linearized methods.

mod adjoint;
mod frame;
mod interval;
mod propagation;
mod rule;
mod solve;
mod step;

pub use frame::{StepFrame, ProblemSizes};
pub use interval::{StateFlow, ControlInterval};
pub use propagation::{Propagation, Propagator, IntegratorSpan};
pub use rule::{RuleError, StepRule};
pub use step::StepFailure;
