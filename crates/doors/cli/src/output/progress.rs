//! Progress of computations: a line on a terminal, and Ctrl-C.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use hemiola::number::{Progress, Update};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::interrupt::Interrupt;

/// Duration up to which a computation shows no progress line.
const SHORT: Duration = Duration::from_secs(1);

/// Interval between animation steps of spinners.
const TICK: Duration = Duration::from_millis(200);

/// Lines for phases with a known and with an unknown total.
const BAR: &str = "{bar:30} {pos}/{len} {msg}, {eta} left";
const SPINNER: &str = "{spinner} {msg}, {elapsed}";

/// Shows the progress of a computation in a line on standard error, if it is a terminal and the computation takes more
/// than a second, and stops the computation on Ctrl-C if there is a listener.
pub(crate) struct Monitor {
    line: ProgressBar,
    is_visible: Arc<AtomicBool>,
    /// Phase and number of units in the line.
    shown: Mutex<(String, usize)>,
    interrupt: Option<Interrupt>,
}

impl Monitor {
    /// Builds a monitor of a computation without partial results: Ctrl-C ends the program.
    pub(crate) fn new() -> Self {
        Self::of(None)
    }

    /// Builds a monitor of a computation that Ctrl-C stops.
    pub(crate) fn stopped_by(interrupt: &Interrupt) -> Self {
        Self::of(Some(interrupt.clone()))
    }

    fn of(interrupt: Option<Interrupt>) -> Self {
        let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let is_visible = Arc::new(AtomicBool::new(false));
        if io::stderr().is_terminal() {
            let (line, is_visible) = (line.clone(), Arc::clone(&is_visible));
            thread::spawn(move || {
                thread::sleep(SHORT);
                if !line.is_finished() {
                    line.set_draw_target(ProgressDrawTarget::stderr());
                    line.enable_steady_tick(TICK);
                    is_visible.store(true, Relaxed);
                }
            });
        }
        Self { line, is_visible, shown: Mutex::default(), interrupt }
    }

    /// Shows the next step of a computation that reports no progress.
    pub(crate) fn announce(&self, step: &str) {
        self.show(Update { phase: step, ..Update::default() });
    }

    fn show(&self, update: Update<'_>) {
        // If another thread holds the lock, it shows an equally recent update.
        let Ok(mut shown) = self.shown.try_lock() else { return };
        let is_new = shown.0 != update.phase;
        if !is_new && (!self.is_visible.load(Relaxed) || shown.1 == update.done && update.values.is_empty()) {
            return;
        }
        if is_new {
            update.phase.clone_into(&mut shown.0);
            let template = if update.total.is_some() { BAR } else { SPINNER };
            if let Ok(style) = ProgressStyle::with_template(template) {
                self.line.set_style(style);
            }
        }
        shown.1 = update.done;
        if let Some(total) = update.total {
            self.line.set_length(total as u64);
        }
        self.line.set_position(update.done as u64);
        self.line.set_message(message(update));
    }

    /// Removes the line.
    pub(crate) fn finish(self) {
        drop(self);
    }
}

/// Formats the phase, the number of units unless the bar shows it, and the intermediate results.
fn message(update: Update<'_>) -> String {
    let mut text = update.phase.to_owned();
    if update.total.is_none() && update.done > 0 {
        text = format!("{} {text}", update.done);
    }
    for (name, value) in update.values {
        let number = if (1e-3..1e6).contains(&value.abs()) { format!("{value:.4}") } else { format!("{value:.1e}") };
        text += &format!(", {name} {number}");
    }
    text
}

impl Progress for Monitor {
    fn report(&self, update: Update<'_>) -> ControlFlow<()> {
        self.show(update);
        let is_stopped = self.interrupt.as_ref().is_some_and(Interrupt::is_requested);
        if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Clears the line even if an error ends the computation, so that nothing remains on the screen or appears later.
impl Drop for Monitor {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_phase_count_and_results() {
        let values = [("objective", 0.189_71), ("violation", 1e-9)];
        let update = Update { phase: "iterations", done: 3, total: None, values: &values };
        assert_eq!(message(update), "3 iterations, objective 0.1897, violation 1.0e-9");
        assert_eq!(message(Update { total: Some(9), values: &[], ..update }), "iterations");
        assert_eq!(message(Update { phase: "Fig. 8", ..Update::default() }), "Fig. 8");
    }
}
