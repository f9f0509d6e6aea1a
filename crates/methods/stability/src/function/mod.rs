//! Stability function R = N/D of one partition.
//!
//! - `rational`, `moments`, `determinant`, `characteristic`, `integers`: R and its computation from a tableau; `evaluation`: its values.
//! - `exact`, `ray`, `sensitivity`: R in exact arithmetic along rays, and its uncertainty due to rounded digits;
//!   `nominal_function`: the R that a rounded tableau approximates.
//! - `limit`, `sector`, `damping`, `dispersion`: quantities derived from R; `amplification/`: errors within a step.
//!
//! ```
//! use hemiola_stability::function::StabilityFunction;
//! let euler = hemiola_tableau::library::method("implicit-euler")?.to_f64();
//! let r = StabilityFunction::new(&euler.partitions[0]);
//! assert_eq!((r.numerator, r.denominator), (vec![1.0], vec![1.0, -1.0]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod amplification;
mod characteristic;
mod damping;
pub(crate) mod determinant;
mod dispersion;
pub(crate) mod evaluation;
mod exact;
pub(crate) mod integers;
pub(crate) mod limit;
mod moments;
mod nominal_function;
pub(crate) mod rational;
mod ray;
mod sector;
mod sensitivity;

pub use amplification::{
    form_amplification, form_amplification_on_axes, internal_amplification, register_terms, spectral_amplification,
};
pub use damping::{DampedRay, LimitModuli, damped_ray};
pub use dispersion::{Dispersion, LeadingTerm};
pub use exact::ExactStability;
pub use limit::{Limit, stability_limit};
pub use rational::StabilityFunction;
pub use sector::{modulus_at_infinity, sector_angle};
