//! Replacement of the ranks in builds without MPI.

use hemiola::design::Search;

/// Single process of this job.
pub(crate) struct Ranks;

impl Ranks {
    /// Joins the job to which this process belongs, if there is one.
    pub(crate) fn join() -> Self {
        Self
    }

    /// Returns the number of processes.
    pub(crate) fn count(&self) -> usize {
        1
    }

    /// Executes tasks for rank 0 until rank 0 ends, if this is another rank. Returns whether this is another rank.
    pub(crate) fn work(&self) -> bool {
        false
    }

    /// Distributes the tasks of the search to all other ranks, if there are any.
    pub(crate) fn share<'a>(&'a self, search: Search<'a>) -> Search<'a> {
        search
    }
}
