//! Searches distributed over the ranks of an MPI job: rank 0 hands out the tasks and writes the results, the others
//! work.
//!
//! `hand_out` divides tasks among workers of any kind; `mpi`, enabled by the feature of that name, sends them to ranks.

#[cfg(any(feature = "mpi", test))]
mod hand_out;
#[cfg(feature = "mpi")]
mod mpi;

#[cfg(feature = "mpi")]
pub(crate) use mpi::Ranks;

#[cfg(not(feature = "mpi"))]
mod alone;
#[cfg(not(feature = "mpi"))]
pub(crate) use alone::Ranks;
