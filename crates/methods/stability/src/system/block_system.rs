//! Real linear systems q' = Jq with variables divided among partitions, and the step matrix M(h).

use nalgebra::DMatrix;
use num_complex::Complex64;

use crate::eigenvalues::balance::{eigenvalues, scaled, scales, zero_eigenvalues};
use crate::error::StabilityError;
use crate::system::sparse_rows::SparseRows;
use crate::system::system_step::SystemStep;

/// Margin by which ρ(M) may exceed one, as in the coupled profile.
///
/// Rounding moves a simple eigenvalue by about n ε ‖M − I‖ times its condition number. For some dozen variables it
/// reaches the margin only for condition numbers beyond 1e5.
pub const STABILITY_MARGIN: f64 = 1e-9;
/// Number of variables above which systems count as large. At this size all eigenvalues of one step matrix take a tenth
/// of a second, and hundreds of matrices are needed.
pub(super) const LARGE: usize = 400;
/// Maximum number of variables for which all eigenvalues of J are computed, once, in some seconds.
const DECOMPOSED: usize = 1500;

/// Linear system q' = Jq with a partition for each variable.
///
/// ```
/// use hemiola_stability::BlockSystem;
/// // A slow oscillator with frequency 1 on a fast one with frequency 10.
/// let jacobian = vec![
///     vec![0.0, 1.0, 0.0, 0.0],
///     vec![-1.0, -0.1, 0.2, 0.0],
///     vec![0.0, 0.0, 0.0, 1.0],
///     vec![2.0, 0.0, -100.0, -1.0],
/// ];
/// let system = BlockSystem::new(&jacobian, vec![0, 0, 1, 1])?;
/// let method = hemiola_tableau::library::method("mprk-p3")?;
/// let steps = system.stable_steps(&method.to_f64(), 1.0, &())?;
/// let alone = system.decoupled_limit(&method)?.value();
/// assert!((steps.first_exit / alone - 1.0).abs() < 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BlockSystem {
    pub(super) partition_of: Vec<usize>,
    /// Balanced D⁻¹JD with the diagonal matrix D of `scales`: D commutes with the partitions, so that M becomes D⁻¹MD.
    pub(super) balanced: DMatrix<f64>,
    scales: Vec<f64>,
    pub(super) eigenvalues: Vec<Complex64>,
    /// Number of eigenvalues that are zero up to rounding.
    pub(super) rigid: usize,
    /// Eigenvalues of each part alone, if they differ from those of its block.
    pub(super) alone: Vec<Vec<Complex64>>,
}

impl BlockSystem {
    /// Creates the system with Jacobian `jacobian`, row by row, and the partition of each variable, counted from zero.
    ///
    /// # Errors
    /// Returns [`StabilityError::NotSquare`] if a row or the list of partitions has the wrong length,
    /// [`StabilityError::OutOfRange`] if an entry is not finite, [`StabilityError::NoConvergence`] if the eigenvalues
    /// of J cannot be found.
    pub fn new(jacobian: &[Vec<f64>], partition_of: Vec<usize>) -> Result<Self, StabilityError> {
        let n = jacobian.len();
        for found in jacobian.iter().map(Vec::len).chain([partition_of.len()]) {
            if found != n {
                return Err(StabilityError::NotSquare { found, expected: n });
            }
        }
        if let Some(&value) = jacobian.iter().flatten().find(|value| !value.is_finite()) {
            let expected = "a finite number";
            return Err(StabilityError::OutOfRange { name: "an entry of the Jacobian", value, expected });
        }
        let jacobian = DMatrix::from_fn(n, n, |i, j| jacobian[i][j]);
        let scales = scales(&jacobian);
        let balanced = scaled(&jacobian, &scales);
        let (eigenvalues, rigid) = spectrum(&balanced)?;
        Ok(Self { partition_of, balanced, scales, eigenvalues, rigid, alone: Vec::new() })
    }

