//! Bases in which a stability polynomial can be evaluated and its coefficients be found.
//!
//! `orthogonal` spans the free part, orthogonal on the spectrum; `particular` is the part that the order fixes. `chebyshev` has the
//! Chebyshev polynomials of both axes exactly, `cosine_transform` finds coefficients in them from values.

pub(crate) mod chebyshev;
pub(crate) mod cosine_transform;
pub(crate) mod orthogonal;
pub(crate) mod particular;
