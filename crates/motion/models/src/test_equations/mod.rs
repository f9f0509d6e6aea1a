//! Test problems from the literature.

pub(crate) mod brusselator;
pub(crate) mod kepler;
pub(crate) mod kpr;
pub(crate) mod linear_pair;
