//! Step sizes for which M(h) is stable.

use hemiola_number::{Counter, Progress};
use num_complex::Complex64;

use super::block_system::{BlockSystem, LARGE, STABILITY_MARGIN};
use super::large::KrylovStepper;
use super::partitioned::Partitioned;
use super::system_step::SystemStep;
use super::unpartitioned::Unpartitioned;
use crate::error::StabilityError;
use crate::function::limit::Limit;
use crate::steps::search::StepSearch;
use crate::steps::stable_steps::StableSteps;

/// Nominal number of samples between zero and the farthest step.
const SAMPLES: usize = 1000;
/// Factor of the initial range over the limit of the single parts, for searches without a range.
const BEYOND: f64 = 2.0;
/// End of such searches in units of 1/|λ| of the largest eigenvalue, where stability functions are close to their
/// limits at infinity. If the fast part is advanced by its exponential, the eigenvalue is that of the slow part.
const UNBOUNDED: f64 = 1000.0;

impl BlockSystem {
    /// Computes ρ(M(h)) for each h; infinite if the stage equations are singular or M overflows.
    ///
    /// The eigenvalues are 1 + μ with those of M − I, which reduces rounding for small steps. Zero eigenvalues of J
    /// correspond to the same number of zero μ. Rounding makes double ones as large as √(n ε) ‖M − I‖ in the Frobenius
    /// norm after balancing; therefore as many μ as J has zero eigenvalues count as zero if they are at most that
    /// large. For partitioned methods with more than 400 variables ρ(M) is that of
    /// [`stable_steps`](Self::stable_steps), and may be slightly too large for stable steps.
    ///
    /// # Errors
    /// Returns [`StabilityError::NoPartition`] if a variable belongs to a partition that the method does not have,
    /// [`StabilityError::TooManyVariables`] for more than 400 and a method without a tableau.
    pub fn spectral_radii(&self, step: &dyn SystemStep, steps: &[f64]) -> Result<Vec<f64>, StabilityError> {
        let counter = counter(&());
        Ok(match self.search_of(step, &counter)? {
            SearchKind::Unpartitioned(method) => method.spectral_radii(steps),
            SearchKind::Krylov(method) => method.spectral_radii(steps),
            SearchKind::Partitioned(method) => method.spectral_radii(steps),
        })
    }

    /// Computes the eigenvalues of M(h) from those of M(h) − I; conserved quantities of J have eigenvalues that equal
    /// one to rounding.
    ///
    /// # Errors
    /// Returns [`StabilityError::NoPartition`] if a variable belongs to a partition that the method does not have,
    /// [`StabilityError::NoStep`] if the stage equations are singular or M overflows.
    pub fn step_eigenvalues(&self, step: &dyn SystemStep, h: f64) -> Result<Vec<Complex64>, StabilityError> {
        let partition_of = self.partitions_for(step)?;
        Partitioned::new(self, step, partition_of, &counter(&()))
            .step_eigenvalues(h)
            .ok_or(StabilityError::NoStep { h })
    }

    /// Finds the stable steps up to `farthest`: ρ(M(h)) ≤ 1 + 1e-9.
    ///
    /// If one tableau advances all variables, ρ(M(h)) = max |R(hλ)| over the eigenvalues λ of J, and no sign change
    /// along any of these rays is missed. Otherwise 64 to 1000 equal intervals, small steps in a geometric sequence,
    /// and their refinement find the exits. The search is repeated up to the first exit as long as it finds an earlier
    /// one.
    ///
    /// With more than 400 variables the code does not form matrices of explicit partitioned methods (with more than
    /// 1500, of any explicit method). The decision then uses the vector that remains after 1500 steps, and the
    /// eigenvalues of M(h) on a Krylov subspace that begins with it. The range is divided into 64 equal intervals, and
    /// sign changes between their ends are located to a ten-thousandth of the range. The search misses narrower gaps,
    /// and also growth by less than three thousandths per step if many modes hardly decay.
    ///
    /// `progress` counts the steps at which M(h) was evaluated; their total is not known in advance. If one tableau
    /// advances all variables, there are no reports, because the search takes almost no time.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use hemiola_number::Update;
    /// use hemiola_stability::{BlockSystem, StabilityError};
    /// let system = BlockSystem::new(&[vec![-1.0, 0.2], vec![2.0, -10.0]], vec![0, 1])?;
    /// let method = hemiola_tableau::library::method("mprk-p3")?.to_f64();
    /// assert!(system.stable_steps(&method, 1.0, &())?.first_exit > 0.2);
    /// let stop = |update: Update<'_>| if update.done > 60 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    /// assert!(matches!(system.stable_steps(&method, 1.0, &stop), Err(StabilityError::Interrupted)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`StabilityError::NoPartition`] if a variable belongs to a partition that the method does not have,
    /// [`StabilityError::OutOfRange`] if `farthest` is not positive and finite, [`StabilityError::TooManyVariables`]
    /// for more than 400 and a method without a tableau, [`StabilityError::Interrupted`] if `progress` stops the
    /// search.
    pub fn stable_steps(
        &self,
        step: &dyn SystemStep,
        farthest: f64,
        progress: &dyn Progress,
    ) -> Result<StableSteps, StabilityError> {
        self.counted_stable_steps(step, farthest, &counter(progress))
    }

