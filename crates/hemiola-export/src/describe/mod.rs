//! A description of a method in words, and numbers as they are printed everywhere.
//!
//! `method` has a method's source, claims, precision and structure, `numbers` rounded numbers, short fractions and polynomials.

mod method;
mod numbers;

pub use method::{claims, precision, source, structure};
pub use numbers::{TIE, counted, exact, number, polynomial, residual, rounded};
