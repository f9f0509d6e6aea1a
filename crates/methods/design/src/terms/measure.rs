//! Measured errors of a pair on a system.

use hemiola_tableau::Tableau;

/// Measures errors of a pair in runs of a system, relative to the target error.
///
/// This crate does not know the system: it passes tableaus and receives deviations.
///
/// ```
/// use hemiola_design::Measure;
/// use hemiola_tableau::Tableau;
/// /// How far the fast weights are from one step of the system's oscillation.
/// struct Phase;
/// impl Measure for Phase {
///     fn deviations(&self, tableau: &Tableau<f64>, step: f64) -> Option<Vec<f64>> {
///         let fast = &tableau.partitions[1];
///         Some(vec![fast.b.iter().zip(&fast.c).map(|(b, c)| b * (step * c).sin()).sum::<f64>() - (1.0 - step.cos()) / step])
///     }
///
///     fn step_range(&self) -> [f64; 2] {
///         [0.01, 1.0]
///     }
/// }
/// ```
pub trait Measure: Sync {
    /// Returns the deviations at a step size, each relative to its target value; a run is accurate enough if their sum
    /// of squares is at most one.
    ///
    /// Their number must be the same for every pair and step size. Returns `None` if a run breaks off.
    fn deviations(&self, tableau: &Tableau<f64>, step: f64) -> Option<Vec<f64>>;

    /// Returns the stability excesses at a step size, in units that weigh as much as deviations.
    ///
    /// The step is stable if no entry is positive; negative entries measure the distance from the boundary. Returns
    /// `None` on overflow.
    fn growth(&self, _tableau: &Tableau<f64>, _step: f64) -> Option<Vec<f64>> {
        Some(Vec::new())
    }

    /// Returns the shortest and the longest useful step size.
    fn step_range(&self) -> [f64; 2];
}
