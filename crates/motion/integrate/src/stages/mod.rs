//! Coefficients and stages of a step.
//!
//! `partition_tableaus` holds the tableau of each partition and `placed` the positions of its variables. `blocks`
//! groups the stages that are solved simultaneously, `equations` evaluates them, and `newton` decides on the
//! convergence of iterations.

pub(crate) mod blocks;
pub(crate) mod equations;
pub(crate) mod newton;
pub(crate) mod partition_tableaus;
pub(crate) mod placed;

pub use partition_tableaus::Extras;
