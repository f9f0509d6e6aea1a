//! Runs Runge–Kutta methods on ordinary differential equations whose variables come in partitions.
//!
//! A [`System`] evaluates the rates of each partition separately; a [`Stepper`] makes one step of a method; [`equal_steps`],
//! [`Doubling`] and [`Embedded`] choose the steps and say how it ended.

#![deny(unsafe_code)]

mod any;
mod blocks;
mod convergence;
mod counted;
mod doubling;
mod embedded;
mod error;
mod explicit;
mod exponential;
mod implicit;
mod linearized;
mod lu;
mod newton;
mod parts;
mod placed;
mod reference;
mod run;
mod singular_perturbation;
mod span;
mod stable_step;
mod stages;
mod stepper;
#[allow(unsafe_code, reason = "functions compiled for vector instructions")]
mod strips;
mod sum;
mod system;
mod track;

pub use any::AnyStepper;
pub use convergence::{Comparison, Sample, fewest_steps, observed_order};
pub use counted::Counted;
pub use doubling::Doubling;
pub use embedded::Embedded;
pub use error::{MethodMismatch, StepError};
pub use explicit::Explicit;
pub use implicit::Implicit;
pub use linearized::Linearized;
pub use parts::Extras;
pub use reference::Reference;
pub use run::{Accepted, Observer, Outcome, Run, equal_steps};
pub use singular_perturbation::SingularPerturbation;
pub use stable_step::{largest_stable_step, neutral_growth, perturbation_growth};
pub use stepper::Stepper;
pub use system::System;
pub use track::Track;
