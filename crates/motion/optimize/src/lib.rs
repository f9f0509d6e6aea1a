//! Optimal control and parameter identification with exact derivatives of the discrete steps of Runge–Kutta methods.
//!
//! A [`ControlProblem`] has controls, parameters, path and boundary constraints, and a fixed or free duration. A
//! [`ControlGrid`] and a [`StepRule`] turn it into a nonlinear program by single or multiple shooting ([`Transcription`]),
//! which sequential quadratic programming solves ([`sqp`]). Equations are written once for any number type. The state
//! at the end of a step has exact first and second derivatives, also for linearized implicit methods (Gerdts 2003),
//! whose stages contain derivatives themselves.
//!
//! - [`calculus`]: functions over any number type, and their derivatives.
//! - [`steps`]: discrete steps and their derivatives.
//! - [`sqp`]: nonlinear programs and their solution.
//! - [`problem`]: optimal control problems. [`shooting`]: their transcription.
//! - [`identification`]: parameters from measurements.
//! - [`lane_change`]: the double lane change of a car in minimum time. [`mod@file`]: problems as JSON files.
//!
//! ```
//! use hemiola_optimize::sqp::{SolverOptions, Status};
//! use hemiola_optimize::{ControlGrid, LaneChange, ShootingNodes, StepRule, Transcription};
//! use hemiola_tableau::{Scheme, library};
//!
//! let find = |id: &str| -> Result<_, Box<dyn std::error::Error>> { Ok(library::method(id)?) };
//! let rule = StepRule::new(&Scheme::parse("linearized:radau-iia-2", find)?, &[7])?;
//! let grid = ControlGrid { points: 26, steps: 2, shooting: ShootingNodes::Multiple, is_linear: true };
//! let lane = LaneChange::default();
//! let optimum = Transcription::new(lane.problem(), rule, grid)?.solve(&lane.guess(), SolverOptions::default(), &())?;
//! assert_eq!(optimum.solution.status, Status::Optimal);
//! assert!((optimum.found.duration - 7.702603).abs() < 1e-4); // s
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod calculus;
pub mod file;
pub mod identification;
pub mod lane_change;
pub mod problem;
pub mod shooting;
pub mod sqp;
pub mod steps;

pub use calculus::{Differentiable, Number, Smooth};
pub use file::{ControlFileError, ProblemFile};
pub use lane_change::{LaneChange, LaneTrack, SteeredCar};
pub use problem::{ControlProblem, Guess, ProblemError};
pub use shooting::{ControlGrid, ControlOptimum, Ringing, ShootingNodes, Transcription, solve_refined};
pub use steps::{
    ControlInterval, IntegratorSpan, ProblemSizes, Propagation, Propagator, RuleError, StateFlow, StepFailure,
    StepFrame, StepRule,
};

/// Example of the README, run with the other doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeDoctests;
