//! Progress of long computations, and their interruption.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// State of a running computation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Update<'a> {
    /// Name of the current phase, usually the units that it counts, such as "starts".
    pub phase: &'a str,
    /// Number of units done in this phase.
    pub done: usize,
    /// Number of units in this phase, if known.
    pub total: Option<usize>,
    /// Intermediate results with their names, the most important first, such as the smallest norm so far.
    pub values: &'a [(&'a str, f64)],
}

/// Receives the progress of a computation and can stop it.
///
/// Called from several threads. After the first `Break` a computation ends soon and returns its results so far, or an
/// error if there are none. `()` ignores all updates; functions of an [`Update`] are receivers.
///
/// ```
/// use std::ops::ControlFlow;
/// use hemiola_number::{Counter, Progress, Update};
///
/// fn harmonic(terms: usize, progress: &dyn Progress) -> f64 {
///     let counter = Counter::new(progress, "terms", Some(terms));
///     let mut sum = 0.0;
///     for k in 1..=terms {
///         sum += 1.0 / k as f64;
///         if counter.advance_with(1, &[("sum", sum)]).is_break() {
///             break;
///         }
///     }
///     sum
/// }
///
/// assert_eq!(harmonic(4, &()), 1.0 + 1.0 / 2.0 + 1.0 / 3.0 + 1.0 / 4.0);
/// let three = |update: Update<'_>| if update.done < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
/// assert_eq!(harmonic(1000, &three), 1.0 + 1.0 / 2.0 + 1.0 / 3.0);
/// ```
pub trait Progress: Sync {
    /// Receives an update, and returns whether to continue.
    fn report(&self, update: Update<'_>) -> ControlFlow<()>;
}

/// Ignores all updates and never stops.
impl Progress for () {
    fn report(&self, _: Update<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: Fn(Update<'_>) -> ControlFlow<()> + Sync> Progress for F {
    fn report(&self, update: Update<'_>) -> ControlFlow<()> {
        self(update)
    }
}

/// Counts the units done in one phase of a computation, from several threads.
///
/// As a [`Progress`] of a part of the computation it reports its own phase and count instead of those of the part.
pub struct Counter<'a> {
    progress: &'a dyn Progress,
    phase: &'a str,
    total: Option<usize>,
    done: AtomicUsize,
    is_stopped: AtomicBool,
}

impl<'a> Counter<'a> {
    /// Begins a phase.
    pub fn new(progress: &'a dyn Progress, phase: &'a str, total: Option<usize>) -> Self {
        Self { progress, phase, total, done: AtomicUsize::new(0), is_stopped: AtomicBool::new(false) }
    }

    /// Reports that `count` more units are done; zero asks only whether to continue.
    pub fn advance(&self, count: usize) -> ControlFlow<()> {
        self.advance_with(count, &[])
    }

    /// Reports that `count` more units are done, with intermediate results.
    pub fn advance_with(&self, count: usize, values: &[(&str, f64)]) -> ControlFlow<()> {
        // Updates with a count of zero are frequent and must not make threads wait for each other.
        let done = if count == 0 { self.done.load(Relaxed) } else { self.done.fetch_add(count, Relaxed) + count };
        let answer = self.progress.report(Update { phase: self.phase, done, total: self.total, values });
        if answer.is_break() {
            self.is_stopped.store(true, Relaxed);
        }
        answer
    }

    /// Performs the task of one unit, unless the phase is stopped.
    pub fn run<T>(&self, task: impl FnOnce() -> T) -> Option<T> {
        if self.advance(0).is_break() {
            return None;
        }
        let result = task();
        // The next task checks again.
        let _ = self.advance(1);
        Some(result)
    }

    /// Returns whether a report was answered by `Break`.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Relaxed)
    }
}

impl Progress for Counter<'_> {
    fn report(&self, _: Update<'_>) -> ControlFlow<()> {
        self.advance(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_reports_the_count_of_the_whole_and_stops_it() {
        let seen = std::sync::Mutex::new(Vec::new());
        let progress = |update: Update<'_>| {
            seen.lock().unwrap().push((update.phase.to_owned(), update.done, update.total));
            if update.done < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let whole = Counter::new(&progress, "runs", Some(7));
        assert!(whole.advance(3).is_continue() && !whole.is_stopped());
        let part = Counter::new(&whole, "steps", None);
        assert!(part.advance(100).is_continue() && !part.is_stopped());
        assert!(whole.advance(2).is_break() && part.advance(1).is_break());
        assert!(whole.is_stopped() && part.is_stopped());
        let runs = |done| ("runs".to_owned(), done, Some(7));
        assert_eq!(*seen.lock().unwrap(), [runs(3), runs(3), runs(5), runs(5)]);
    }
}
