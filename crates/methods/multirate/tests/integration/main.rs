//! Tests of the crate against published orders, printed norms and realizations.

mod plain;
mod published;
mod reading;
mod realizations;
