//! Steps of methods on linear systems, of which stable ones are searched.

use hemiola_tableau::Tableau;
use nalgebra::DMatrix;

use super::step;

/// A method's step on linear systems whose variables are divided among partitions.
pub trait SystemStep: Sync {
    /// Returns the number of partitions; a method with one applies to all variables.
    fn partitions(&self) -> usize;

    /// Returns the number of stages, the scale of stable steps.
    fn stages(&self) -> usize;

    /// Computes M − I of the step q⁺ = M q from hJ and the partition of each variable, counted from zero. `None` if the
    /// stage equations are singular or a number is not finite.
    fn increment(&self, hj: &DMatrix<f64>, partition_of: &[usize]) -> Option<DMatrix<f64>>;

    /// Returns the tableau, if the method has one: its steps are then searched along eigenvalues or as polynomials in h, on
    /// systems of any size. Methods without one advance the second partition, the fast one, by the exponential of its block, so
    /// that the first one sets the scale of their steps.
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
