//! Stable steps of linear systems q' = Jq whose variables are divided among partitions.
//!
//! `block_system` has the system and its step matrix M(h), which `step` computes; `stable_steps` finds where ρ(M(h)) ≤ 1: along the
//! eigenvalues of J where one tableau advances all variables (`unpartitioned`), from samples of M itself otherwise (`partitioned`),
//! and from products with M where there are many variables (`large`).
//! `decoupled` has what the blocks would allow alone.

mod block_system;
mod decoupled;
mod large;
mod partitioned;
mod sparse_rows;
mod stable_steps;
mod step;
#[cfg(test)]
mod tests;
mod unpartitioned;

pub use block_system::{BlockSystem, STABILITY_MARGIN};
pub use decoupled::DecoupledBound;
