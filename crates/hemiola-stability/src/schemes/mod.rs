//! One-step schemes on the coupled linear problem, with a tableau or without one.
//!
//! `scheme` is the interface that stability maps need, `linearized` has implicit methods with a fixed number of Newton
//! iterations, and `singular_perturbation` a scheme without a tableau.

pub(crate) mod linearized;
pub(crate) mod scheme;
pub(crate) mod singular_perturbation;

pub use linearized::Linearized;
pub use scheme::StabilityScheme;
pub use singular_perturbation::SingularPerturbation;
