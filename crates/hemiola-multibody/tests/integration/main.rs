//! Machines against other programs, other formulations, and laws of mechanics.

mod common;
mod pinocchio;
