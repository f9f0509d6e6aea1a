//! Rules that methods are checked against: a file for each kind of method or evidence.

pub(crate) mod claims;
pub(crate) mod coefficients;
pub(crate) mod duplicates;
pub(crate) mod micro_steps;
pub(crate) mod misprint;
pub(crate) mod multirate;
pub(crate) mod text;
