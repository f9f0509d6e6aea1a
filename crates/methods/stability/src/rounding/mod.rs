//! Adaptive precision for explicit methods: `adaptive_precision` computes S(Z) with a bound on its rounding errors, and
//! `digits` defines the number types.

pub(crate) mod adaptive_precision;
pub(crate) mod digits;
