//! Properties of a design: limits, errors, the cost of damping, requested and reached profiles, and published pairs for comparison.
//!
//! ```
//! use hemiola_design::findings::PairNumbers;
//! let numbers = PairNumbers::new(&hemiola_tableau::library::method("hemiola-4-8").unwrap(), 4)?;
//! assert!(numbers.error_norm < 0.0286 && numbers.fast_limits[0] > 5.0);
//! # Ok::<(), hemiola_design::DesignError>(())
//! ```

mod damping;
mod pair;
mod wish;

pub use damping::{DampedPolynomial, DampingCost};
pub use pair::{PairNumbers, limits, published_pairs};
pub use wish::{ProfileAtStrength, ProfileComparison};
