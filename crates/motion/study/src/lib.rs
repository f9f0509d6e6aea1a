//! Studies of methods on models: simulations, convergence and largest stable steps.
//!
//! | module | contents |
//! |---|---|
//! | [`simulation`] | schemes run on a model, compared with a reference solution |
//! | [`convergence`] | schemes run with more and more steps: observed orders and the cost of accuracy |
//! | [`stable_steps`] | step sizes at which methods are stable on a linear system |
//! | [`training`] | test runs that measure pairs during their design, and the cost of methods on them |
//!
//! Long computations report to a [`Progress`](hemiola_number::Progress), which can also stop them; the results so far are kept.
//!
//! ```
//! use hemiola_study::simulation::{Simulation, StepChoice};
//! use hemiola_tableau::library;
//!
//! let model = hemiola_models::model("kepler", &[])?;
//! let steps = StepChoice::Equal(1000);
//! let simulation = Simulation { model: &model, name: "kepler", steps, end: 1.0, variables: None, keeps_all: false };
//! let simulated = simulation.run(&[library::method("rk4")?.into()], true, false, &())?;
//! assert!(simulated.runs[0].error.is_some_and(|error| error < 1e-9));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod convergence;
mod error;
pub mod simulation;
pub mod stable_steps;
pub mod training;

pub use error::StudyError;

/// The example of the README, run with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
