//! The coefficients of a step, and its stages.
//!
//! `partition_tableaus` has the tableau of each partition, `placed` the positions of its variables; `blocks` divides
//! the stages into those that are solved simultaneously, `equations` evaluates them, and `newton` decides when
//! iterations have converged.

pub(crate) mod blocks;
pub(crate) mod equations;
pub(crate) mod newton;
pub(crate) mod partition_tableaus;
pub(crate) mod placed;

pub use partition_tableaus::Extras;
