//! Implicit, linearized and singular-perturbation steppers against stability matrices, predicted orders and exact solutions.

#![allow(clippy::unwrap_used, reason = "helpers of tests, too, fail by panicking")]

mod linear;
mod linearized;
mod order;
mod problems;
mod singular_perturbation;
mod stiff;
