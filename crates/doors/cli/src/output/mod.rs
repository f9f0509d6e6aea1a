//! Output shared by several commands: text for a terminal, sampled data, certificates and methods as files, and
//! progress of long computations.

pub(crate) mod certificate;
pub(crate) mod claim;
pub(crate) mod data;
pub(crate) mod interrupt;
pub(crate) mod new_method;
pub(crate) mod progress;
pub(crate) mod text;
pub(crate) mod writer;
