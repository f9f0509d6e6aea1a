//! Derivatives: functions that are written once over any number ([`Smooth`]), and what a solver needs of them
//! ([`Differentiable`]): values, Jacobians, curvatures, and the same of their linearizations.

mod automatic;
mod differentiable;
mod smooth;

pub use differentiable::Differentiable;
pub use smooth::{Number, Smooth};
