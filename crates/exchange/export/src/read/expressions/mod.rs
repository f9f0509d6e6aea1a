//! Numbers and arrays as written in tables and programs.
//!
//! `token` and `parser` turn the text of a `dialect` into an `expression`. `evaluate` computes its `value` from the
//! names of a `scope`, with `functions` and `array_arithmetic`. `number` is exact and keeps the text of coefficients.

pub(crate) mod array_arithmetic;
pub(crate) mod dialect;
pub(crate) mod evaluate;
pub(crate) mod expression;
pub(crate) mod functions;
pub(crate) mod number;
pub(crate) mod parser;
pub(crate) mod scope;
mod shared_map;
pub(crate) mod token;
pub(crate) mod value;
