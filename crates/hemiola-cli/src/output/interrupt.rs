//! Ctrl-C: it ends the program with exit code 130, at once, or where something is listening once that came to a good end, so that
//! what was found so far is not lost.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The exit code of a program that Ctrl-C ended, by the custom of shells: 128 and the number of the signal.
pub(crate) const EXIT_CODE: u8 = 130;

/// A process has one handler, and the handler no other way to hear of those who listen.
static LISTENING: AtomicUsize = AtomicUsize::new(0);
static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Whether Ctrl-C was pressed. As long as one of these is about, a first Ctrl-C is a request; a second ends the program.
#[derive(Clone)]
pub(crate) struct Interrupt(#[expect(dead_code, reason = "counts those who listen")] Arc<Listener>);

/// One who listens from its making to its end.
struct Listener;

/// From now on Ctrl-C ends the program with exit code 130 rather than by a signal: scripts see one code on all systems.
pub(crate) fn exit_on_ctrl_c() {
    // Without a handler, Ctrl-C ends the program as ever.
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
    /// Listens from now on.
    pub(crate) fn listen() -> Self {
        LISTENING.fetch_add(1, Ordering::SeqCst);
        Self(Arc::new(Listener))
    }

    pub(crate) fn is_requested(&self) -> bool {
        REQUESTED.load(Ordering::SeqCst)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        LISTENING.fetch_sub(1, Ordering::SeqCst);
    }
}
