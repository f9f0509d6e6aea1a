//! Ctrl-C as a request: what runs comes to a good end, and what was found so far is not lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a program that Ctrl-C ended, by the custom of shells: 128 and the number of the signal.
pub(crate) const EXIT_CODE: u8 = 130;

/// Whether Ctrl-C was pressed.
#[derive(Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. A second Ctrl-C ends the program at once.
    pub(crate) fn listen() -> Self {
        let requested = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&requested);
        // Without a handler, Ctrl-C ends the program as ever.
        let _ = ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(EXIT_CODE));
            }
        });
        Self(requested)
    }

    pub(crate) fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
