//! What long computations share: the interpreter is released, Ctrl-C is heard, threads are bounded.

use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

use crate::errors::refused;

/// How often the interpreter is asked for signals, and progress is told.
const INTERVAL: Duration = Duration::from_millis(50);

/// More threads than any machine has processors take memory only.
const THREADS: RangeInclusive<usize> = 1..=1024;

/// f on this many threads, or on as many as there are processors.
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

/// f without the interpreter's lock, on bounded threads: for what ends within moments.
pub(crate) fn released<T: Send>(py: Python<'_>, threads: Option<usize>, f: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| bounded(threads, f))
}

/// f without the interpreter's lock on a thread of its own, while this one hears Ctrl-C and tells `progress` what there is to tell. f
/// is given a flag that says whether to stop, and ends in good order when it is set; the exception that has set it is returned beside
/// the result.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    f: impl FnOnce(&Arc<AtomicBool>) -> T + Send,
    mut progress: impl FnMut(Python<'_>) -> PyResult<()>,
) -> PyResult<(T, Option<PyErr>)> {
    let stop = Arc::new(AtomicBool::new(false));
    let mut exception: Option<PyErr> = None;
    let result = std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        let stop = &stop;
        scope.spawn(move || {
            // A panic goes on where Python can hear of it. Whatever it left half done is not looked at again.
            let result = catch_unwind(AssertUnwindSafe(|| bounded(threads, || f(stop))));
            // Nobody else listens; who listens waits for this.
            let _ = sender.send(result);
        });
        loop {
            // The receiver must not cross threads with the lock, so that it is asked with the lock released here.
            let waited = {
                let receiver = Exclusive(&receiver);
                py.detach(move || receiver.wait())
            };
            match waited {
                Ok(Err(panic)) => resume_unwind(panic),
                Ok(Ok(result)) => {
                    // What was done since the last time: a bar ends where the work ends.
                    if exception.is_none() {
                        exception = progress(py).err();
                    }
                    return result;
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(refused("the computation ended without a result; please report this"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let heard =
                        py.check_signals().and_then(|()| if exception.is_none() { progress(py) } else { Ok(()) });
                    if let Err(error) = heard {
                        stop.store(true, Relaxed);
                        exception.get_or_insert(error);
                    }
                }
            }
        }
    });
    Ok((result?, exception))
}

/// The one who waits has the receiver to himself.
struct Exclusive<'a, T>(&'a std::sync::mpsc::Receiver<T>);

// SAFETY: `Python::detach` runs its closure on the calling thread, and the receiver is used nowhere else meanwhile.
#[allow(unsafe_code, reason = "a receiver is lent to the same thread")]
unsafe impl<T: Send> Send for Exclusive<'_, T> {}

impl<T> Exclusive<'_, T> {
    fn wait(&self) -> Result<T, RecvTimeoutError> {
        self.0.recv_timeout(INTERVAL)
    }
}
