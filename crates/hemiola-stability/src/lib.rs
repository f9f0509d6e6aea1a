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

mod contour;
mod error;
mod function;
mod integral;
mod limit;
mod matrix;
mod profile;
mod region;
mod scan;
mod scheme;
mod singular_perturbation;

pub use contour::{Contour, Window, contour};
pub use error::StabilityError;
pub use function::StabilityFunction;
pub use limit::{Limit, stability_limit};
pub use matrix::{Matrix, eigenvalues, eigenvalues_of_pair, real_eigenvalues, stability_matrix};
pub use profile::{CoupledProfile, coupled_profile};
pub use region::{CoupledRay, modulus, region_window};
pub use scan::{Scan, Slice};
pub use scheme::Scheme;
pub use singular_perturbation::SingularPerturbation;
