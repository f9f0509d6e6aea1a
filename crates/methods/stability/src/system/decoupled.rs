//! Stable steps of the single blocks, without their couplings.

use hemiola_tableau::Method;
use num_complex::Complex64;

use super::block_system::{BlockSystem, STABILITY_MARGIN, partitions_for};
use super::system_step::SystemStep;
use crate::error::StabilityError;
use crate::function::limit::{Limit, stability_limit};

/// Eigenvalue of a single part that bounds the decoupled step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecoupledBound {
    /// Largest stable step along the eigenvalue; zero if the part grows by itself or the method is stable for no step.
    pub step: f64,
    /// Index of the part; zero for a method with one partition, whose only part is the entire system.
    pub partition: usize,
    /// Eigenvalue λ.
    pub eigenvalue: Complex64,
}

impl BlockSystem {
    /// Sets the eigenvalues of the single parts, one list for each partition, which
    /// [`decoupled_limit`](Self::decoupled_limit) then uses.
    ///
    /// They differ from those of the blocks if a block is far from normal. For instance, in advection the flow leaves a
    /// piece of a mesh, and the block of this piece is nilpotent except for the diagonal.
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
    /// let meshes = system.with_decoupled_eigenvalues(vec![circle(1.0), circle(0.5)]).decoupled_limit(&method)?.value();
    /// assert!(meshes < 0.9 * blocks);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_decoupled_eigenvalues(mut self, eigenvalues: Vec<Vec<Complex64>>) -> Self {
        self.alone = eigenvalues;
        self
    }

    /// Computes the largest stable step of the single parts, without coupling, from
    /// [`decoupled_bound`](Self::decoupled_bound).
    ///
    /// # Errors
    /// Returns the errors of [`decoupled_bound`](Self::decoupled_bound).
    pub fn decoupled_limit(&self, method: &Method) -> Result<Limit, StabilityError> {
        Ok(self.decoupled_bound(method)?.map_or(Limit::Unbounded, |bound| Limit::Finite(bound.step)))
    }

    /// Finds the eigenvalue λ of a single part with the smallest limit/|λ|, where the [limit](stability_limit) is that
    /// of the partition along λ; among equal ones, the fastest growing eigenvalue.
    ///
    /// Zero eigenvalues give no bound; the result is `None` if no eigenvalue bounds the step. The parts are the
    /// diagonal blocks, or [others](Self::with_decoupled_eigenvalues) if given; with one partition, all of J.
    ///
    /// ```
    /// use hemiola_stability::BlockSystem;
    /// // The slow part alone grows by 0.1; the coupling to the fast one holds it.
    /// let system = BlockSystem::new(&[vec![0.1, 1.0], vec![-5.0, -10.0]], vec![0, 1])?;
    /// let method = hemiola_tableau::library::method("mprk-p2")?;
    /// let bound = system.decoupled_bound(&method)?.expect("the parts allow no step");
    /// assert_eq!((bound.step, bound.partition, bound.eigenvalue.re), (0.0, 0, 0.1));
    /// assert!(system.eigenvalues().iter().all(|value| value.re < 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`StabilityError::NoPartition`] if a variable belongs to a partition that the method does not have,
    /// [`StabilityError::NoConvergence`] if the eigenvalues of a block cannot be found.
    pub fn decoupled_bound(&self, method: &Method) -> Result<Option<DecoupledBound>, StabilityError> {
        let partitions = method.partitions().len();
        let partition_of = partitions_for(partitions, &self.partition_of)?;
        let mut least: Option<DecoupledBound> = None;
        for partition in (0..partitions).filter(|partition| partition_of.contains(partition)) {
            let values = if partitions == 1 { self.nonzero_eigenvalues() } else { self.part_eigenvalues(partition)? };
            least = least.into_iter().chain(bound(method, partition, values)?).reduce(DecoupledBound::or_lower);
        }
        Ok(least)
    }

    /// Finds the bound of a method without a tableau, the lower of the bounds of its slow and fast parts. The slow part
    /// has the bound of the method that its slow partition forms alone. An exactly solved fast part, the second one,
    /// has a bound only if an eigenvalue grows, and the bound is zero. If the fast part is not exact, `fast` is its
    /// step, and the exits along the eigenvalues bound it.
    ///
    /// # Errors
    /// Returns the errors of [`decoupled_bound`](Self::decoupled_bound).
    pub fn decoupled_bound_by(
        &self,
        slow: &Method,
        fast: Option<&dyn SystemStep>,
    ) -> Result<Option<DecoupledBound>, StabilityError> {
        let mut least = bound(slow, 0, self.part_eigenvalues(0)?)?;
        for eigenvalue in self.part_eigenvalues(1)?.into_iter().filter(|value| value.im >= 0.0) {
            // For undamped oscillations, rounding causes growth of this size.
            let grows = eigenvalue.re > STABILITY_MARGIN * eigenvalue.norm();
            let step = match fast {
                _ if grows => 0.0,
                None => continue,
                Some(_) if eigenvalue == Complex64::ZERO => continue,
                Some(step) => exit_along(eigenvalue, step)?,
            };
            if step.is_finite() {
                let bound = DecoupledBound { step, partition: 1, eigenvalue };
                least = least.into_iter().chain([bound]).reduce(DecoupledBound::or_lower);
            }
        }
        Ok(least)
    }

    pub(super) fn part_eigenvalues(&self, partition: usize) -> Result<Vec<Complex64>, StabilityError> {
        self.alone.get(partition).map_or_else(|| self.block_eigenvalues(partition), |alone| Ok(alone.clone()))
    }

    fn nonzero_eigenvalues(&self) -> Vec<Complex64> {
        self.eigenvalues[self.rigid..].to_vec()
    }
}

/// Finds the first exit of a step on fast variables alone with a given eigenvalue; infinite if there is none.
fn exit_along(eigenvalue: Complex64, step: &dyn SystemStep) -> Result<f64, StabilityError> {
    let Complex64 { re, im } = eigenvalue;
    let alone = BlockSystem::new(&[vec![re, im], vec![-im, re]], vec![1, 1])?;
    Ok(alone.stable_steps_to_exit(step, Limit::Unbounded, &())?.first_exit)
}

/// Finds the smallest limit/|λ| of one partition of a method.
fn bound(
    method: &Method,
    partition: usize,
    eigenvalues: Vec<Complex64>,
) -> Result<Option<DecoupledBound>, StabilityError> {
    let mut least: Option<DecoupledBound> = None;
    for eigenvalue in eigenvalues.into_iter().filter(|value| *value != Complex64::ZERO && value.im >= 0.0) {
        if let Limit::Finite(step) = stability_limit(method, partition, eigenvalue)? {
            let bound = DecoupledBound { step, partition, eigenvalue };
            least = Some(least.map_or(bound, |least| least.or_lower(bound)));
        }
    }
    Ok(least)
}

impl DecoupledBound {
    /// Returns the lower of two bounds; of equal bounds, the one with the faster growing eigenvalue.
    fn or_lower(self, other: Self) -> Self {
        let order = other.step.total_cmp(&self.step).then(self.eigenvalue.re.total_cmp(&other.eigenvalue.re));
        if order.is_lt() { other } else { self }
    }
}
