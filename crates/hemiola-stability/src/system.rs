//! Real linear systems q' = Jq whose variables are divided among partitions: the step matrix M(h), and the steps for which it is
//! stable.

use hemiola_tableau::{Method, Tableau};
use nalgebra::DMatrix;
use num_complex::Complex64;

mod plain;
mod stepper;

use crate::balance::{eigenvalues, scaled, scales, zero_eigenvalues};
use crate::error::StabilityError;
use crate::exit::{StableSteps, StepSearch};
use crate::limit::{Limit, stability_limit};
use crate::step::increment;
use plain::Plain;
use stepper::Stepper;

/// ρ(M) may exceed one by this much, as in the coupled profile. Rounding moves a simple eigenvalue by about n ε ‖M − I‖ times its
/// condition number, which reaches this only beyond 1e5 for some dozen variables.
const MARGIN: f64 = 1e-9;
/// Samples between zero and the farthest step.
const SAMPLES: usize = 1000;
/// Automatic ranges end this many times beyond what the blocks alone allow,
const BEYOND: f64 = 2.0;
/// or, where that is unbounded, at this many times 1/|λ| of the largest eigenvalue: stability functions are then what they are at infinity.
const UNBOUNDED: f64 = 1000.0;

/// A linear system q' = Jq with a partition for each variable.
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
/// let steps = system.stable_steps(&method.to_f64(), 1.0)?;
/// let alone = system.decoupled_limit(&method)?.value();
/// assert!((steps.first_exit / alone - 1.0).abs() < 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BlockSystem {
    partition_of: Vec<usize>,
    /// D⁻¹JD with the diagonal matrix D of these scales: it commutes with the partitions, so that M is D⁻¹MD likewise.
    balanced: DMatrix<f64>,
    scales: Vec<f64>,
    eigenvalues: Vec<Complex64>,
    /// How many eigenvalues are zero but for rounding.
    rigid: usize,
}

