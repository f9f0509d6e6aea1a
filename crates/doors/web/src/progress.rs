//! Progress of a search, and interruption.

use std::ops::ControlFlow;

/// Progress of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Current phase.
    pub phase: &'static str,
    /// Number of completed starts or descents.
    pub done: usize,
    /// Total number of starts or descents.
    pub all: usize,
    /// Smallest error norm so far; infinite if there is none yet.
    pub best: f64,
}

/// Receives progress of a search and can stop it.
pub type ProgressCallback<'a> = dyn Fn(Progress) -> ControlFlow<()> + Sync + 'a;
