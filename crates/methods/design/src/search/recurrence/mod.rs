//! The search in the coordinates of a recurrence, in which every pair has the fast polynomial.
//!
//! `formulation` has the starts for every set of slow stages and raises the coupled profile from their ends, with the
//! conditions and errors of `systems` and the coupled steps of `boxes`. `preferred` chooses among all pairs on the way by the rule of the
//! specification.

pub(crate) mod boxes;
pub(crate) mod formulation;
mod preferred;
pub(crate) mod systems;