impl BlockSystem {
    /// The system with Jacobian `jacobian`, row after row, and the partition of each variable, counted from zero.
    ///
    /// # Errors
    /// [`StabilityError::NotSquare`] where a row or the list of partitions has the wrong length, [`StabilityError::OutOfRange`]
    /// where an entry is not finite, [`StabilityError::NoConvergence`] where the eigenvalues of J cannot be found.
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
        Ok(Self { partition_of, balanced, scales, eigenvalues, rigid })
    }

    /// The number of variables n.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.partition_of.len()
    }

    /// The partition of each variable.
    #[must_use]
    pub fn partition_of(&self) -> &[usize] {
        &self.partition_of
    }

    /// The eigenvalues of J, the smallest first; those that are zero but for rounding are zero.
    #[must_use]
    pub fn eigenvalues(&self) -> &[Complex64] {
        &self.eigenvalues
    }

    /// How many eigenvalues of J are zero but for rounding: rigid-body modes, and quantities that are conserved.
    #[must_use]
    pub fn zero_eigenvalues(&self) -> usize {
        self.rigid
    }

    /// The eigenvalues of the block of J within one partition, the smallest first.
    ///
    /// # Errors
    /// [`StabilityError::NoConvergence`] where they cannot be found.
    pub fn block_eigenvalues(&self, partition: usize) -> Result<Vec<Complex64>, StabilityError> {
        let members: Vec<usize> = (0..self.variables()).filter(|&i| self.partition_of[i] == partition).collect();
        let block = DMatrix::from_fn(members.len(), members.len(), |i, j| self.balanced[(members[i], members[j])]);
        Ok(spectrum(&block)?.0)
    }

    /// M(h): q⁺ = M q, row after row. A method with one partition takes the whole system.
    ///
    /// # Errors
    /// [`StabilityError::NoPartition`] where a variable lies in a partition that the tableau has not, [`StabilityError::NoStep`]
    /// where the stage equations are singular or h is not finite.
    pub fn step_matrix(&self, tableau: &Tableau<f64>, h: f64) -> Result<Vec<Vec<f64>>, StabilityError> {
        let partition_of = self.partitions_for(tableau)?;
        let increment = increment(tableau, &(&self.balanced * h), &partition_of).ok_or(StabilityError::NoStep { h })?;
        let inverses: Vec<f64> = self.scales.iter().map(|scale| scale.recip()).collect();
        let m = scaled(&increment, &inverses) + DMatrix::identity(self.variables(), self.variables());
        Ok(m.row_iter().map(|row| row.iter().copied().collect()).collect())
    }

    /// ρ(M(h)) for each h; infinite where the stage equations are singular or M overflows.
    ///
    /// The eigenvalues are 1 + μ with those of M − I, so that small steps round less. Zero eigenvalues of J belong to as many μ
    /// that are zero; double ones come out as large as √(n ε) ‖M − I‖, ‖·‖ Frobenius' norm after balancing: so many μ as J has zero
    /// eigenvalues count as zero where they are at most that large.
    ///
    /// # Errors
    /// [`StabilityError::NoPartition`] where a variable lies in a partition that the tableau has not.
    pub fn spectral_radii(&self, tableau: &Tableau<f64>, steps: &[f64]) -> Result<Vec<f64>, StabilityError> {
        let partition_of = self.partitions_for(tableau)?;
        Ok(match Plain::new(self, tableau) {
            Some(plain) => plain.spectral_radii(steps),
            None => Stepper::new(self, tableau, partition_of).spectral_radii(steps),
        })
    }

    /// The stable steps up to `farthest`: ρ(M(h)) ≤ 1 + 1e-9.
    ///
    /// Where one tableau advances all variables, ρ(M(h)) = max |R(hλ)| over the eigenvalues λ of J, and no change of sign along any of
    /// these rays is missed. Otherwise 1000 samples and what is refined between them find the exits, once more up to the first one
    /// found as long as there is an earlier one.
    ///
    /// # Errors
    /// [`StabilityError::NoPartition`] where a variable lies in a partition that the tableau has not,
    /// [`StabilityError::OutOfRange`] where `farthest` is not positive and finite.
    pub fn stable_steps(&self, tableau: &Tableau<f64>, farthest: f64) -> Result<StableSteps, StabilityError> {
        let search = StepSearch { farthest, samples: SAMPLES, margin: MARGIN }.checked()?;
        let partition_of = self.partitions_for(tableau)?;
        Ok(match Plain::new(self, tableau) {
            Some(plain) => plain.stable_steps(search.farthest),
            None => Stepper::new(self, tableau, partition_of).stable_steps(search),
        })
    }

    /// The largest stable step of each block alone, whatever the coupling: the least of limit/|λ| over the eigenvalues λ of the
    /// blocks, with the [limit](stability_limit) of the partition along λ. Zero eigenvalues impose nothing. With one partition the block is all of J.
    ///
    /// # Errors
    /// [`StabilityError::NoPartition`] where a variable lies in a partition that the method has not,
    /// [`StabilityError::NoConvergence`] where the eigenvalues of a block cannot be found.
    pub fn decoupled_limit(&self, method: &Method) -> Result<Limit, StabilityError> {
        let partitions = method.partitions().len();
        let partition_of = partitions_for(partitions, &self.partition_of)?;
        let mut least = f64::INFINITY;
        for partition in 0..partitions {
            let values = if partitions == 1 { self.nonzero_eigenvalues() } else { self.block_eigenvalues(partition)? };
            if !partition_of.contains(&partition) {
                continue;
            }
            for value in values.into_iter().filter(|value| *value != Complex64::ZERO && value.im >= 0.0) {
                least = least.min(stability_limit(method, partition, value)?.value());
            }
        }
        Ok(if least.is_finite() { Limit::Finite(least) } else { Limit::Unbounded })
    }

    /// A range of steps worth looking at: twice what the blocks alone allow; where that is next to nothing, s/(2|λ|) with the largest
    /// eigenvalue, half of what s explicit stages can reach on the imaginary axis. Where the blocks allow all steps, 1000/|λ| of the largest eigenvalue.
    ///
    /// # Errors
    /// As [`decoupled_limit`](Self::decoupled_limit).
    pub fn range(&self, method: &Method) -> Result<f64, StabilityError> {
        Ok(self.range_of(method, self.decoupled_limit(method)?))
    }

    /// The same where the [decoupled limit](Self::decoupled_limit) is known.
    #[must_use]
    pub fn range_of(&self, method: &Method, decoupled: Limit) -> f64 {
        let largest = self.eigenvalues.last().map_or(0.0, |value| value.norm());
        if largest <= 0.0 || self.rigid == self.variables() {
            return 1.0;
        }
        match decoupled {
            Limit::Unbounded => UNBOUNDED / largest,
            Limit::Finite(limit) => BEYOND * limit.max(0.25 * method.stages() as f64 / largest),
        }
    }

    fn nonzero_eigenvalues(&self) -> Vec<Complex64> {
        self.eigenvalues[self.rigid..].to_vec()
    }

    fn partitions_for(&self, tableau: &Tableau<f64>) -> Result<Vec<usize>, StabilityError> {
        partitions_for(tableau.partitions.len(), &self.partition_of)
    }
}

/// The partition of each variable in a method of so many.
fn partitions_for(partitions: usize, partition_of: &[usize]) -> Result<Vec<usize>, StabilityError> {
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

/// The eigenvalues of a balanced matrix, the smallest first, and how many are zero but for rounding: those are zero.
fn spectrum(balanced: &DMatrix<f64>) -> Result<(Vec<Complex64>, usize), StabilityError> {
    let (mut values, _) = eigenvalues(balanced)?;
    let zeros = zero_eigenvalues(balanced)?;
    values.sort_by(|x, y| x.norm().total_cmp(&y.norm()).then(x.im.total_cmp(&y.im)));
    values[..zeros].fill(Complex64::ZERO);
    Ok((values, zeros))
}

#[cfg(test)]
mod tests;
