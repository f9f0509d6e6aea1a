//! Designs that options define completely. Each method states the command that reproduces it.
//!
//! Each kind has a file with its options and its report; `job` contains the steps that are common to all kinds, `files` writes method,
//! certificate and figure, and `design_file` stores the command.

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
