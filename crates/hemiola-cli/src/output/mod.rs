//! What several commands give: text for a terminal, sampled data, certificates and methods as files, and progress on long work.

pub(crate) mod certificate;
pub(crate) mod data;
pub(crate) mod interrupt;
pub(crate) mod new_method;
pub(crate) mod progress;
pub(crate) mod text;
pub(crate) mod writer;
