//! The exact solution near a table with few digits, to fifty decimals, with a proof.
//!
//! The unknowns are the decimals of a table; zeros, integers and fractions are kept, equal decimals stay equal, and row
//! sums that are printed or shared are preserved. Newton's method with exact residuals leads to the solution of all
//! conditions, where these are degenerate with the simplifying assumptions that the digits satisfy; if they leave a family, its dimension is reported, and on request the point of the family nearest to
//! the table is taken. Krawczyk's operator proves that a solution of the independent conditions lies near the written
//! decimals, and bounds by how much the others, which depend on them, can fail there.
//!
//! `polished` does this with the unknowns of `layout`, the conditions of `equations`, of which `equation` is one, the `row_sums` and
//! the `assumption`s that belong to them, the steps of `newton` and the enclosure of `proof`; [`polish()`] has an example.

pub(crate) mod assumption;
pub(crate) mod equation;
pub(crate) mod equations;
pub(crate) mod error;
pub(crate) mod layout;
pub(crate) mod newton;
pub(crate) mod polished;
pub(crate) mod proof;
pub(crate) mod row_sums;
#[cfg(test)]
mod tests;

pub use error::PolishError;
pub use polished::{PolishOptions, Polished, polish};
pub use proof::Enclosed;
