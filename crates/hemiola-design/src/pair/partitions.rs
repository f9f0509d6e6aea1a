//! The two partitions: their numbers, their names, and how many stages they may have.

/// The slow partition is the first, the fast one the second.
pub(crate) const SLOW: usize = 0;
pub(crate) const FAST: usize = 1;

/// What the partitions are called in files and in names of coefficients, …
pub(crate) const NAMES: [&str; 2] = ["slow", "fast"];
/// … and in trees.
pub(crate) const LABELS: [&str; 2] = ["s", "f"];

/// More stages than anyone has found dual-rate pairs for.
pub(crate) const MOST_STAGES: usize = 20;
