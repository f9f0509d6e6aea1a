//! Progress of long computations.

/// Receives the progress of a study and can stop it. Called from several threads.
pub trait Progress: Sync {
    /// Records that `tasks` more tasks are done; each study documents its total.
    fn advance(&self, tasks: usize);

    /// Returns whether the study shall stop and return its results so far.
    fn is_interrupted(&self) -> bool;
}

/// Reports nothing and never interrupts.
impl Progress for () {
    fn advance(&self, _: usize) {}

    fn is_interrupted(&self) -> bool {
        false
    }
}
