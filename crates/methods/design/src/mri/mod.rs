//! Multirate methods of any ratio with small errors and requested sector limits.
//!
//! A `form` maps unknown abscissae, forcing polynomials and corrections to the rows of an internally consistent method.
//! A `problem` contains the order conditions, the principal error, and the violations of bounds, `sectors` and the `stiff`
//! stability of an implicit partition alone, with gradients. `descent` solves the conditions and descends along their solutions, and `search` does so from many random
//! starts. `design` refines the result to fifty decimals, `embedded` adds an embedded row, `method` writes the method,
//! and `certificate` proves that an exact method lies nearby.

mod certificate;
mod descent;
mod design;
mod embedded;
mod form;
mod method;
mod problem;
mod search;
mod sectors;
mod specification;
mod stiff;
#[cfg(test)]
mod tests;

pub(crate) use embedded::{NORMS, steepest};
pub(crate) use form::{same_columns, summing_to};

pub use certificate::{MriCertificate, MriRefusal};
pub use design::{MriDesign, design_mri};
pub use specification::{MriSpecification, SlowPart, SlowStability, WantedSector};
pub use stiff::StiffStability;
