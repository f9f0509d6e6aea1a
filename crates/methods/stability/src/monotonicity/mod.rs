//! Strong stability preservation: radii and regions of absolute monotonicity, and optimal Shu–Osher forms.
//!
//! - `region`: the region of absolute monotonicity of any number of partitions, its boundary and its radii along rays.
//! - `ssp`: the SSP coefficient of one partition and its optimal Shu–Osher form.
//! - `digits`: SSP coefficients to any number of digits.
//! - `threshold`: the threshold factor of a stability polynomial; `optimum`: the largest for a degree and an order.
//! - `ray`, `integer_ray`, `linear_solve`: the exact conditions along a ray; `radius`: the certified search for the end of the interval
//!   on which conditions hold.
//!
//! ```
//! use hemiola_stability::monotonicity::ssp_coefficient;
//! let method = hemiola_tableau::library::method("ssp-rk-10-4")?;
//! assert_eq!(ssp_coefficient(&method, 0)?.value(), Some(6.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod digits;
mod integer_ray;
mod linear_solve;
mod optimum;
mod radius;
mod ray;
mod region;
mod ssp;
#[cfg(test)]
mod tests;
mod threshold;

pub(crate) use linear_solve::Rows;
pub(crate) use radius::{MonotoneConditions, certified_radius};
pub(crate) use region::significant;

pub use digits::ssp_decimal;
pub use optimum::{optimal_threshold_factor, ssp_upper_bound};
pub use radius::MonotonicityRadius;
pub use region::{MonotonicityRegion, RegionOutline};
pub use ssp::{ShuOsherForm, optimal_shu_osher, ssp_coefficient};
pub use threshold::threshold_factor;
