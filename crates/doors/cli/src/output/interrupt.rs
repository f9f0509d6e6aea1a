//! Ctrl-C handling. Ctrl-C ends the program with exit code 130: immediately, or, if a listener is active, after the
//! listener has finished in an orderly way, so that results so far are not lost.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Exit code of a program ended by Ctrl-C, by shell convention: 128 plus the signal number.
pub(crate) const EXIT_CODE: u8 = 130;

/// Number of listeners. A process has one handler, which can reach the listeners only through a static.
static LISTENING: AtomicUsize = AtomicUsize::new(0);
static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Listener for Ctrl-C. While one of these exists, the first Ctrl-C is a request; a second one ends the program.
#[derive(Clone)]
pub(crate) struct Interrupt(#[expect(dead_code, reason = "counts those who listen")] Arc<InterruptListener>);

/// Registered listener, active as long as it exists.
struct InterruptListener;

/// Installs a handler that ends the program at Ctrl-C with exit code 130 instead of a signal, so that scripts see the same code on all
/// systems.
pub(crate) fn exit_on_ctrl_c() {
    // If installation fails, Ctrl-C ends the program as usual.
    let _ = ctrlc::set_handler(|| {
        let is_first = !REQUESTED.swap(true, Ordering::SeqCst);
        if is_first && LISTENING.load(Ordering::SeqCst) > 0 {
            return;
        }
        // Standard error may be closed.
        let _ = writeln!(io::stderr(), "interrupted");
        std::process::exit(i32::from(EXIT_CODE));
    });
}

impl Interrupt {
    /// Starts listening.
    pub(crate) fn listen() -> Self {
        LISTENING.fetch_add(1, Ordering::SeqCst);
        Self(Arc::new(InterruptListener))
    }

    pub(crate) fn is_requested(&self) -> bool {
        REQUESTED.load(Ordering::SeqCst)
    }
}

impl Drop for InterruptListener {
    fn drop(&mut self) {
        LISTENING.fetch_sub(1, Ordering::SeqCst);
    }
}
