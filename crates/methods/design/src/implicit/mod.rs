//! Diagonally implicit methods with small errors: L-stable, alone or with explicit partners, at one rate and at two.
//!
//! - `specification`, `command`: partitions, structure and requirements, and the command that reproduces the design.
//! - `evaluated`, `layout`: the stages of the partition with fewer evaluations, and the unknown coefficients.
//! - `reduction`, `problem`: the different trees, the equations and the objective; `stability` has R and its derivatives.
//! - `descent`, `start`, `search`: damped Gauss–Newton steps along the solutions, from random and given starts.
//! - `method`, `embedded`, `design`: fifty decimals, L-stable embedded weights, dense output, the method with its properties.
//! - `certificate`: the proof that a solution of independent equations lies nearby; the properties follow from these
//!   equations.
//!
//! ```
//! use hemiola_design::{ImplicitKind, ImplicitSpecification, design_implicit};
//! let specification = ImplicitSpecification { starts: 8, ..ImplicitSpecification::new(ImplicitKind::Additive, &[3], 2) };
//! let design = design_implicit(&specification, "mine", &())?;
//! assert!(design.stability[0].angle == Some(90.0) && design.error.total.two < 0.2);
//! # Ok::<(), hemiola_design::DesignError>(())
//! ```

mod certificate;
mod command;
mod descent;
mod design;
mod embedded;
mod evaluated;
mod layout;
mod method;
mod problem;
mod reduction;
mod search;
mod specification;
mod stability;
mod start;
#[cfg(test)]
mod tests;

pub(crate) use certificate::scaled_stage_limits;
pub(crate) use stability::{AxisPoint, axis_points};

pub use certificate::ImplicitCertificate;
pub use design::{ImplicitDesign, ImplicitStability, design_implicit};
pub use specification::{DiagonalStructure, Gamma, ImplicitKind, ImplicitSpecification, PartitionShape, Role};
