//! The command line as used by people and programs.

mod analyzing;
mod behavior;
mod checking;
mod common;
mod designing;
mod tables;
