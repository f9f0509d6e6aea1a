//! Stable steps of systems of many variables: ρ(M(h)) from products M(h)q, each of which is one step of the method.

use hemiola_tableau::Tableau;
use nalgebra::DVector;

use super::block_system::BlockSystem;
use crate::eigenvalues::krylov::{Ritz, any_vector, ritz_values};
use crate::steps::search::{StepSearch, bracketed};
use crate::steps::stable_steps::StableSteps;
use crate::system::sparse_rows::SparseRows;
use crate::system::step::increment;
use hemiola_number::{Counter, parallel};

/// Number of steps before a subspace is built: modes that decay by more than a hundredth per step have then vanished.
const STEPS: usize = 1500;
/// Factor of growth over the second half of the steps that counts as growth: a double zero grows by a factor of two.
const GROWN: f64 = 8.0;
/// Maximum dimension of the Krylov subspace after these steps, and the number of its eigenvalues that are examined.
const DIMENSIONS: usize = 120;
const LOOKED_AT: usize = 6;
/// Margin by which ρ(M) of large systems may exceed one: eigenvalues on a subspace are not exact to rounding.
const MARGIN: f64 = 1e-7;
/// Largest ratio of the residual of an eigenvalue to its distance from the circle at which it certainly lies outside.
const CERTAIN: f64 = 0.3;
/// Number of equal step intervals that are examined, and the accuracy of an exit relative to the range.
const SAMPLES: usize = 64;
const WIDTH: f64 = 1e-4;
/// Large system and the method that advances it.
pub(super) struct KrylovStepper<'a> {
    system: &'a BlockSystem,
    tableau: &'a Tableau<f64>,
    partition_of: Vec<usize>,
    rows: SparseRows,
    /// Whether each partition evaluates each stage.
    evaluates: Vec<Vec<bool>>,
    counter: &'a Counter<'a>,
}

impl<'a> KrylovStepper<'a> {
    pub(super) fn new(
        system: &'a BlockSystem,
        tableau: &'a Tableau<f64>,
        partition_of: Vec<usize>,
        counter: &'a Counter<'a>,
    ) -> Self {
        let evaluates = tableau.partitions.iter().map(|part| {
            let mut all = vec![false; part.b.len()];
            part.evaluated_stages().into_iter().for_each(|stage| all[stage] = true);
            all
        });
        let rows = SparseRows::new(&system.balanced);
        Self { evaluates: evaluates.collect(), rows, system, tableau, partition_of, counter }
    }

    /// Computes ρ(M(h)) for each h; infinite if the stage equations are singular or M overflows.
    pub(super) fn spectral_radii(&self, steps: &[f64]) -> Vec<f64> {
        parallel::map(steps.len(), |k| 1.0 + self.growth(steps[k]))
    }

    pub(super) fn stable_steps(&self, search: StepSearch) -> StableSteps {
        let place = |k: usize| search.farthest * (k as f64 / SAMPLES as f64);
        let values = parallel::map(SAMPLES + 1, |k| if k == 0 { -MARGIN } else { self.at(place(k)) });
        let places: Vec<(f64, f64)> = values.into_iter().enumerate().map(|(k, value)| (place(k), value)).collect();
        let changes: Vec<&[(f64, f64)]> =
            places.windows(2).filter(|pair| (pair[0].1 > 0.0) != (pair[1].1 > 0.0)).collect();
        let ends = parallel::map(changes.len(), |k| {
            let [a, b] = bracketed(|h| self.at(h), [changes[k][0], changes[k][1]], WIDTH * search.farthest);
            if a.1 <= 0.0 { a.0 } else { b.0 }
        });
        StableSteps::from_exits(&ends, search.farthest)
    }

    /// Computes the excess, which is positive where the step is unstable.
    fn at(&self, h: f64) -> f64 {
        self.growth(h) - MARGIN
    }

    /// Computes ρ(M) − 1 from the vector that remains after many steps, and from a small subspace that begins with it.
    fn growth(&self, h: f64) -> f64 {
        if self.counter.advance(1).is_break() {
            return f64::INFINITY;
        }
        let is_explicit = self.tableau.is_explicit();
        let matrix =
            (!is_explicit).then(|| increment(self.tableau, &(&self.system.balanced * h), &self.partition_of)).flatten();
        if !is_explicit && matrix.is_none() {
            return f64::INFINITY;
        }
        let n = self.partition_of.len();
        let mut slopes = vec![DVector::zeros(n); self.tableau.stages()];
        let mut step = |x: &DVector<f64>, out: &mut DVector<f64>| match &matrix {
            Some(matrix) => *out = matrix * x + x,
            None => self.explicit_step(h, x, &mut slopes, out),
        };
        let (mut state, mut next) = (any_vector(n).normalize(), DVector::zeros(n));
        let mut grown = 0.0;
        for k in 1..=STEPS {
            step(&state, &mut next);
            let size = next.norm();
            if !size.is_finite() || size == 0.0 {
                return if size == 0.0 { -1.0 } else { f64::INFINITY };
            }
            grown += if 2 * k > STEPS { size.ln() } else { 0.0 };
            state.copy_from(&next);
            state /= size;
        }
        let outside = |ritz: &Ritz| ritz.value.norm() - 1.0;
        let is_certain = |ritz: &&Ritz| outside(ritz) > MARGIN && ritz.residual <= CERTAIN * outside(ritz);
        let found =
            ritz_values(&state, [LOOKED_AT, DIMENSIONS], step, |found| found.iter().any(|ritz| is_certain(&ritz)));
        let Ok(found) = found else { return f64::INFINITY };
        let rate = 2.0 * grown / STEPS as f64;
        if let Some(certain) = found.iter().find(is_certain) {
            return outside(certain);
        }
        // Uncertain eigenvalues outside the circle come from the field of values of a matrix far from normal, or from
        // many eigenvalues of nearly the same modulus.
        if grown > GROWN.ln() {
            return rate;
        }
        found.iter().map(outside).find(|outside| *outside <= MARGIN).unwrap_or(0.0)
    }

    /// Performs one step from x.
    fn explicit_step(&self, h: f64, x: &DVector<f64>, slopes: &mut [DVector<f64>], out: &mut DVector<f64>) {
        let stages = self.tableau.stages();
        for i in 0..stages {
            out.copy_from(x);
            self.add(h, &slopes[..i], |part, j| self.tableau.partitions[part].a[i][j], out);
            for (row, &part) in self.partition_of.iter().enumerate() {
                slopes[i][row] = if self.evaluates[part][i] { self.rows.row(row, out) } else { 0.0 };
            }
        }
        out.copy_from(x);
        self.add(h, slopes, |part, j| self.tableau.partitions[part].b[j], out);
    }

    /// Computes out += h Σ weight · slope, with the weights of the partition of each variable.
    fn add(&self, h: f64, slopes: &[DVector<f64>], weight: impl Fn(usize, usize) -> f64, out: &mut DVector<f64>) {
        for (j, slope) in slopes.iter().enumerate() {
            let weights: Vec<f64> = (0..self.tableau.partitions.len()).map(|part| h * weight(part, j)).collect();
            if weights.iter().any(|weight| *weight != 0.0) {
                let parts = self.partition_of.iter().zip(slope.iter());
                out.iter_mut().zip(parts).for_each(|(out, (&part, slope))| *out += weights[part] * slope);
            }
        }
    }
}
