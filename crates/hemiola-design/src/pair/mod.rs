//! What every file needs to know about a dual-rate pair.
//!
//! `partitions` numbers and names its two partitions, `place` says where a coefficient stands, `coefficients` is the array in which a
//! search holds all of them, and `decimals` writes them. `first_same_as_last` adds the first stage of the next step.

pub(crate) mod coefficients;
pub(crate) mod decimals;
pub(crate) mod first_same_as_last;
pub(crate) mod partitions;
pub(crate) mod place;
