//! Bases for evaluating stability polynomials and finding their coefficients.
//!
//! `orthogonal` spans the free part, orthogonal on the spectrum; `particular` is the part that the order fixes.
//! `chebyshev` holds the exact Chebyshev polynomials of both axes, and `cosine_transform` computes Chebyshev
//! coefficients from values.

pub(crate) mod chebyshev;
pub(crate) mod cosine_transform;
pub(crate) mod orthogonal;
pub(crate) mod particular;
