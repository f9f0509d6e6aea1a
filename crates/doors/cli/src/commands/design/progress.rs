//! Progress of a search: a bar on a terminal, and Ctrl-C.

use std::ops::ControlFlow;

use hemiola::design::{Phase, Progress, TuningProgress};
use indicatif::{ProgressBar, ProgressStyle};

use crate::output::interrupt::Interrupt;

/// Monitors a search.
#[derive(Clone)]
pub(crate) struct SearchProgress {
    bar: ProgressBar,
    interrupt: Interrupt,
}

impl SearchProgress {
    pub(crate) fn new(interrupt: &Interrupt) -> Self {
        // The bar is drawn on standard error, and only on a terminal.
        let bar = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
            bar.set_style(style);
        }
        Self { bar, interrupt: interrupt.clone() }
    }

    pub(crate) fn see(&self, progress: Progress) -> ControlFlow<()> {
        let what = match progress.phase {
            Phase::Starts => "starts",
            Phase::Descents => "descents",
            Phase::Measured => "rounds",
        };
        let measure = if progress.phase == Phase::Measured { "steps in a unit of time" } else { "objective" };
        let best = if progress.best.is_finite() { format!(", {measure} {:.4}", progress.best) } else { String::new() };
        self.show(progress.done as u64, progress.all as u64, format!("{what}{best}"))
    }

    /// Reports an outer search of `all` iterations.
    pub(crate) fn see_tuned(&self, tuned: TuningProgress, all: u64) -> ControlFlow<()> {
        self.show(tuned.done, all, format!("iterations, coupled limit {:.4} of the fast limit", tuned.best))
    }

    fn show(&self, done: u64, all: u64, message: String) -> ControlFlow<()> {
        self.bar.set_length(all);
        self.bar.set_position(done);
        self.bar.set_message(message);
        if self.interrupt.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Removes the bar.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