    fn counted_stable_steps(
        &self,
        step: &dyn SystemStep,
        farthest: f64,
        counter: &Counter<'_>,
    ) -> Result<StableSteps, StabilityError> {
        let search = StepSearch { farthest, samples: SAMPLES, margin: STABILITY_MARGIN }.checked()?;
        let found = match self.search_of(step, counter)? {
            SearchKind::Unpartitioned(method) => method.stable_steps(search.farthest),
            SearchKind::Krylov(method) => method.stable_steps(search),
            SearchKind::Partitioned(method) => method.stable_steps(search),
        };
        if counter.is_stopped() { Err(StabilityError::Interrupted) } else { Ok(found) }
    }

    /// Selects the search for a method: along the eigenvalues of J, from products with M, or from M itself.
    fn search_of<'a>(
        &'a self,
        step: &'a dyn SystemStep,
        counter: &'a Counter<'a>,
    ) -> Result<SearchKind<'a>, StabilityError> {
        let partition_of = self.partitions_for(step)?;
        if let Some(method) = step.tableau().and_then(|tableau| Unpartitioned::new(self, tableau)) {
            return Ok(SearchKind::Unpartitioned(method));
        }
        match step.tableau() {
            Some(tableau) if self.is_large() => {
                Ok(SearchKind::Krylov(KrylovStepper::new(self, tableau, partition_of, counter)))
            }
            None if self.is_large() => Err(StabilityError::TooManyVariables { found: self.variables(), most: LARGE }),
            _ => Ok(SearchKind::Partitioned(Partitioned::new(self, step, partition_of, counter))),
        }
    }

    /// Finds the stable steps in a range that is extended until the coupled system has an exit.
    ///
    /// The range begins with twice the [decoupled limit](Self::decoupled_limit), or with s/(2|λ|) for the largest
    /// eigenvalue if that is more, half of what s explicit stages can reach on the imaginary axis. It is doubled while
    /// there is no exit, up to 1000/|λ|. The decoupled limit alone is not a suitable scale: it does not exist if a part
    /// grows by itself, and the entire system may be stable far beyond it.
    ///
    /// ```
    /// use hemiola_stability::BlockSystem;
    /// // The slow part alone grows, so that the decoupled step is zero.
    /// let system = BlockSystem::new(&[vec![0.1, 0.1], vec![-20.0, -10.0]], vec![0, 1])?;
    /// let method = hemiola_tableau::library::method("mprk-p2")?;
    /// let decoupled = system.decoupled_limit(&method)?;
    /// let steps = system.stable_steps_to_exit(&method.to_f64(), decoupled, &())?;
    /// assert!(decoupled.value() == 0.0 && (steps.first_exit - 0.4).abs() < 0.1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`StabilityError::NoPartition`] if a variable belongs to a partition that the method does not have,
    /// [`StabilityError::TooManyVariables`] for more than 400 and a method without a tableau,
    /// [`StabilityError::Interrupted`] if `progress` stops the search.
    pub fn stable_steps_to_exit(
        &self,
        step: &dyn SystemStep,
        decoupled: Limit,
        progress: &dyn Progress,
    ) -> Result<StableSteps, StabilityError> {
        let counter = counter(progress);
        let modulus = |values: &[Complex64]| values.iter().map(|value| value.norm()).fold(0.0, f64::max);
        // A fast part that is advanced by its exponential does not determine the scale, unless the slow part has none.
        let scale = if step.tableau().is_some() { 0.0 } else { modulus(&self.part_eigenvalues(0)?) };
        let largest = if scale > 0.0 { scale } else { modulus(&self.eigenvalues) };
        if largest <= 0.0 || self.rigid == self.variables() {
            return self.counted_stable_steps(step, 1.0, &counter);
        }
        let end = UNBOUNDED / largest;
        let mut farthest = match decoupled {
            Limit::Unbounded => end,
            Limit::Finite(limit) => BEYOND * limit.max(0.25 * step.stages() as f64 / largest),
        };
        loop {
            let found = self.counted_stable_steps(step, farthest, &counter)?;
            if found.first_exit.is_finite() || farthest >= end {
                return Ok(found);
            }
            farthest = (BEYOND * farthest).min(end);
        }
    }
}

/// The search for the stable steps of a method.
enum SearchKind<'a> {
    Unpartitioned(Unpartitioned<'a>),
    Krylov(KrylovStepper<'a>),
    Partitioned(Partitioned<'a>),
}

/// Returns a counter of the steps at which M(h) is evaluated.
fn counter(progress: &dyn Progress) -> Counter<'_> {
    Counter::new(progress, "steps", None)
}
