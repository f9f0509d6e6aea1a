//! Runs Runge–Kutta methods on ordinary differential equations whose variables come in partitions.
//!
//! A [`System`] evaluates the rates of each partition separately; a [`Stepper`] makes one step of a method.

#![forbid(unsafe_code)]

mod error;
mod stepper;
mod system;

pub use error::{MethodMismatch, StepError};
pub use stepper::Stepper;
pub use system::System;
