//! Representation of a dual-rate pair.
//!
//! `partitions` numbers and names its two partitions, `place` is the position of a coefficient, `coefficients` is
//! the array in which a search stores all of them, and `decimals` formats them. `first_same_as_last` appends the
//! first stage of the next step.

pub(crate) mod coefficients;
pub(crate) mod decimals;
pub(crate) mod first_same_as_last;
pub(crate) mod partitions;
pub(crate) mod place;
