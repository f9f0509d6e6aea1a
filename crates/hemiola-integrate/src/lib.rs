//! Runs Runge–Kutta methods on ordinary differential equations whose variables come in partitions.
//!
//! A [`System`] evaluates the rates of each partition separately; a [`Stepper`] makes one step of a method; [`equal_steps`],
//! [`Doubling`] and [`Embedded`] choose the steps and say how it ended.

#![forbid(unsafe_code)]

mod convergence;
mod counted;
mod doubling;
mod embedded;
mod error;
mod explicit;
mod parts;
mod reference;
mod run;
mod span;
mod stable_step;
mod stepper;
mod sum;
mod system;

pub use convergence::{Sample, observed_order, sample};
pub use counted::Counted;
pub use doubling::Doubling;
pub use embedded::Embedded;
pub use error::{MethodMismatch, StepError};
pub use explicit::Explicit;
pub use parts::Extras;
pub use reference::Reference;
pub use run::{Accepted, Observer, Outcome, Run, equal_steps};
pub use stable_step::{largest_stable_step, perturbation_growth};
pub use stepper::Stepper;
pub use system::System;
