//! Descriptions of methods in words, and the common format of printed numbers.
//!
//! `method` describes source, claims, precision and structure; `numbers` prints rounded numbers, short fractions and
//! polynomials.

mod method;
mod numbers;

pub use method::{claimed, claims, precision, publication, source, stated_precision, structure};
pub use numbers::{TIE, counted, exact, number, polynomial, residual, rounded};
