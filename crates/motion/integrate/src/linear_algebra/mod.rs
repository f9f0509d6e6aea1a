//! Linear algebra without allocation.
//!
//! `lu` solves linear systems and `exponential` linear differential equations, both in place. `sums` adds up slopes, by
//! `strips` of variables in vector registers.

pub(crate) mod exponential;
pub(crate) mod lu;
pub(crate) mod strips;
pub(crate) mod sums;
