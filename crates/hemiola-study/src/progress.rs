//! Reports the progress of long computations.

/// Is notified of progress and asked whether to continue. Several threads report to the same one.
pub trait Progress: Sync {
    /// Records that this many more tasks are done; each study states the total.
    fn advance(&self, tasks: usize);

    /// Whether to end early with the results so far.
    fn is_interrupted(&self) -> bool;
}

/// Reports nothing and never interrupts.
impl Progress for () {
    fn advance(&self, _: usize) {}

    fn is_interrupted(&self) -> bool {
        false
    }
}
