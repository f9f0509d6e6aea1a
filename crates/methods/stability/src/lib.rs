//! Linear stability of partitioned Runge–Kutta methods.
//!
//! Each single partition has a [`StabilityFunction`] with [limits](stability_limit) along rays. The coupled problem has
//! a [stability matrix](stability_matrix), whose eigenvalues depend only on z_ss, z_ff and the product z_sf z_fs. The
//! [coupled profile](CoupledProfile) summarizes how coupling shortens the stable step, and [`contour()`] draws
//! boundaries.
//!
//! - [`function`]: the R = N/D of one partition, its limits, sectors, damping and dispersion.
//! - [`coupled`]: the stability matrix of two or more partitions, its limits and the coupled profile.
//! - [`schemes`]: schemes beyond tableaux.
//! - [`lanes`]: arithmetic on eight numbers at a time.
//! - [`map`]: fields over a plane, their contours and regions.
//! - [`monotonicity`]: strong stability preservation: SSP coefficients, regions of absolute monotonicity, Shu–Osher
//!   forms; [`nonlinear`]: algebraic stability and reducibility.
//! - [`steps`]: intervals of stable step sizes; [`system`]: those of linear systems with any number of variables.
//! - [`eigenvalues`](mod@eigenvalues): eigenvalues of dense matrices.
//!
//! ```
//! use hemiola_stability::stability_limit;
//! use num_complex::Complex64;
//! let method = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
//! // The five fast stages reach the optimum 4, up to the precision of eight printed decimals.
//! let fast = stability_limit(&method, 1, Complex64::I).unwrap().value();
//! assert!((fast - 4.0).abs() < 1e-6);
//! ```

pub mod coupled;
pub mod eigenvalues;
mod error;
pub mod function;
pub mod lanes;
pub mod map;
pub mod monotonicity;
pub mod nonlinear;
mod rounding;
pub mod schemes;
pub mod steps;
pub mod system;

pub use coupled::{
    CoupledProfile, CoupledStep, Growth, Infimum, Matrix, ProfileValue, Robust, check_profiles, coupled_limit,
    coupled_profile, stability_matrix,
};
pub use eigenvalues::{eigenvalues, eigenvalues_of_pair, real_eigenvalues};
pub use error::StabilityError;
pub use function::{
    DampedRay, Dispersion, ExactStability, LeadingTerm, Limit, LimitModuli, StabilityFunction, damped_ray,
    form_amplification, form_amplification_on_axes, internal_amplification, modulus_at_infinity, register_terms,
    sector_angle, spectral_amplification, stability_limit,
};
pub use map::{
    Contour, Field, JointStability, PartitionField, Plane, Quantity, Region, RobustScheme, Scan, Slice, Window,
    contour, joint_extent, region_window,
};
pub use schemes::{Linearized, SingularPerturbation, StabilityScheme};
pub use steps::{StableSteps, StepSearch};
pub use system::{BlockSystem, DecoupledBound, SystemStep};

/// Runs the example of the README with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
