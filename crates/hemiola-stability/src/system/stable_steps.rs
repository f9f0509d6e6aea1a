//! The steps for which M(h) is stable.

use hemiola_tableau::Tableau;
use num_complex::Complex64;

use super::block_system::{BlockSystem, STABILITY_MARGIN};
use super::large::Large;
use super::partitioned::Partitioned;
use super::unpartitioned::Unpartitioned;
use crate::error::StabilityError;
use crate::steps::search::StepSearch;
use crate::steps::stable_steps::StableSteps;

/// Samples between zero and the farthest step.
const SAMPLES: usize = 1000;

impl BlockSystem {
    /// ρ(M(h)) for each h; infinite where the stage equations are singular or M overflows.
    ///
    /// The eigenvalues are 1 + μ with those of M − I, which reduces rounding for small steps. Zero eigenvalues of J
    /// correspond to as many μ that are zero; double ones are computed as large as √(n ε) ‖M − I‖ in the Frobenius norm
    /// after balancing, so as many μ as J has zero eigenvalues count as zero if they are at most that large. Of more than 400 variables
    /// ρ(M) of partitioned methods is that of [`stable_steps`](Self::stable_steps), and of stable steps may be a little larger.
    ///
    /// # Errors
    /// [`StabilityError::NoPartition`] if a variable belongs to a partition that the tableau does not have.
    pub fn spectral_radii(&self, tableau: &Tableau<f64>, steps: &[f64]) -> Result<Vec<f64>, StabilityError> {
        let partition_of = self.partitions_for(tableau)?;
        Ok(match Unpartitioned::new(self, tableau) {
            Some(method) => method.spectral_radii(steps),
            None if self.is_large() => Large::new(self, tableau, partition_of).spectral_radii(steps),
            None => Partitioned::new(self, tableau, partition_of).spectral_radii(steps),
        })
    }

    /// The eigenvalues of M(h), from those of M(h) − I: motions that J keeps are one to rounding.
    ///
    /// # Errors
    /// [`StabilityError::NoPartition`] if a variable belongs to a partition that the tableau does not have,
    /// [`StabilityError::NoStep`] where the stage equations are singular or M overflows.
    pub fn step_eigenvalues(&self, tableau: &Tableau<f64>, h: f64) -> Result<Vec<Complex64>, StabilityError> {
        let partition_of = self.partitions_for(tableau)?;
        Partitioned::new(self, tableau, partition_of).step_eigenvalues(h).ok_or(StabilityError::NoStep { h })
    }

    /// The stable steps up to `farthest`: ρ(M(h)) ≤ 1 + 1e-9.
    ///
    /// If one tableau advances all variables, ρ(M(h)) = max |R(hλ)| over the eigenvalues λ of J, and no change of sign
    /// along any of these rays is missed. Otherwise 1000 samples and their refinement find the exits, repeated up to
    /// the first one found as long as there is an earlier one.
    ///
    /// Of more than 400 variables no matrix is made of explicit partitioned methods (above 1500 of any explicit method): what 1500 steps leave of any vector decides, and the eigenvalues
    /// of M(h) on a Krylov subspace that begins with it, at 64 equal steps of the range, between which changes are found to a
    /// ten-thousandth of it. Narrower gaps are not seen, nor growth by less than three thousandths a step where many modes hardly decay.
    ///
    /// # Errors
    /// [`StabilityError::NoPartition`] if a variable belongs to a partition that the tableau does not have,
    /// [`StabilityError::OutOfRange`] if `farthest` is not positive and finite.
    pub fn stable_steps(&self, tableau: &Tableau<f64>, farthest: f64) -> Result<StableSteps, StabilityError> {
        let search = StepSearch { farthest, samples: SAMPLES, margin: STABILITY_MARGIN }.checked()?;
        let partition_of = self.partitions_for(tableau)?;
        Ok(match Unpartitioned::new(self, tableau) {
            Some(method) => method.stable_steps(search.farthest),
            None if self.is_large() => Large::new(self, tableau, partition_of).stable_steps(search),
            None => Partitioned::new(self, tableau, partition_of).stable_steps(search),
        })
    }
}
