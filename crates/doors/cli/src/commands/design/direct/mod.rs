//! Designs that are stated by options alone: their methods name the command that makes them again.
//!
//! A file for each kind has its options and its report; `job` is the course of all, `files` writes method, certificate
//! and figure, and `design_file` keeps the command.

pub(crate) mod design_file;
pub(crate) mod files;
pub(crate) mod implicit;
mod job;
pub(crate) mod mri;
mod shared_options;
pub(crate) mod ssp;
pub(crate) mod storage;

pub(crate) use files::DirectOutput;
pub(crate) use job::{DirectDesign, DirectJob};
pub(crate) use shared_options::SharedOptions;
