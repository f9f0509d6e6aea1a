//! Realizations: ordinary partitioned methods made of a multirate method and an inner method.
//!
//! `name` reads their names, `expansion` builds their tableaus, and `uncertain` has numbers that carry the precision of both
//! methods.

mod expansion;
mod name;
mod uncertain;

pub use expansion::MOST_COMPOUND_STAGES;
pub use name::{RealizationName, RealizationNameError};
pub(crate) use uncertain::{CoefficientWriter, Uncertain, coefficient};
