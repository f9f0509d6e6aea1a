//! The two partitions: indices, names, and the largest number of stages.

/// Index of the slow partition; the fast partition follows.
pub(crate) const SLOW: usize = 0;
pub(crate) const FAST: usize = 1;

/// Names of the partitions in files and in names of coefficients.
pub(crate) const NAMES: [&str; 2] = ["slow", "fast"];
/// Labels of the partitions in trees.
pub(crate) const LABELS: [&str; 2] = ["s", "f"];

/// Largest number of stages, beyond all known dual-rate pairs.
pub(crate) const MOST_STAGES: usize = 24;
