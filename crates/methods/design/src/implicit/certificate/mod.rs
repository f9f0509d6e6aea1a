//! Certificates of diagonally implicit methods: a method with exactly the claimed properties lies within the last decimals.
//!
//! `equation` has the equations, `at_infinity` the limit of embedded weights among them, `system` the unknowns with all
//! equations of a design, `statement` the proof, and `json` the file format.

mod at_infinity;
mod equation;
mod json;
mod statement;
mod system;

pub use statement::ImplicitCertificate;
