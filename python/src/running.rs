//! Support for long computations: release of the interpreter, Ctrl-C, limited threads.

use std::ops::{ControlFlow, RangeInclusive};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hemiola::number::{Progress, Update};
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

use crate::errors::refused;

/// Interval between checks for signals and progress reports.
const INTERVAL: Duration = Duration::from_millis(50);

/// Valid numbers of threads; more than any machine has processors would only waste memory.
const THREADS: RangeInclusive<usize> = 1..=1024;

/// Calls f on the given number of threads, or on all processors.
fn bounded<T: Send>(threads: Option<usize>, f: impl FnOnce() -> T + Send) -> PyResult<T> {
    match threads {
        None => Ok(f()),
        Some(threads) if !THREADS.contains(&threads) => {
            Err(refused(format!("found {threads} threads; expected 1 to {}", THREADS.end())))
        }
        Some(threads) => {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(refused)?;
            Ok(pool.install(f))
        }
    }
}

/// Calls f without the interpreter's lock on limited threads, for computations that end within moments.
pub(crate) fn released<T: Send>(py: Python<'_>, threads: Option<usize>, f: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| bounded(threads, f))
}

/// The latest update of a computation.
pub(crate) struct LatestUpdate {
    pub(crate) phase: String,
    pub(crate) done: usize,
    pub(crate) total: usize,
    /// The most important intermediate result; infinite if there is none yet.
    pub(crate) value: f64,
}

/// Progress shared with the thread of the interpreter, which polls the latest update and can stop the computation.
#[derive(Default)]
pub(crate) struct SharedProgress {
    is_stopped: AtomicBool,
    /// Number in the latest update. Computations check whether to continue more often than this number changes.
    done: AtomicUsize,
    latest: Mutex<Option<LatestUpdate>>,
}

impl SharedProgress {
    fn take(&self) -> Option<LatestUpdate> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Progress for SharedProgress {
    fn report(&self, update: Update<'_>) -> ControlFlow<()> {
        if self.done.swap(update.done, Relaxed) != update.done || !update.values.is_empty() {
            *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(LatestUpdate {
                phase: update.phase.to_owned(),
                done: update.done,
                total: update.total.unwrap_or_default(),
                value: update.values.first().map_or(f64::INFINITY, |(_, value)| *value),
            });
        }
        if self.is_stopped.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Calls f without the interpreter's lock on a separate thread, while this thread handles Ctrl-C and passes updates to `tell`. Also
/// returns the exception that stopped f.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    f: impl FnOnce(&SharedProgress) -> T + Send,
    mut tell: impl FnMut(LatestUpdate) -> PyResult<()>,
) -> PyResult<(T, Option<PyErr>)> {
    let progress = SharedProgress::default();
    let mut tell = || progress.take().map_or(Ok(()), &mut tell);
    let mut exception: Option<PyErr> = None;
    let result = std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        let progress = &progress;
        scope.spawn(move || {
            // The Python thread resumes the panic. The state that the panic leaves incomplete is not used again.
            let result = catch_unwind(AssertUnwindSafe(|| bounded(threads, || f(progress))));
            // The receiver exists until this value arrives, so sending cannot fail.
            let _ = sender.send(result);
        });
        loop {
            // The receiver must not cross threads with the lock, so the wait releases the lock here.
            let waited = {
                let receiver = Exclusive(&receiver);
                py.detach(move || receiver.wait())
            };
            match waited {
                Ok(Err(panic)) => resume_unwind(panic),
                Ok(Ok(result)) => {
                    // Report the remaining progress, so that a progress bar ends with the work.
                    if exception.is_none() {
                        exception = tell().err();
                    }
                    return result;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(refused("the computation ended without a result; please report this"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let heard = py.check_signals().and_then(|()| if exception.is_none() { tell() } else { Ok(()) });
                    if let Err(error) = heard {
                        progress.is_stopped.store(true, Relaxed);
                        exception.get_or_insert(error);
                    }
                }
            }
        }
    });
    Ok((result?, exception))
}

/// Exclusive access to the receiver during a wait.
struct Exclusive<'a, T>(&'a std::sync::mpsc::Receiver<T>);

// SAFETY: `Python::detach` runs its closure on the calling thread, and the receiver is not used elsewhere meanwhile.
#[allow(unsafe_code, reason = "a receiver is lent to the same thread")]
unsafe impl<T: Send> Send for Exclusive<'_, T> {}

impl<T> Exclusive<'_, T> {
    fn wait(&self) -> Result<T, RecvTimeoutError> {
        self.0.recv_timeout(INTERVAL)
    }
}
