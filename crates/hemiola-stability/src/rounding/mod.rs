//! Explicit methods in as many digits as a question needs: `adaptive_precision` has S(Z) with a bound on its rounding, `digits` the
//! numbers.

pub(crate) mod adaptive_precision;
pub(crate) mod digits;
