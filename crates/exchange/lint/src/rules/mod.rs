//! Rules for methods, by kind.

pub(crate) mod claims;
pub(crate) mod coefficients;
pub(crate) mod duplicates;
pub(crate) mod micro_steps;
pub(crate) mod misprint;
pub(crate) mod multirate;
pub(crate) mod text;
