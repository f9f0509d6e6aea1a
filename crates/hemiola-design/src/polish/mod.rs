//! The exact solution beside a table of few digits, to fifty decimals, with a proof.
//!
//! Unknown are the decimals of a table; what is written as zero, integer or fraction stays as it is, equal decimals stay equal, and
//! row sums that are printed or shared stay so. Newton's method with exact residuals goes to the solution of all conditions; where
//! these leave a family, its dimension is said, and the point of it that is nearest to the table is taken on request. Krawczyk's
//! operator proves that a solution of the independent conditions lies beside the decimals that are written, and bounds how far
//! the others, which depend on them, can be from holding there.
//!
//! `polished` does so with the unknowns of `layout`, the conditions of `equations`, the steps of `newton` and the enclosure of `proof`;
//! [`polish()`] has an example.

pub(crate) mod equations;
pub(crate) mod error;
pub(crate) mod layout;
pub(crate) mod newton;
pub(crate) mod polished;
pub(crate) mod proof;
#[cfg(test)]
mod tests;

pub use error::PolishError;
pub use polished::{PolishOptions, Polished, polish};
pub use proof::Enclosed;
