//! How far a search has got, and whether it goes on.

use std::ops::ControlFlow;

/// How far a search has got.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What it is doing.
    pub phase: &'static str,
    /// The starts or descents that are done.
    pub done: usize,
    /// All of them.
    pub all: usize,
    /// The smallest error norm so far; infinite where there is none yet.
    pub best: f64,
}

/// What is told how far a search has got, and may end it.
pub type Report<'a> = dyn Fn(Progress) -> ControlFlow<()> + Sync + 'a;
