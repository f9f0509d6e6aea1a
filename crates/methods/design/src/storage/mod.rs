//! Explicit methods in low-storage forms: order conditions and stability polynomial as equations for the coefficients of
//! the form.
//!
//! - `specification`: the form, stages, order, spectrum.
//! - `coordinates`: the unknowns, which are the coefficients of the form that influence the step, and their tableau.
//! - `equations`: order conditions and coefficients of the polynomial; `objective`: errors and internal stability.
//! - `start`, `feasible`, `descent`, `search`: solutions from random starts, and minima of the objective among them.
//! - `refine`, `proof`, `design`: fifty decimals, the proof of a solution nearby, the method and its properties.
//!
//! ```
//! use hemiola_design::{StorageSpecification, design_storage};
//! let specification = StorageSpecification { starts: 4, ..StorageSpecification::new("2N".parse()?, 3, 3) };
//! let design = design_storage(&specification, "mine", &())?;
//! assert_eq!(design.method.claims().order, Some(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod coordinates;
mod descent;
mod design;
mod equations;
mod feasible;
mod objective;
mod proof;
mod refine;
mod search;
mod specification;
mod start;
mod target;
#[cfg(test)]
mod tests;

pub use design::{StorageDesign, design_storage};
pub use proof::StorageProof;
pub use specification::StorageSpecification;
