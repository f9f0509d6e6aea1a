//! The command line as people and programs use it.

mod analyzing;
mod checking;
mod common;
mod designing;
mod manners;
mod tables;
