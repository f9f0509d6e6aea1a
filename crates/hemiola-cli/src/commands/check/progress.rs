//! Progress of several checks: a bar on a terminal, and Ctrl-C.

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::interrupt::Interrupt;

/// Monitors checks that may run concurrently.
pub(crate) struct CheckProgress {
    bar: ProgressBar,
    /// A single check has nothing to save when interrupted; it just ends.
    interrupt: Option<Interrupt>,
}

impl CheckProgress {
    pub(crate) fn new(checks: usize) -> Self {
        if checks < 2 {
            return Self { bar: ProgressBar::hidden(), interrupt: None };
        }
        // The bar is drawn on standard error, and only on a terminal.
        let bar = ProgressBar::new(checks as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} methods, {eta} left") {
            bar.set_style(style);
        }
        Self { bar, interrupt: Some(Interrupt::listen()) }
    }

    /// Runs a check unless Ctrl-C was pressed before it began.
    pub(crate) fn unless_interrupted<T>(&self, check: impl FnOnce() -> T) -> Option<T> {
        if self.interrupt.as_ref().is_some_and(Interrupt::is_requested) {
            return None;
        }
        let result = check();
        self.bar.inc(1);
        Some(result)
    }

    /// Removes the bar.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
