//! Multirate methods of any ratio with small errors and wanted sector limits.
//!
//! A `form` turns unknown abscissae, forcing polynomials and corrections into the rows of an internally consistent method; a `problem`
//! has the order conditions, the principal error, and the violations of bounds and `sectors`, with gradients. `descent`
//! solves the conditions and moves along their solutions, and `search` does so from many random starts. `design` refines to
//! fifty decimals, `embedded` adds another last stage, `method` writes all of it, and `certificate`
//! proves that an exact method is near.

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
#[cfg(test)]
mod tests;

pub(crate) use embedded::{NORMS, steepest};
pub(crate) use form::{same_columns, summing_to};

pub use certificate::{MriCertificate, MriRefusal};
pub use design::{MriDesign, design_mri};
pub use specification::{MriSpecification, SlowPart, WantedSector};
