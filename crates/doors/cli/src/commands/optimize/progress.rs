//! Progress of the iterations on a terminal, and Ctrl-C.

use hemiola::optimize::sqp::{Iteration, SolverWatch};
use indicatif::{ProgressBar, ProgressStyle};

use crate::output::interrupt::Interrupt;

/// Shows the last iterate.
pub(crate) struct IterationProgress {
    line: ProgressBar,
    interrupt: Interrupt,
}

impl IterationProgress {
    pub(crate) fn new() -> Self {
        // Drawn on standard error, and only on a terminal.
        let line = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            line.set_style(style);
        }
        Self { line, interrupt: Interrupt::listen() }
    }

    /// Removes the line.
    pub(crate) fn finish(&self) {
        self.line.finish_and_clear();
    }
}

impl SolverWatch for IterationProgress {
    fn iterate(&mut self, iteration: &Iteration) {
        let Iteration { number, objective, violation, residual, .. } = iteration;
        self.line.set_message(format!(
            "iteration {number}, objective {objective:.6}, violation {violation:.1e}, residual {residual:.1e}"
        ));
        self.line.tick();
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.is_requested()
    }
}
