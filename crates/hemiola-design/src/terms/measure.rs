//! What a pair is measured by on a system, whatever that is.

use hemiola_tableau::Tableau;

/// Measured errors of a pair: of runs of a system, over the error that is wanted.
///
/// What is run is none of this crate's business: tableaus go in, deviations come out.
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
    /// The deviations at a step, each over what is wanted of it, so that a sum of squares of one is just good enough; `None` where a run
    /// breaks off. As many for every pair and step.
    fn deviations(&self, tableau: &Tableau<f64>, step: f64) -> Option<Vec<f64>>;

    /// What stability at a step lacks, in units that weigh as much as deviations: stable where no entry is positive. `None` where it overflows.
    /// Entries below zero say how far away the boundary is.
    fn growth(&self, _tableau: &Tableau<f64>, _step: f64) -> Option<Vec<f64>> {
        Some(Vec::new())
    }

    /// The shortest and the longest step that are of any use.
    fn step_range(&self) -> [f64; 2];
}
