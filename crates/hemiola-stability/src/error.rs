//! Errors of stability computations.

use num_complex::Complex64;
use thiserror::Error;

/// Why a stability computation failed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StabilityError {
    /// The stage equations are singular at this point: the stability function has a pole there.
    #[error("the stage equations are singular at Z = {}", rows(z))]
    Pole {
        /// The matrix Z, row by row.
        z: Vec<Vec<Complex64>>,
    },
    /// The coupled profiles of all pairs of partitions take long.
    #[error(
        "the coupled profiles of {pairs} pairs of partitions at {strengths} strengths take minutes for {stages} stages; expected at most \
         {most} profiles; METHOD@I,J selects two partitions"
    )]
    TooManyProfiles {
        /// The number of pairs.
        pairs: usize,
        /// The number of coupling strengths.
        strengths: usize,
        /// The number of stages.
        stages: usize,
        /// The maximum of pairs times strengths.
        most: usize,
    },
    /// Z does not fit the partitions.
    #[error("Z has {found} rows or columns; expected {expected}, one for each partition")]
    WrongSize {
        /// The size found.
        found: usize,
        /// The number of partitions.
        expected: usize,
    },
    /// The stage equations of a real system are singular at this step, or it is not finite.
    #[error("the stage equations have no finite solution at the step {h}")]
    NoStep {
        /// The step.
        h: f64,
    },
    /// A row of a Jacobian, or the list of its variables' partitions, has the wrong length.
    #[error(
        "a row of the Jacobian, or the list of partitions, has {found} entries; expected {expected}, the number of rows"
    )]
    NotSquare {
        /// The length found.
        found: usize,
        /// The number of rows.
        expected: usize,
    },
    /// A variable belongs to a partition that the method does not have.
    #[error("variable {} belongs to partition {}; the method has {expected}", variable + 1, found + 1)]
    NoPartition {
        /// The variable, counted from zero.
        variable: usize,
        /// Its partition, counted from zero.
        found: usize,
        /// The number of partitions.
        expected: usize,
    },
    /// The eigenvalue iteration did not converge.
    #[error("the eigenvalue iteration for a {size}×{size} matrix did not converge")]
    NoConvergence {
        /// The size of the matrix.
        size: usize,
    },
    /// The computation is for two partitions.
    #[error("found {found} partition{}; expected 2", if *found == 1 { "" } else { "s" })]
    NotAPair {
        /// The number of partitions.
        found: usize,
    },
    /// The derivative of the fast right-hand side with respect to the fast component vanishes: the quasi-steady state
    /// is not defined.
    #[error("z_ff is zero at Z = {}; expected a nonzero value, so that the quasi-steady state is defined", rows(z))]
    NoSlowManifold {
        /// The matrix Z, row by row.
        z: Vec<Vec<Complex64>>,
    },
    /// A number that is not finite or out of range.
    #[error("{name} is {value}; expected {expected}")]
    OutOfRange {
        /// The name of the number.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The range.
        expected: &'static str,
    },
}

/// A matrix as text, `[-1+2i, 0+0i; 0+0i, 2+0i]`.
fn rows(z: &[Vec<Complex64>]) -> String {
    let row = |row: &Vec<Complex64>| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    format!("[{}]", z.iter().map(row).collect::<Vec<_>>().join("; "))
}
