//! Certificates of multirate methods: an exact method lies within the last decimals of the table.
//!
//! `system` contains the equations of a method and its embedded row, `statement` the certificate and its check, and
//! `json` the file format.

mod json;
mod statement;
mod system;

pub use statement::{MriCertificate, MriRefusal};
