//! Tests of the crate against published orders, printed norms and realizations.

mod published;
mod reading;
mod realizations;
mod stability;
