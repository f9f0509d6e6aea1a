//! Machines against other programs, other formulations, and laws of mechanics.
#![allow(clippy::unwrap_used, reason = "helpers of tests, too, fail by panicking")]

mod allocations;
mod cartesian;
mod common;
mod faults;
mod files;
mod laws;
mod loops;
mod maneuvers;
mod pinocchio;
mod refinement;
