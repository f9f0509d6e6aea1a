//! Linear stability of partitioned Runge–Kutta methods.
//!
//! Each partition alone has a [`StabilityFunction`] with [limits](stability_limit) along rays; the coupled problem has a
//! [stability matrix](stability_matrix), whose eigenvalues depend on z_ss, z_ff and the product z_sf z_fs alone. The
//! [coupled profile](CoupledProfile) condenses how coupling shortens the stable step, and [`contour`] draws boundaries.
//!
//! ```
//! use hemiola_stability::stability_limit;
//! use num_complex::Complex64;
//! let method = hemiola_tableau::library::method("shome-haug-jay-2-5").unwrap();
//! // The five fast stages reach the optimum 4, as far as eight printed decimals tell.
//! let fast = stability_limit(&method, 1, Complex64::I).unwrap().value();
//! assert!((fast - 4.0).abs() < 1e-6);
//! ```

mod amplification;
mod balance;
mod careful;
mod contour;
mod coupled_limit;
mod damping;
mod digits;
mod dispersion;
mod error;
mod exact;
mod exit;
mod field;
mod function;
mod gauss;
mod integral;
mod limit;
mod linearized;
mod matrix;
mod nominal;
mod panels;
mod partition;
mod profile;
mod ray;
mod region;
mod robust;
mod scan;
mod scheme;
mod sector;
mod sensitivity;
mod singular_perturbation;
mod step;
mod system;

pub use amplification::internal_amplification;
pub use contour::{Contour, Region, Window, contour};
pub use coupled_limit::coupled_limit;
pub use damping::{AtLimit, DampedRay, damped_ray};
pub use dispersion::{Dispersion, Leading};
pub use error::StabilityError;
pub use exact::ExactStability;
pub use exit::{StableSteps, StepSearch};
pub use field::Field;
pub use function::StabilityFunction;
pub use limit::{Limit, stability_limit};
pub use linearized::Linearized;
pub use matrix::{Matrix, eigenvalues, eigenvalues_of_pair, real_eigenvalues, stability_matrix};
pub use partition::Partition;
pub use profile::{CoupledProfile, CoupledStep, coupled_profile, profile_cases};
pub use region::region_window;
pub use robust::Robust;
pub use scan::{Plane, Quantity, Scan, Slice};
pub use scheme::Scheme;
pub use sector::{modulus_at_infinity, sector_angle};
pub use singular_perturbation::SingularPerturbation;
pub use system::BlockSystem;
