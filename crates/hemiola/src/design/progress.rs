//! What is seen of a search while it runs: a bar on a terminal, and Ctrl-C.

use std::ops::ControlFlow;

use hemiola::design::{Phase, Progress};
use indicatif::{ProgressBar, ProgressStyle};

use crate::interrupt::Interrupt;

/// Watches a search.
pub(super) struct Watch<'a> {
    bar: ProgressBar,
    interrupt: &'a Interrupt,
}

impl<'a> Watch<'a> {
    pub(super) fn new(interrupt: &'a Interrupt) -> Self {
        // The bar draws on the standard error, and on terminals alone.
        let bar = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        Self { bar, interrupt }
    }

    pub(super) fn see(&self, progress: Progress) -> ControlFlow<()> {
        let what = match progress.phase {
            Phase::Starts => "starts",
            Phase::Descents => "descents",
        };
        let best = if progress.best.is_finite() { format!(", objective {:.4}", progress.best) } else { String::new() };
        self.bar.set_length(progress.all as u64);
        self.bar.set_position(progress.done as u64);
        self.bar.set_message(format!("{what}{best}"));
        if self.interrupt.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Removes the bar.
    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
