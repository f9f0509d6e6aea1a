//! Progress of several checks: a bar on a terminal, and Ctrl-C.

use std::sync::OnceLock;

use hemiola::atlas::check::ClaimOrders;
use hemiola::order::{CheckOptions, OrderError};
use hemiola::tableau::Method;
use indicatif::{ProgressBar, ProgressStyle};

use crate::output::interrupt::Interrupt;
use crate::output::progress::Bar;

/// Monitors checks that may run concurrently.
pub(crate) struct CheckProgress {
    bar: ProgressBar,
    /// Progress bar for the conditions of a single method.
    conditions: OnceLock<Bar>,
    /// Interruption by Ctrl-C; `None` for a single check, which has nothing to save and ends immediately.
    interrupt: Option<Interrupt>,
}

impl CheckProgress {
    pub(crate) fn new(checks: usize) -> Self {
        if checks < 2 {
            return Self { bar: ProgressBar::hidden(), conditions: OnceLock::new(), interrupt: None };
        }
        // The bar is drawn on standard error, and only on a terminal.
        let bar = ProgressBar::new(checks as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} methods, {eta} left") {
            bar.set_style(style);
        }
        Self { bar, conditions: OnceLock::new(), interrupt: Some(Interrupt::listen()) }
    }

    /// Checks a method. A single check has its own bar and ends immediately when interrupted; one of several ends soon.
    pub(crate) fn report<R: ClaimOrders>(&self, method: &Method, options: CheckOptions) -> Result<R, OrderError> {
        if self.interrupt.is_none() {
            let conditions = usize::try_from(R::conditions(method, options)).unwrap_or(usize::MAX);
            self.conditions.get_or_init(|| Bar::new(conditions, "condition"));
        }
        let watch = |conditions| {
            if let Some(bar) = self.conditions.get() {
                bar.advance(conditions);
            }
            !self.interrupt.as_ref().is_some_and(Interrupt::is_requested)
        };
        R::watched(method, options, &watch)
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
        if let Some(bar) = self.conditions.into_inner() {
            bar.finish();
        }
    }
}
