//! Solvers, each for the problems it suits best.
//!
//! `closed_form` contains the known optima. On the real axis `remez` exchanges the points of an `alternation`. For all
//! other spectra `search` begins with a `conic` program on a `sampled` boundary, finds the `contact_points` (their
//! multipliers by `least_squares`), and solves the conditions of `optimality` by Newton's method; `continuation`
//! proceeds from few stages to many on the imaginary axis. `fixed_scale` solves the problem at one scale, under linear
//! conditions.

pub(crate) mod alternation;
pub(crate) mod closed_form;
mod conic;
mod contact_points;
pub(crate) mod continuation;
pub(crate) mod fixed_scale;
mod least_squares;
pub(crate) mod optimality;
pub(crate) mod remez;
mod sampled;
pub(crate) mod search;
