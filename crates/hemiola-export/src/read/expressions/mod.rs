//! Numbers and arrays as tables and programs write them: `token` and `parser` read the text of a `dialect` as an `expression`, `evaluate` finds the `value`
//! with the names of a `scope`, `functions` and `array_arithmetic`; `number` is exact and remembers how it was written.

pub(crate) mod array_arithmetic;
pub(crate) mod dialect;
pub(crate) mod evaluate;
pub(crate) mod expression;
pub(crate) mod functions;
pub(crate) mod number;
pub(crate) mod parser;
pub(crate) mod scope;
pub(crate) mod token;
pub(crate) mod value;
