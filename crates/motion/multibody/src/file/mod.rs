//! Machines as JSON files, `hemiola-multibody/1`.

pub(crate) mod elements;
pub(crate) mod read;

pub use read::MachineFileError;
