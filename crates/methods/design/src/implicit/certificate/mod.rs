//! Certificates of diagonally implicit methods: a method with exactly the claimed properties lies within the last decimals.
//!
//! `equation` has the equations, `at_infinity` the limits among them, `system` the unknowns with all
//! equations of a design, `statement` the proof, and `json` the file format.

mod at_infinity;
mod equation;
mod json;
mod statement;
mod system;

pub(crate) use at_infinity::scaled_stage_limits;

pub use statement::ImplicitCertificate;
