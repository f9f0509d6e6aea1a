//! The problems to integrate: [`System`] is a differential equation whose variables come in partitions, and [`Counted`]
//! one that counts its evaluations.

pub(crate) mod counted;
pub(crate) mod system;

pub use counted::Counted;
pub use system::System;
