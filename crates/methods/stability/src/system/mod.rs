//! Stable steps of linear systems q' = Jq with variables divided among partitions.
//!
//! `block_system` defines the system and its step matrix M(h), which `step` computes from a tableau; `system_step` is
//! the interface of other methods. `stable_steps` finds the steps with ρ(M(h)) ≤ 1: along the eigenvalues of J if one
//! tableau advances all variables (`unpartitioned`), otherwise from samples of M (`partitioned`), or from products with
//! M for many variables (`large`). `decoupled` computes the stable steps of the single blocks.

mod block_system;
mod decoupled;
mod large;
mod partitioned;
mod sparse_rows;
mod stable_steps;
mod step;
mod system_step;
#[cfg(test)]
mod tests;
mod unpartitioned;

pub use block_system::{BlockSystem, STABILITY_MARGIN};
pub use decoupled::DecoupledBound;
pub use system_step::SystemStep;
