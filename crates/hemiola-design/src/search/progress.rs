//! The progress of a search, and whether to stop it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The phase of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Random starts are brought to the conditions and ranked.
    Starts,
    /// The best of them are followed to their minima.
    Descents,
    /// Measured errors are made small.
    Measured,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What it is doing.
    pub phase: Phase,
    /// The starts or descents that are done.
    pub done: usize,
    /// All starts or descents.
    pub all: usize,
    /// The smallest √(2 × objective) so far, the principal error norm where that alone is made small, or the reciprocal of the
    /// longest step that is accurate enough; infinite where there is none yet.
    pub best: f64,
}

/// Is notified of the progress and decides whether to stop.
pub(crate) struct Watch<'a> {
    progress: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync),
    pub(crate) stopped: &'a AtomicBool,
    phase: Phase,
    all: usize,
    done: AtomicUsize,
    /// Positive doubles are ordered as their bits are.
    best: AtomicU64,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(
        progress: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync),
        stopped: &'a AtomicBool,
        phase: Phase,
        all: usize,
    ) -> Self {
        let best = AtomicU64::new(f64::INFINITY.to_bits());
        Self { progress, stopped, phase, all, done: AtomicUsize::new(0), best }
    }

    pub(crate) fn see(&self, merit: f64) -> ControlFlow<()> {
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
