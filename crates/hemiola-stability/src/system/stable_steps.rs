//! The steps for which M(h) is stable.

use hemiola_tableau::Tableau;
use num_complex::Complex64;

use super::block_system::{BlockSystem, STABILITY_MARGIN};
use super::large::Large;
use super::partitioned::Partitioned;
use super::unpartitioned::Unpartitioned;
use crate::error::StabilityError;
use crate::function::limit::Limit;
use crate::steps::search::{StepSearch, Watch};
use crate::steps::stable_steps::StableSteps;

/// Samples between zero and the farthest step.
const SAMPLES: usize = 1000;
/// Searches without a range begin with this many times what the parts alone allow,
const BEYOND: f64 = 2.0;
/// and end at this many times 1/|λ| of the largest eigenvalue: stability functions are then what they are at infinity.
const UNBOUNDED: f64 = 1000.0;

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
            None if self.is_large() => Large::new(self, tableau, partition_of, &|_| ()).spectral_radii(steps),
            None => Partitioned::new(self, tableau, partition_of, &|_| ()).spectral_radii(steps),
        })
    }

    /// The eigenvalues of M(h), from those of M(h) − I: motions that J keeps are one to rounding.
    ///
    /// # Errors
    /// [`StabilityError::NoPartition`] if a variable belongs to a partition that the tableau does not have,
    /// [`StabilityError::NoStep`] where the stage equations are singular or M overflows.
    pub fn step_eigenvalues(&self, tableau: &Tableau<f64>, h: f64) -> Result<Vec<Complex64>, StabilityError> {
        let partition_of = self.partitions_for(tableau)?;
        Partitioned::new(self, tableau, partition_of, &|_| ()).step_eigenvalues(h).ok_or(StabilityError::NoStep { h })
    }

    /// The stable steps up to `farthest`: ρ(M(h)) ≤ 1 + 1e-9.
    ///
    /// If one tableau advances all variables, ρ(M(h)) = max |R(hλ)| over the eigenvalues λ of J, and no change of sign
    /// along any of these rays is missed. Otherwise 1000 samples and their refinement find the exits, repeated up to
    /// the first one found as long as there is an earlier one.
    ///
    /// Of more than 400 variables no matrix is made of explicit partitioned methods (above 1500 of any explicit method): what 1500 steps
    /// leave of any vector decides, and the eigenvalues of M(h) on a Krylov subspace that begins with it, at 64 equal steps of the range,
    /// between which changes are found to a ten-thousandth of it. Narrower gaps are not seen, nor growth by less than three thousandths a
    /// step where many modes hardly decay.
    ///
    /// # Errors
    /// [`StabilityError::NoPartition`] if a variable belongs to a partition that the tableau does not have,
    /// [`StabilityError::OutOfRange`] if `farthest` is not positive and finite.
    pub fn stable_steps(&self, tableau: &Tableau<f64>, farthest: f64) -> Result<StableSteps, StabilityError> {
        self.stable_steps_watched(tableau, farthest, &|_| ())
    }

    /// The same; `watch` is told of how many more steps M(h) was looked at, by several threads. How many there will be is not known before.
    /// Where one tableau advances all variables there are none: that takes no time.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    /// use hemiola_stability::BlockSystem;
    /// let system = BlockSystem::new(&[vec![-1.0, 0.2], vec![2.0, -10.0]], vec![0, 1])?;
    /// let method = hemiola_tableau::library::method("mprk-p3")?.to_f64();
    /// let looked = AtomicUsize::new(0);
    /// let count = |steps| drop(looked.fetch_add(steps, Ordering::Relaxed));
    /// assert_eq!(system.stable_steps_watched(&method, 1.0, &count)?, system.stable_steps(&method, 1.0)?);
    /// assert!(looked.into_inner() > 60);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As of [`stable_steps`](Self::stable_steps).
    pub fn stable_steps_watched(
        &self,
        tableau: &Tableau<f64>,
        farthest: f64,
        watch: Watch<'_>,
    ) -> Result<StableSteps, StabilityError> {
        let search = StepSearch { farthest, samples: SAMPLES, margin: STABILITY_MARGIN }.checked()?;
        let partition_of = self.partitions_for(tableau)?;
        Ok(match Unpartitioned::new(self, tableau) {
            Some(method) => method.stable_steps(search.farthest),
            None if self.is_large() => Large::new(self, tableau, partition_of, watch).stable_steps(search),
            None => Partitioned::new(self, tableau, partition_of, watch).stable_steps(search),
        })
    }
    /// The stable steps, searched for until the coupled system has an exit: up to twice the [decoupled
    /// limit](Self::decoupled_limit), or s/(2|λ|) with the largest eigenvalue if that is more, half of what s explicit stages can
    /// reach on the imaginary axis; then twice as far while there is none, as far as 1000/|λ|. The decoupled limit alone is no measure: a
    /// part that grows by itself has none, and the whole may be stable far beyond.
    ///
    /// ```
    /// use hemiola_stability::BlockSystem;
    /// // The slow part alone grows, so that the decoupled step is zero.
    /// let system = BlockSystem::new(&[vec![0.1, 0.1], vec![-20.0, -10.0]], vec![0, 1])?;
    /// let method = hemiola_tableau::library::method("mprk-p2")?;
    /// let decoupled = system.decoupled_limit(&method)?;
    /// let steps = system.stable_steps_to_exit(&method.to_f64(), decoupled, &|_| ())?;
    /// assert!(decoupled.value() == 0.0 && (steps.first_exit - 0.4).abs() < 0.1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`StabilityError::NoPartition`] if a variable belongs to a partition that the tableau does not have.
    pub fn stable_steps_to_exit(
        &self,
        tableau: &Tableau<f64>,
        decoupled: Limit,
        watch: Watch<'_>,
    ) -> Result<StableSteps, StabilityError> {
        let largest = self.eigenvalues.last().map_or(0.0, |value| value.norm());
        if largest <= 0.0 || self.rigid == self.variables() {
            return self.stable_steps_watched(tableau, 1.0, watch);
        }
        let end = UNBOUNDED / largest;
        let mut farthest = match decoupled {
            Limit::Unbounded => end,
            Limit::Finite(limit) => BEYOND * limit.max(0.25 * tableau.stages() as f64 / largest),
        };
        loop {
            let found = self.stable_steps_watched(tableau, farthest, watch)?;
            if found.first_exit.is_finite() || farthest >= end {
                return Ok(found);
            }
            farthest = (BEYOND * farthest).min(end);
        }
    }
}
