//! Single steps of methods: explicit, implicit, linearized implicit, multirate, and one scheme without a tableau.
//!
//! `stepper` defines the interface of all one-step methods, and `any_stepper` holds a stepper of any kind.

pub(crate) mod any_stepper;
pub(crate) mod explicit;
pub(crate) mod implicit;
pub(crate) mod linearized;
pub(crate) mod multirate;
pub(crate) mod singular_perturbation;
pub(crate) mod state_point;
pub(crate) mod stepper;

pub use any_stepper::AnyStepper;
pub use explicit::Explicit;
pub use implicit::Implicit;
pub use linearized::LinearizedStepper;
pub use multirate::{MicroSteps, MultirateStepper};
pub use singular_perturbation::SingularPerturbationStepper;
pub use stepper::Stepper;
