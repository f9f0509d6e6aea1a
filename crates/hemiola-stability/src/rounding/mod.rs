//! Explicit methods in as many digits as a question needs: `adaptive_precision` computes S(Z) with a bound on its
//! rounding errors, `digits` has the number types.

pub(crate) mod adaptive_precision;
pub(crate) mod digits;
