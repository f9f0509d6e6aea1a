//! Designs that are stated by options alone: their methods name the command that makes them again.
//!
//! `ssp` and `implicit` have the options and the reports, `method_files` the files.

pub(crate) mod implicit;
mod method_files;
mod shared_options;
pub(crate) mod ssp;

pub(crate) use shared_options::SharedOptions;
