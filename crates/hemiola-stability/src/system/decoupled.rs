//! The stable steps of the blocks alone, without their couplings, and the range of steps that they suggest.

use hemiola_tableau::Method;
use num_complex::Complex64;

use super::block_system::{BlockSystem, partitions_for};
use crate::error::StabilityError;
use crate::function::limit::{Limit, stability_limit};

/// Automatic ranges end this many times beyond what the blocks alone allow,
const BEYOND: f64 = 2.0;
/// or, where that is unbounded, at this many times 1/|λ| of the largest eigenvalue: stability functions are then what they are at infinity.
const UNBOUNDED: f64 = 1000.0;
/// Limits below this part of 1/|λ| of the largest eigenvalue are none.
const NOTHING: f64 = 1e-6;

impl BlockSystem {
    /// The largest stable step of each diagonal block alone, whatever the coupling: the minimum of limit/|λ| over the
    /// eigenvalues λ of the blocks, with the [limit](stability_limit) of the partition along λ. Zero eigenvalues impose
    /// nothing. With one partition the block is all of J.
    ///
    /// # Errors
    /// [`StabilityError::NoPartition`] if a variable belongs to a partition that the method does not have,
    /// [`StabilityError::NoConvergence`] if the eigenvalues of a block cannot be found.
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

    /// A sensible range of steps: twice what the blocks alone allow, or s/(2|λ|) with the largest eigenvalue if that is more, half of
    /// what s explicit stages can reach on the imaginary axis. If a block alone is unstable whatever the step, s/|λ|. If the blocks allow all steps,
    /// 1000/|λ| with the largest eigenvalue.
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
            // A block that grows by itself says nothing of the whole.
            Limit::Finite(limit) if limit * largest < NOTHING => method.stages() as f64 / largest,
            Limit::Finite(limit) => BEYOND * limit.max(0.25 * method.stages() as f64 / largest),
        }
    }

    fn nonzero_eigenvalues(&self) -> Vec<Complex64> {
        self.eigenvalues[self.rigid..].to_vec()
    }
}
