//! Designs of other kinds than dual-rate pairs for long steps: SSP methods, and methods in low-storage forms. Their method
//! files name the command that reproduces them.

mod method_file;
pub(crate) mod shared;
pub(crate) mod ssp;
pub(crate) mod storage;
