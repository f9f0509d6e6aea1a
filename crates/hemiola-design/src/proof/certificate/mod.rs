//! Certificates: what is proved of a table, in a form that others can check.
//!
//! `statement` has the certificate itself. `prove` makes one, and `check` recomputes all of it and finds a `refusal` or none. A
//! `digest` names the table; `json` is the file format.

mod check;
mod digest;
mod json;
mod prove;
mod refusal;
mod statement;
#[cfg(test)]
mod tests;

pub use json::{CertificateError, Claims};
pub use refusal::Refusal;
pub use statement::{Certificate, Status};
