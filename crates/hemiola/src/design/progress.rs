//! What is seen of a search while it runs: a bar on a terminal, and Ctrl-C.

use std::ops::ControlFlow;

use hemiola::design::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use crate::interrupt::Interrupt;

/// Watches a search.
pub(super) struct Watch {
    bar: ProgressBar,
    interrupt: Interrupt,
}

impl Watch {
    pub(super) fn new(starts: usize) -> Self {
        // The bar draws on the standard error, and on terminals alone.
        let bar = ProgressBar::new(starts as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} starts, {eta} left{msg}") {
            bar.set_style(style);
        }
        Self { bar, interrupt: Interrupt::listen() }
    }

    pub(super) fn see(&self, progress: Progress) -> ControlFlow<()> {
        self.bar.set_position(progress.done as u64);
        if progress.best.is_finite() {
            self.bar.set_message(format!(", objective {:.4}", progress.best));
        }
        if self.interrupt.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Removes the bar. Whether the search was interrupted.
    pub(super) fn finish(self) -> bool {
        self.bar.finish_and_clear();
        self.interrupt.is_requested()
    }
}
