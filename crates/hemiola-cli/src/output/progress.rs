//! What is seen of many tasks while they are done: a bar on a terminal, and Ctrl-C.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use hemiola::study::Progress;

use crate::output::interrupt::Interrupt;

/// What takes less needs no bar.
const SHORT: Duration = Duration::from_secs(1);

/// How many of some tasks are done.
pub(crate) struct Bar {
    bar: ProgressBar,
    start: Instant,
}

impl Bar {
    /// So many tasks; `noun` is what one of them makes.
    pub(crate) fn new(tasks: usize, noun: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(tasks as u64), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {noun}s, {{eta}} left")) {
            bar.set_style(style);
        }
        Self { bar, start: Instant::now() }
    }

    /// So many tasks more are done.
    pub(crate) fn advance(&self, tasks: usize) {
        if self.bar.is_hidden() && self.start.elapsed() > SHORT {
            // It draws on the standard error, and on terminals alone.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(tasks as u64);
    }

    /// Removes the bar.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}

/// Watches over tasks that leave something behind when they are interrupted; they may run at the same time.
pub(crate) struct TaskProgress {
    bar: Bar,
    interrupt: Interrupt,
}

impl TaskProgress {
    /// So many tasks; `noun` is what one of them makes.
    pub(crate) fn new(tasks: usize, noun: &str) -> Self {
        Self { bar: Bar::new(tasks, noun), interrupt: Interrupt::listen() }
    }

    /// Does a task unless Ctrl-C was pressed before.
    pub(crate) fn unless_interrupted<T>(&self, task: impl FnOnce() -> T) -> Option<T> {
        if self.interrupt.is_requested() {
            return None;
        }
        let result = task();
        self.advance(1);
        Some(result)
    }

    /// So many tasks more are done.
    pub(crate) fn advance(&self, tasks: usize) {
        self.bar.advance(tasks);
    }

    /// Removes the bar.
    pub(crate) fn finish(self) {
        self.bar.finish();
    }
}

impl Progress for TaskProgress {
    fn advance(&self, tasks: usize) {
        self.bar.advance(tasks);
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.is_requested()
    }
}

/// What is done at present, of a task that cannot be counted and leaves nothing behind when it is interrupted.
pub(crate) struct Spinner {
    bar: ProgressBar,
}

impl Spinner {
    /// It draws on the standard error, and on terminals alone.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar }
    }

    /// What comes next.
    pub(crate) fn says(&self, task: &str) {
        self.bar.set_message(task.to_owned());
    }

    /// Removes it.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
