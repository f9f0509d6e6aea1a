//! Derivatives: functions written once for any number type ([`Smooth`]) and the interface that solvers use
//! ([`Differentiable`]): values, Jacobians, curvatures and derivatives of linearizations.

mod automatic;
mod differentiable;
mod smooth;

pub use differentiable::Differentiable;
pub use smooth::{Number, Smooth};
