//! Nonlinear stability and reducibility.
//!
//! - `algebraic`: algebraic stability.
//! - `reducibility`: stages without influence on the step, and stages that are always equal.

mod algebraic;
mod reducibility;

pub use algebraic::{AlgebraicStability, algebraic_stability};
pub use reducibility::{Reducibility, reducibility};
