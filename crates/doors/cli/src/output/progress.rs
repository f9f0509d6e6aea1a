//! Progress of several tasks: a bar on a terminal, and Ctrl-C.

use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

#[cfg(feature = "motion")]
use hemiola::study::Progress;

use crate::output::interrupt::Interrupt;

/// Duration of computations that need no bar.
const SHORT: Duration = Duration::from_secs(1);

/// Interval between animation steps of spinners.
const TICK: Duration = Duration::from_millis(200);

/// Bar that counts finished tasks.
pub(crate) struct Bar {
    bar: ProgressBar,
    start: Instant,
}

impl Bar {
    /// Builds a bar for this many tasks; `noun` is the product of one task.
    pub(crate) fn new(tasks: usize, noun: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(tasks as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {noun}s, {{eta}} left")) {
            bar.set_style(style);
        }
        Self { bar, start: Instant::now() }
    }

    /// Records that this many more tasks are done.
    pub(crate) fn advance(&self, tasks: usize) {
        if self.bar.is_hidden() && self.start.elapsed() > SHORT {
            // The bar is drawn on standard error, and only on a terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(tasks as u64);
    }

    /// Removes the bar.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// Monitors tasks that may run concurrently and whose results are kept when interrupted.
pub(crate) struct TaskProgress {
    bar: Bar,
    interrupt: Interrupt,
}

impl TaskProgress {
    /// Builds a monitor for this many tasks; `noun` is the product of one task.
    pub(crate) fn new(tasks: usize, noun: &str) -> Self {
        Self { bar: Bar::new(tasks, noun), interrupt: Interrupt::listen() }
    }

    /// Runs a task unless Ctrl-C was pressed before.
    pub(crate) fn unless_interrupted<T>(&self, task: impl FnOnce() -> T) -> Option<T> {
        if self.interrupt.is_requested() {
            return None;
        }
        let result = task();
        self.bar.advance(1);
        Some(result)
    }

    /// Removes the bar.
    pub(crate) fn finish(self) {
        self.bar.finish();
    }
}

#[cfg(feature = "motion")]
impl Progress for TaskProgress {
    fn advance(&self, tasks: usize) {
        self.bar.advance(tasks);
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.is_requested()
    }
}

/// Shows the current step of a task that cannot be counted and leaves no results when interrupted.
pub(crate) struct Spinner {
    bar: ProgressBar,
}

impl Spinner {
    /// Builds a spinner, which is drawn on standard error, and only on a terminal.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(TICK);
        Self { bar }
    }

    /// Builds a spinner for a single task that is often short. If it takes long, the spinner appears with the elapsed
    /// time.
    pub(crate) fn delayed(task: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(task.to_owned());
        let later = bar.clone();
        std::thread::spawn(move || {
            std::thread::sleep(SHORT);
            if !later.is_finished() {
                later.set_draw_target(ProgressDrawTarget::stderr());
                later.enable_steady_tick(TICK);
            }
        });
        Self { bar }
    }

    /// Builds a spinner for a task whose number of `noun`s is counted but not known in advance.
    pub(crate) fn counting(task: &str, noun: &str) -> Self {
        let spinner = Self::delayed(task);
        if let Ok(style) =
            ProgressStyle::with_template(&format!("{{spinner}} {{msg}}, {{human_pos}} {noun}s, {{elapsed}}"))
        {
            spinner.bar.set_style(style);
        }
        spinner
    }

    /// Returns a function that increases the count from any thread.
    pub(crate) fn counter(&self) -> Arc<dyn Fn(usize) + Send + Sync> {
        let bar = self.bar.clone();
        Arc::new(move |count| bar.inc(count as u64))
    }

    /// Shows the next step.
    pub(crate) fn show_step(&self, task: &str) {
        self.bar.set_message(task.to_owned());
    }

    /// Removes the spinner.
    pub(crate) fn finish(self) {
        drop(self);
    }
}

/// Clears the spinner also if an error ends the task, so that nothing is left on the screen or appears later.
impl Drop for Spinner {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
