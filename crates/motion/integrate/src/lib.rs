//! Runs Runge–Kutta methods on ordinary differential equations with partitioned variables.
//!
//! A [`System`] evaluates the rates of each partition separately. A [`Stepper`] takes one step of a method.
//! [`equal_steps`], [`Doubling`] and [`Embedded`] choose the steps and report the outcome of the integration.
//!
//! - [`problem`]: the differential equation in partitions.
//! - [`Integrator`]: a scheme, or a multirate method with its inner method.
//! - [`steppers`]: single steps of explicit, implicit, linearized and multirate methods; [`stages`]: their coefficients and stage
//!   equations.
//! - [`step_control`]: equal and adaptive steps, and the outcome of an integration.
//! - [`convergence`]: reference solutions, errors and observed orders.
//! - [`largest_stable_step`] and [`perturbation_growth`]: stability found by simulation.
//!
//! ```
//! use std::ops::ControlFlow;
//! use hemiola_integrate::{Explicit, Outcome, System, equal_steps};
//! /// x' = −x + z/10 is slow, z' = x − 50 z is fast.
//! struct Linear;
//! impl System for Linear {
//!     fn sizes(&self) -> &[usize] {
//!         &[1, 1]
//!     }
//!     fn rate(&self, partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
//!         rate[0] = if partition == 0 { -y[0] + 0.1 * y[1] } else { y[0] - 50.0 * y[1] };
//!     }
//! }
//! let pair = hemiola_tableau::library::method("shome-haug-jay-2-5")?;
//! let mut y = [1.0, 0.0];
//! let run = equal_steps(&mut Explicit::new(&pair, &Linear)?, &Linear, [0.0, 1.0], 100, &mut y, &mut |_| ControlFlow::Continue(()));
//! assert_eq!(run.outcome, Outcome::Finished);
//! // The slow mode decays like e^{−0.998 t}.
//! assert!((y[0] - 0.3687).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod convergence;
mod error;
mod integrator;
mod linear_algebra;
pub mod problem;
mod stable_step;
pub mod stages;
pub mod step_control;
pub mod steppers;

pub use convergence::{
    Comparison, OrderFit, Reference, Sample, cached_runs, fewest_steps, fewest_steps_of_order, fitted_order,
    observed_order,
};
pub use error::{MethodMismatch, StepError};
pub use integrator::{Integrator, Realization};
pub use problem::{Counted, System};
pub use stable_step::{largest_stable_step, neutral_growth, perturbation_growth, stable_step_near};
pub use stages::Extras;
pub use step_control::{
    Accepted, Crossing, Doubling, Embedded, Event, EventError, Events, Observer, Outcome, Run, Track, Zero, equal_steps,
};
pub use steppers::{
    AnyStepper, Explicit, Implicit, LinearizedStepper, MicroSteps, MultirateStepper, SingularPerturbationStepper,
    Stepper,
};

/// The example of the README, run as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
