//! What there is without MPI.

use hemiola::design::Search;

/// This process.
pub(crate) struct Ranks;

impl Ranks {
    /// Joins the job that this process belongs to, or none.
    pub(crate) fn join() -> Self {
        Self
    }

    /// The number of processes.
    pub(crate) fn count(&self) -> usize {
        1
    }

    /// Works for rank 0 until that ends, in every other rank; whether this is one of them.
    pub(crate) fn work(&self) -> bool {
        false
    }

    /// The search with its tasks done by all other ranks, if there are any.
    pub(crate) fn share<'a>(&'a self, search: Search<'a>) -> Search<'a> {
        search
    }
}
