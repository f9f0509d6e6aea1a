//! Errors of stability computations.

use num_complex::Complex64;
use thiserror::Error;

/// Reason why a stability computation failed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StabilityError {
    /// The receiver of progress stopped the computation.
    #[error("interrupted")]
    Interrupted,
    /// The stage equations are singular at this point: the stability function has a pole there.
    #[error("the stage equations are singular at Z = {}", rows(z))]
    Pole {
        /// Matrix Z, row by row.
        z: Vec<Vec<Complex64>>,
    },
    /// The coupled profiles of all pairs of partitions would take too long.
    #[error(
        "the coupled profiles of {pairs} pairs of partitions at {strengths} strengths take minutes for {stages} \
         stages; expected at most {most} profiles; select two partitions with METHOD@I,J"
    )]
    TooManyProfiles {
        /// Number of pairs.
        pairs: usize,
        /// Number of coupling strengths.
        strengths: usize,
        /// Number of stages.
        stages: usize,
        /// Maximum of pairs times strengths.
        most: usize,
    },
    /// There are too many variables for a method without a tableau, which needs the matrix of each step.
    #[error("found {found} variables; a method with an exact fast part takes at most {most}")]
    TooManyVariables {
        /// Number of variables.
        found: usize,
        /// Largest number.
        most: usize,
    },
    /// There are too many variables for a dense Jacobian.
    #[error(
        "found a Jacobian of {found} variables; expected at most {most}, for which eigenvalues take minutes: use fewer cells"
    )]
    LargeJacobian {
        /// Number of variables.
        found: usize,
        /// Largest number.
        most: usize,
    },
    /// The size of Z does not match the number of partitions.
    #[error("Z has {found} rows or columns; expected {expected}, one for each partition")]
    WrongSize {
        /// Size found.
        found: usize,
        /// Number of partitions.
        expected: usize,
    },
    /// The stage equations of a real system are singular at this step size, or the step size is not finite.
    #[error("the stage equations have no finite solution at the step {h}")]
    NoStep {
        /// Step size.
        h: f64,
    },
    /// A row of a Jacobian, or the list of its variables' partitions, has the wrong length.
    #[error(
        "a row of the Jacobian, or the list of partitions, has {found} entries; expected {expected}, the number of rows"
    )]
    NotSquare {
        /// Length found.
        found: usize,
        /// Number of rows.
        expected: usize,
    },
    /// A variable belongs to a partition that the method does not have.
    #[error("variable {} belongs to partition {}; the method has {expected}", variable + 1, found + 1)]
    NoPartition {
        /// Variable, counted from zero.
        variable: usize,
        /// Partition of the variable, counted from zero.
        found: usize,
        /// Number of partitions.
        expected: usize,
    },
    /// The eigenvalue iteration did not converge.
    #[error("the eigenvalue iteration for a {size}×{size} matrix did not converge")]
    NoConvergence {
        /// Size of the matrix.
        size: usize,
    },
    /// The computation requires two partitions.
    #[error("found {found} partition{}; expected 2", if *found == 1 { "" } else { "s" })]
    NotAPair {
        /// Number of partitions.
        found: usize,
    },
    /// The derivative of the fast right-hand side with respect to the fast component vanishes: the quasi-steady state
    /// is undefined.
    #[error("z_ff is zero at Z = {}; expected a nonzero value, so that the quasi-steady state is defined", rows(z))]
    NoSlowManifold {
        /// Matrix Z, row by row.
        z: Vec<Vec<Complex64>>,
    },
    /// A number is not finite or out of range.
    #[error("{name} is {value}; expected {expected}")]
    OutOfRange {
        /// Name of the number.
        name: &'static str,
        /// Value of the number.
        value: f64,
        /// Expected range.
        expected: &'static str,
    },
}

/// Formats a matrix as text, `[-1+2i, 0+0i; 0+0i, 2+0i]`.
fn rows(z: &[Vec<Complex64>]) -> String {
    let row = |row: &Vec<Complex64>| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    format!("[{}]", z.iter().map(row).collect::<Vec<_>>().join("; "))
}
