//! One-step schemes on the coupled linear problem, with or without a tableau.
//!
//! `scheme` defines the interface that stability maps require, `linearized` implicit methods with a fixed number of
//! Newton iterations, and `singular_perturbation` a scheme without a tableau.

pub(crate) mod linearized;
pub(crate) mod scheme;
pub(crate) mod singular_perturbation;

pub use linearized::Linearized;
pub use scheme::StabilityScheme;
pub use singular_perturbation::SingularPerturbation;
