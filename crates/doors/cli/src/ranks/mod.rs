//! Searches distributed over the ranks of an MPI job: rank 0 distributes the tasks and writes the results; the other ranks execute the
//! tasks.
//!
//! `distribution` divides tasks among workers of any kind; `mpi`, enabled by the feature of that name, sends them to ranks.

#[cfg(any(feature = "mpi", test))]
mod distribution;
#[cfg(feature = "mpi")]
mod mpi;

#[cfg(feature = "mpi")]
pub(crate) use mpi::Ranks;

#[cfg(not(feature = "mpi"))]
mod single_process;
#[cfg(not(feature = "mpi"))]
pub(crate) use single_process::Ranks;
