//! The phases of a search, and its progress.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use hemiola_number::{Counter, Progress};

/// The phase that reports the first method of a race: its error norm, and 1 if it is proved.
pub const FIRST_METHOD: &str = "first method";
/// The phase in which random starts are restored to the conditions and ranked.
pub const STARTS: &str = "starts";
/// The phase in which the best starts are followed to their minima.
pub const DESCENTS: &str = "descents";
/// The phase in which measured errors are reduced.
pub const MEASURED: &str = "measured";
/// The phase in which the outer search changes the parameters of a design.
pub const TUNING: &str = "tuning";

/// Counts the finished starts, descents or rounds of a search, and reports the smallest merit so far.
pub(crate) struct MeritCounter<'a> {
    counter: Counter<'a>,
    name: &'static str,
    /// The bits of the smallest value; positive doubles have the same order as their bits.
    best: AtomicU64,
}

impl<'a> MeritCounter<'a> {
    /// Begins a phase; `name` is the name of its merit.
    pub(crate) fn new(progress: &'a dyn Progress, phase: &'static str, total: usize, name: &'static str) -> Self {
        let best = AtomicU64::new(f64::INFINITY.to_bits());
        Self { counter: Counter::new(progress, phase, Some(total)), name, best }
    }

    pub(crate) fn report(&self, merit: f64) -> ControlFlow<()> {
        let bits = merit.to_bits();
        let best = f64::from_bits(self.best.fetch_min(bits, Relaxed).min(bits));
        let values = [(self.name, best)];
        self.counter.advance_with(1, if best.is_finite() { &values } else { &[] })
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.counter.is_stopped()
    }
}
