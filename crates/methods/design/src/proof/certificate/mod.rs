//! Certificates: proofs about a table in a form that others can check.
//!
//! `statement` defines the certificate. `prove` creates one; `check` recomputes all of it and returns a `refusal`
//! if it does not hold. A `digest` identifies the table, and `json` is the file format.

mod check;
pub(crate) mod digest;
mod json;
pub(crate) mod numbers;
mod prove;
mod refusal;
mod statement;
#[cfg(test)]
mod tests;

pub use json::{CertificateClaims, CertificateError};
pub use refusal::CertificateRefusal;
pub use statement::{Certificate, ProofStatus};
pub(crate) use statement::{HIGHEST_ORDER, MOST_CONTRACTION};
