//! Tests of the crate against published orders, printed norms and realizations.

mod microsteps;
mod plain;
mod published;
mod reading;
mod realizations;
mod stability;
mod systems;
mod undamped;
