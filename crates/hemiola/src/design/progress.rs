//! What is seen of a search while it runs: a bar on a terminal, and Ctrl-C.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hemiola::design::Progress;
use indicatif::{ProgressBar, ProgressStyle};

/// Watches a search.
pub(super) struct Watch {
    bar: ProgressBar,
    interrupted: Arc<AtomicBool>,
}

impl Watch {
    pub(super) fn new(starts: usize) -> Self {
        // The bar draws on the standard error, and on terminals alone.
        let bar = ProgressBar::new(starts as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} starts, {eta} left{msg}") {
            bar.set_style(style);
        }
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&interrupted);
        // Without a handler, Ctrl-C ends the program as ever. A second one does so too.
        let _ = ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        Self { bar, interrupted }
    }

    pub(super) fn see(&self, progress: Progress) -> ControlFlow<()> {
        self.bar.set_position(progress.done as u64);
        if progress.best_norm.is_finite() {
            self.bar.set_message(format!(", error norm {:.4}", progress.best_norm));
        }
        if self.interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Removes the bar. Whether the search was interrupted.
    pub(super) fn finish(self) -> bool {
        self.bar.finish_and_clear();
        self.interrupted.load(Ordering::Relaxed)
    }
}
