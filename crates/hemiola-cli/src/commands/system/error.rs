//! Why there is no such system.

use std::path::PathBuf;

use thiserror::Error;

use crate::output::text::counted;

/// Why there is no such system.
#[derive(Debug, Error)]
pub(crate) enum SystemError {
    #[error("{file}: there are no numbers in it; expected a square matrix, a row on each line")]
    Empty { file: PathBuf },
    #[error("--slow: there is no variable {variable}; the Jacobian has {}", counted(*.variables, "variable"))]
    NoVariable { variable: usize, variables: usize },
    #[error("{id} has {partitions} partitions; expected --slow with the slow variables, such as --slow 1..4,7")]
    NoPartitions { id: String, partitions: usize },
}
