//! Weights for given stages.
//!
//! `moments` has their linear conditions, `embedded` the weights b̂ for step control, and `dense_output` the polynomials b(θ).

pub(crate) mod dense_output;
pub(crate) mod embedded;
pub(crate) mod moments;
