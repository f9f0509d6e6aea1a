//! Machines against other programs, other formulations, and laws of mechanics.

mod cartesian;
mod common;
mod loops;
mod pinocchio;