    /// Returns the number of variables n.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.partition_of.len()
    }

    /// Returns whether there are more than 400 variables, so that stable steps of partitioned methods are computed from
    /// matrix–vector products.
    #[must_use]
    pub fn is_large(&self) -> bool {
        self.variables() > LARGE
    }

    /// Returns whether all eigenvalues of J are known, which requires at most 1500 variables.
    #[must_use]
    pub fn is_decomposed(&self) -> bool {
        self.variables() <= DECOMPOSED
    }

    /// Returns the partition of each variable.
    #[must_use]
    pub fn partition_of(&self) -> &[usize] {
        &self.partition_of
    }

    /// Returns the eigenvalues of J, the smallest first; those that are zero up to rounding are exactly zero.
    ///
    /// For more than 1500 variables the result contains only the eigenvalues of largest modulus that a Krylov subspace
    /// resolves.
    #[must_use]
    pub fn eigenvalues(&self) -> &[Complex64] {
        &self.eigenvalues
    }

    /// Returns the number of eigenvalues of J that are zero up to rounding: rigid-body modes and conserved quantities.
    ///
    /// For more than 1500 variables they are not computed, and the number is zero.
    #[must_use]
    pub fn zero_eigenvalues(&self) -> usize {
        self.rigid
    }

    /// Computes the eigenvalues of the block of J within one partition, the smallest first; only the outermost for more
    /// than 1500 variables.
    ///
    /// # Errors
    /// Returns [`StabilityError::NoConvergence`] if they cannot be found.
    pub fn block_eigenvalues(&self, partition: usize) -> Result<Vec<Complex64>, StabilityError> {
        let members: Vec<usize> = (0..self.variables()).filter(|&i| self.partition_of[i] == partition).collect();
        let block = DMatrix::from_fn(members.len(), members.len(), |i, j| self.balanced[(members[i], members[j])]);
        Ok(spectrum(&block)?.0)
    }

    /// Computes M(h), q⁺ = M q, row by row. A method with one partition applies to the entire system.
    ///
    /// # Errors
    /// Returns [`StabilityError::NoPartition`] if a variable belongs to a partition that the method does not have,
    /// [`StabilityError::NoStep`] if the stage equations are singular or h is not finite.
    pub fn step_matrix(&self, step: &dyn SystemStep, h: f64) -> Result<Vec<Vec<f64>>, StabilityError> {
        let partition_of = self.partitions_for(step)?;
        let increment = step.increment(&(&self.balanced * h), &partition_of).ok_or(StabilityError::NoStep { h })?;
        let inverses: Vec<f64> = self.scales.iter().map(|scale| scale.recip()).collect();
        let m = scaled(&increment, &inverses) + DMatrix::identity(self.variables(), self.variables());
        Ok(m.row_iter().map(|row| row.iter().copied().collect()).collect())
    }

    pub(super) fn partitions_for(&self, step: &dyn SystemStep) -> Result<Vec<usize>, StabilityError> {
        partitions_for(step.partitions(), &self.partition_of)
    }
}

/// Returns the partition of each variable for a method with this number of partitions.
pub(super) fn partitions_for(partitions: usize, partition_of: &[usize]) -> Result<Vec<usize>, StabilityError> {
    if partitions == 1 {
        return Ok(vec![0; partition_of.len()]);
    }
    match partition_of.iter().position(|&partition| partition >= partitions) {
        Some(variable) => {
            Err(StabilityError::NoPartition { variable, found: partition_of[variable], expected: partitions })
        }
        None => Ok(partition_of.to_vec()),
    }
}

/// Computes the eigenvalues of a balanced matrix, the smallest first, and the number of those that are zero up to
/// rounding, which are set to zero.
///
/// For very many variables only the outermost eigenvalues are computed.
fn spectrum(balanced: &DMatrix<f64>) -> Result<(Vec<Complex64>, usize), StabilityError> {
    if balanced.nrows() > DECOMPOSED {
        return Ok((SparseRows::new(balanced).outer_eigenvalues()?, 0));
    }
    let (mut values, _) = eigenvalues(balanced)?;
    values.sort_by(|x, y| x.norm().total_cmp(&y.norm()).then(x.im.total_cmp(&y.im)));
    let zeros = zeros_among(&values, balanced)?;
    values[..zeros].fill(Complex64::ZERO);
    Ok((values, zeros))
}

/// Counts the zero eigenvalues.
///
/// Ranks take ten times as long as eigenvalues. For large matrices they are therefore computed only if rounding may
/// have split a double zero, by √(n ε) ‖J‖.
fn zeros_among(values: &[Complex64], balanced: &DMatrix<f64>) -> Result<usize, StabilityError> {
    let rounding = values.len() as f64 * f64::EPSILON;
    let within = |part: f64| values.iter().take_while(|value| value.norm() <= part * balanced.norm()).count();
    let is_simple = values.len() > LARGE && within(rounding.sqrt()) < 2;
    if is_simple { Ok(within(rounding)) } else { zero_eigenvalues(balanced) }
}
