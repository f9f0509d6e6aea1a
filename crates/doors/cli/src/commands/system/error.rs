//! Errors of systems.

use std::path::PathBuf;

use thiserror::Error;

use crate::output::text::counted;

/// Reason why a system could not be read.
#[derive(Debug, Error)]
pub(crate) enum SystemError {
    #[error("{file}: the file contains no numbers; expected a square matrix, one row per line")]
    Empty { file: PathBuf },
    #[error("--slow: no variable {variable}; the Jacobian has {}", counted(*.variables, "variable"))]
    NoVariable { variable: usize, variables: usize },
    #[error("{id} has {partitions} partitions; expected --slow with the slow variables, such as --slow 1..4,7")]
    NoPartitions { id: String, partitions: usize },
}
