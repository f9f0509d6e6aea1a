//! Progress of a search, and its interruption.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The phase of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Random starts are restored to the conditions and ranked.
    Starts,
    /// The best starts are followed to their minima.
    Descents,
    /// Measured errors are reduced.
    Measured,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The current phase.
    pub phase: Phase,
    /// The number of finished starts, descents or rounds.
    pub done: usize,
    /// The total number of starts, descents or rounds.
    pub all: usize,
    /// The smallest √(2 × objective) so far, which is the principal error norm if the objective has no other terms;
    /// for measured systems the reciprocal of the longest step that is accurate enough. Infinite if there is none
    /// yet.
    pub best: f64,
}

/// Reports progress and records a request to stop.
pub(crate) struct ProgressReporter<'a> {
    progress: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync),
    pub(crate) stopped: &'a AtomicBool,
    phase: Phase,
    all: usize,
    done: AtomicUsize,
    /// The bits of the smallest value; positive doubles are ordered as their bits are.
    best: AtomicU64,
}

impl<'a> ProgressReporter<'a> {
    pub(crate) fn new(
        progress: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync),
        stopped: &'a AtomicBool,
        phase: Phase,
        all: usize,
    ) -> Self {
        let best = AtomicU64::new(f64::INFINITY.to_bits());
        Self { progress, stopped, phase, all, done: AtomicUsize::new(0), best }
    }

    pub(crate) fn report(&self, merit: f64) -> ControlFlow<()> {
        let bits = merit.to_bits();
        let best = f64::from_bits(self.best.fetch_min(bits, Relaxed).min(bits));
        let done = self.done.fetch_add(1, Relaxed) + 1;
        let answer = (self.progress)(Progress { phase: self.phase, done, all: self.all, best });
        if answer.is_break() {
            self.stopped.store(true, Relaxed);
        }
        answer
    }
}
