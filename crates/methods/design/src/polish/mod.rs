//! Polishing: the exact solution near a table with few digits, to fifty decimals, with a proof.
//!
//! The unknowns are the decimals of a table. Zeros, integers and fractions are fixed, equal decimals remain equal,
//! and printed or shared row sums are preserved. Newton's method with exact residuals converges to a solution of
//! all conditions; degenerate conditions are supplemented by the simplifying assumptions that the digits satisfy.
//! If the conditions leave a family, its dimension is reported, and on request the point of the family nearest to
//! the table is computed. Krawczyk's operator proves that a solution of the independent conditions lies near the
//! written decimals, and bounds the residuals of the other conditions, which depend on them.
//!
//! `polished` combines the unknowns of `layout`, the conditions of `equations` (each an `equation`), their
//! `row_sums` and `assumption`s, the steps of `newton` and the enclosure of `proof`. [`polish()`] has an example.

pub(crate) mod assumption;
pub(crate) mod damping;
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
pub(crate) use polished::polish_equations;
pub use polished::{PolishOptions, Polished, polish};
pub use proof::PolishEnclosure;
