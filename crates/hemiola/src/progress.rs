//! What is seen of a long table while it is made: a bar on a terminal, and Ctrl-C.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::interrupt::Interrupt;

/// Tables that take less need no bar.
const SHORT: Duration = Duration::from_secs(1);

/// Watches over the cells of a table, which are filled at the same time.
pub(super) struct Watch {
    bar: ProgressBar,
    start: Instant,
    interrupt: Interrupt,
}

impl Watch {
    pub(super) fn new(cells: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(cells as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} polynomials, {eta} left") {
            bar.set_style(style);
        }
        Self { bar, start: Instant::now(), interrupt: Interrupt::listen() }
    }

    /// Fills a cell unless Ctrl-C was pressed before.
    pub(super) fn unless_interrupted<T>(&self, fill: impl FnOnce() -> T) -> Option<T> {
        if self.interrupt.is_requested() {
            return None;
        }
        let result = fill();
        if self.bar.is_hidden() && self.start.elapsed() > SHORT {
            // It draws on the standard error, and on terminals alone.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(1);
        Some(result)
    }

    /// Removes the bar.
    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
