//! Output shared by several commands: text for a terminal, sampled data, certificates and methods as files, and
//! progress of long computations.

pub(crate) mod certificate;
pub(crate) mod data;
pub(crate) mod file_lock;
pub(crate) mod interrupt;
pub(crate) mod new_method;
#[cfg(feature = "plotters")]
pub(crate) mod preview;
pub(crate) mod progress;
pub(crate) mod text;
pub(crate) mod writer;
