//! One tableau for all variables: M(h) = R(hJ), whose eigenvalues are R(hλ) for the eigenvalues λ of J.

use hemiola_tableau::Tableau;
use num_complex::Complex64;

use super::block_system::{BlockSystem, STABILITY_MARGIN};
use crate::function::evaluation::Evaluator;
use crate::steps::chebyshev_panels::isolate_sign_changes;
use crate::steps::search::{StepExcess, change};
use crate::steps::stable_steps::StableSteps;
use hemiola_number::parallel;

/// Bound on the error of |R|² near one, and on its relative error if it is larger.
const NOISE: f64 = 1e-10;

/// System and the stability function of the method that advances it.
pub(super) struct Unpartitioned<'a> {
    function: Evaluator,
    stages: usize,
    /// Nonzero eigenvalues; of conjugates only the upper one.
    eigenvalues: Vec<Complex64>,
    system: &'a BlockSystem,
}

impl<'a> Unpartitioned<'a> {
    /// Prepares the method; returns `None` if partitions have different tableaux, or not all eigenvalues of J are
    /// known.
    pub(super) fn new(system: &'a BlockSystem, tableau: &Tableau<f64>) -> Option<Self> {
        let (first, others) = tableau.partitions.split_first()?;
        let is_one = others.iter().all(|other| other.a == first.a && other.b == first.b);
        if !is_one || !system.is_decomposed() {
            return None;
        }
        let mut eigenvalues: Vec<Complex64> =
            system.eigenvalues[system.rigid..].iter().copied().filter(|value| value.im >= 0.0).collect();
        eigenvalues.dedup();
        Some(Self { function: Evaluator::new(first), stages: tableau.stages(), eigenvalues, system })
    }

    /// Computes ρ(M(h)) for each h.
    pub(super) fn spectral_radii(&self, steps: &[f64]) -> Vec<f64> {
        // Zero eigenvalues of J leave eigenvalues one of M.
        let least = if self.system.rigid > 0 { 1.0 } else { 0.0 };
        let radius = |h: f64| self.eigenvalues.iter().map(|&value| self.modulus(value * h)).fold(least, f64::max);
        parallel::map(steps.len(), |k| radius(steps[k]))
    }

    pub(super) fn stable_steps(&self, farthest: f64) -> StableSteps {
        let intervals = |k: usize| EigenvalueRay { method: self, value: self.eigenvalues[k] }.unstable(farthest);
        let mut intervals = parallel::map(self.eigenvalues.len(), intervals).concat();
        intervals.sort_by(|x, y| x.0.total_cmp(&y.0));
        StableSteps::excluding_intervals(&intervals, farthest)
    }

    /// Computes |R(z)|; infinite at poles and where it overflows.
    fn modulus(&self, z: Complex64) -> f64 {
        finite(self.function.at(z, 1.0).0)
    }
}

/// Computes the modulus, infinite for NaN.
fn finite(value: Complex64) -> f64 {
    let modulus = value.norm();
    if modulus.is_nan() { f64::INFINITY } else { modulus }
}

/// Modulus |R(hλ)| along one eigenvalue.
struct EigenvalueRay<'a> {
    method: &'a Unpartitioned<'a>,
    value: Complex64,
}

impl EigenvalueRay<'_> {
    /// Returns the intervals of unstable steps; the last one may extend to infinity.
    fn unstable(&self, farthest: f64) -> Vec<(f64, f64)> {
        // |R|² has degree 2s along the ray.
        let cells = self.method.stages.div_ceil(4).max(4);
        let places = isolate_sign_changes(&|h| self.at(h), (0.0, farthest), cells, NOISE);
        let mut intervals: Vec<(f64, f64)> = Vec::new();
        let mut start = None;
        for pair in places.windows(2) {
            if (pair[0].1 > 0.0) == (pair[1].1 > 0.0) {
                continue;
            }
            let place = change(self, pair[0], pair[1]);
            match start.take() {
                None => start = Some(place),
                Some(start) => intervals.push((start, place)),
            }
        }
        intervals.extend(start.map(|start| (start, f64::INFINITY)));
        intervals
    }
}

impl StepExcess for EigenvalueRay<'_> {
    /// Computes (|R|² − (1 + margin)²)/2, which is smooth where R vanishes.
    fn at(&self, h: f64) -> f64 {
        let modulus = finite(self.method.function.precisely(self.value * h));
        // Write the difference of squares as a product: it stays accurate near the level.
        0.5 * (modulus - 1.0 - STABILITY_MARGIN) * (modulus + 1.0 + STABILITY_MARGIN)
    }

    fn sample(&self, from: f64, to: f64, cells: usize) -> Vec<f64> {
        (0..=cells).map(|i| self.at(from + (to - from) * (i as f64 / cells as f64))).collect()
    }
}
