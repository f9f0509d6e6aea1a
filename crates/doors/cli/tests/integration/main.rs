//! The command line as used by people and programs.

mod analyzing;
mod checking;
mod common;
mod designing;
mod manners;
mod tables;
