//! Interface of the steps of methods on linear systems.

use hemiola_tableau::Tableau;
use nalgebra::DMatrix;

use super::step;

/// A method's step on linear systems whose variables are divided among partitions.
pub trait SystemStep: Sync {
    /// Returns the number of partitions; a method with one partition applies to all variables.
    fn partitions(&self) -> usize;

    /// Returns the number of stages, the scale of stable steps.
    fn stages(&self) -> usize;

    /// Computes M − I of the step q⁺ = M q from hJ and the partition of each variable, counted from zero. Returns
    /// `None` if the stage equations are singular or a number is not finite.
    fn increment(&self, hj: &DMatrix<f64>, partition_of: &[usize]) -> Option<DMatrix<f64>>;

    /// Returns the tableau, if the method has one. The search for its steps then proceeds along eigenvalues or by
    /// polynomials in h, on systems of any size. Methods without a tableau advance the second, fast partition by the
    /// exponential of its block, so the first partition determines the scale of their steps.
    fn tableau(&self) -> Option<&Tableau<f64>> {
        None
    }
}

impl SystemStep for Tableau<f64> {
    fn partitions(&self) -> usize {
        self.partitions.len()
    }

    fn stages(&self) -> usize {
        Self::stages(self)
    }

    fn increment(&self, hj: &DMatrix<f64>, partition_of: &[usize]) -> Option<DMatrix<f64>> {
        step::increment(self, hj, partition_of)
    }

    fn tableau(&self) -> Option<&Tableau<f64>> {
        Some(self)
    }
}
