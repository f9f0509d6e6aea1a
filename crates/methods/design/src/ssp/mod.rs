//! Explicit methods and dual-rate pairs with large radii of absolute monotonicity.
//!
//! - `specification`: stages, order and requirements.
//! - `canonical_form`: the unknowns, the coefficients of the canonical Shu–Osher form, and the equations.
//! - `linear_program`, `maximize`, `start`, `search`: sequential linear programs from random starts.
//! - `refine`, `method`, `design`: fifty decimals, the method and its properties.
//!
//! ```
//! use hemiola_design::{SspSpecification, design_ssp};
//! let design = design_ssp(&SspSpecification::new(vec![3], 2), "mine", &())?;
//! assert_eq!(design.coefficients[0].value(), Some(2.0));
//! # Ok::<(), hemiola_design::DesignError>(())
//! ```

mod canonical_form;
mod design;
mod linear_program;
mod maximize;
mod method;
mod refine;
mod search;
mod specification;
mod start;
#[cfg(test)]
mod tests;

pub use design::{SspDesign, design_ssp};
pub use specification::SspSpecification;
