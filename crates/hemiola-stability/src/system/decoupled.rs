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
    /// The system with the eigenvalues that its parts have alone, one list for each partition, which are then what
    /// [`decoupled_limit`](Self::decoupled_limit) takes. They are not those of the blocks where a block is far from normal: what
    /// flows through a piece of a mesh leaves it, and the block of the piece is nilpotent but for the diagonal.
    ///
    /// ```
    /// use hemiola_stability::BlockSystem;
    /// use num_complex::Complex64;
    /// // Upwind differences on four cells, of which two are as wide as the other two together.
    /// let w = [1.0, 1.0, 0.5, 0.5];
    /// let entry = |i: usize, j: usize| (f64::from(j == (i + 3) % 4) - f64::from(i == j)) / w[i];
    /// let rows: Vec<Vec<f64>> = (0..4).map(|i| (0..4).map(|j| entry(i, j)).collect()).collect();
    /// let system = BlockSystem::new(&rows, vec![0, 0, 1, 1])?;
    /// // Around the period of one mesh they are −1 + e^{iθ} over its width: on a circle, −2/w at θ = π.
    /// let circle = |w: f64| (0..64).map(|k| (Complex64::cis(f64::from(k) * 0.1) - 1.0) / w).collect();
    /// let method = hemiola_tableau::library::method("mprk-p3")?;
    /// let blocks = system.decoupled_limit(&method)?.value();
    /// let meshes = system.with_parts_alone(vec![circle(1.0), circle(0.5)]).decoupled_limit(&method)?.value();
    /// assert!(meshes < 0.9 * blocks);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_parts_alone(mut self, eigenvalues: Vec<Vec<Complex64>>) -> Self {
        self.alone = eigenvalues;
        self
    }

    /// The largest stable step of each part alone, whatever the coupling: the minimum of limit/|λ| over the
    /// eigenvalues λ of the parts, with the [limit](stability_limit) of the partition along λ. Zero eigenvalues impose
    /// nothing. The parts are the diagonal blocks, or [others](Self::with_parts_alone) that are given; with one partition all of J.
    ///
    /// # Errors
    /// [`StabilityError::NoPartition`] if a variable belongs to a partition that the method does not have,
    /// [`StabilityError::NoConvergence`] if the eigenvalues of a block cannot be found.
    pub fn decoupled_limit(&self, method: &Method) -> Result<Limit, StabilityError> {
        let partitions = method.partitions().len();
        let partition_of = partitions_for(partitions, &self.partition_of)?;
        let mut least = f64::INFINITY;
        for partition in 0..partitions {
            let values = match self.alone.get(partition) {
                _ if partitions == 1 => self.nonzero_eigenvalues(),
                Some(alone) => alone.clone(),
                None => self.block_eigenvalues(partition)?,
            };
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
