//! Linear stability of partitioned Runge–Kutta methods.
//!
//! Each partition alone has a [`StabilityFunction`] with [limits](stability_limit) along rays; the coupled problem has a
//! [stability matrix](stability_matrix), whose eigenvalues depend on z_ss, z_ff and the product z_sf z_fs alone. The
//! [coupled profile](CoupledProfile) condenses how coupling shortens the stable step, and [`contour()`] draws boundaries.
//!
//! - [`function`]: one partition's R = N/D, its limits, sectors, damping and dispersion.
//! - [`coupled`]: the stability matrix of two or more partitions, its limits and the coupled profile.
//! - [`schemes`]: schemes beyond tableaus.
//! - [`map`]: fields over a plane, their contours and regions.
//! - [`steps`]: intervals of stable steps; [`system`]: those of linear systems with any number of variables.
//! - [`eigenvalues`](mod@eigenvalues): eigenvalues of small dense matrices.
//!
//! ```
//! use hemiola_stability::stability_limit;
//! use num_complex::Complex64;
//! let method = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
//! // The five fast stages reach the optimum 4, as far as eight printed decimals tell.
//! let fast = stability_limit(&method, 1, Complex64::I).unwrap().value();
//! assert!((fast - 4.0).abs() < 1e-6);
//! ```

pub mod coupled;
pub mod eigenvalues;
mod error;
pub mod function;
pub mod map;
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
    AtLimit, DampedRay, Dispersion, ExactStability, Leading, Limit, StabilityFunction, damped_ray,
    internal_amplification, modulus_at_infinity, sector_angle, spectral_amplification, stability_limit,
};
pub use map::{
    Contour, Field, JointStability, Partition, Plane, Quantity, Region, Scan, Slice, Window, contour, region_window,
};
pub use schemes::{Linearized, SingularPerturbation, StabilityScheme};
pub use steps::{StableSteps, StepSearch};
pub use system::{BlockSystem, DecoupledBound};

/// The example of the README, run with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
