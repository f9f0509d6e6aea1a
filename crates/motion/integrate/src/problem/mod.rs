//! Problems to integrate: [`System`] is a differential equation with partitioned variables, and [`Counted`] counts its
//! evaluations.

pub(crate) mod counted;
pub(crate) mod system;

pub use counted::Counted;
pub use system::System;
