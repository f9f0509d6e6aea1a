//! The objective of a low-storage design, a sum of squares.

use hemiola_order::{OrderError, Tree};
use hemiola_tableau::Tableau;
use nalgebra::{DMatrix, DVector};
use num_complex::Complex64;

use crate::family::level::horner;
use crate::proof::trees::chain;
use crate::proof::trees::trees;
use crate::storage::equations::{dot, tree_gradient};
use crate::storage::specification::StorageSpecification;
use crate::storage::target::StabilityTarget;

/// Weight of abscissae outside the step, where forces would have to be known beyond its end.
const OUTSIDE: f64 = 0.02;

/// The terms: principal errors, abscissae outside the step, internal amplification, instability on the spectrum.
#[derive(Clone, Debug)]
pub(crate) struct StorageObjective {
    /// The trees of the principal error, with 1/γ and 1/σ.
    errors: Vec<(Tree, f64, f64)>,
    internal: Vec<Complex64>,
    internal_weight: f64,
    places: Vec<Complex64>,
    /// The weight of |R|² − 1 > 0 on the scaled spectrum.
    unstable: f64,
    /// The trees of the coefficients beyond the order.
    powers: Vec<Tree>,
    order: usize,
}

impl StorageObjective {
    /// Sets up the terms. `unstable` is the weight of instability, which must be zero if the polynomial is prescribed.
    pub(crate) fn new(
        specification: &StorageSpecification,
        target: Option<&StabilityTarget>,
        unstable: f64,
    ) -> Result<Self, OrderError> {
        let StorageSpecification { order, stages, internal: internal_weight, .. } = *specification;
        let principal = trees(1, order + 1)?.into_iter().filter(|tree| tree.order() == order + 1);
        let error = |tree: Tree| {
            let [gamma, sigma] = [tree.density(), tree.symmetry()].map(|x| 1.0 / x as f64);
            (tree, gamma, sigma)
        };
        let places = target.filter(|_| unstable > 0.0).map_or_else(Vec::new, |target| target.places.clone());
        let internal = target.filter(|_| internal_weight > 0.0).map_or_else(Vec::new, |target| target.internal.clone());
        let powers =
            if places.is_empty() { Vec::new() } else { (order + 1..=stages).map(|power| chain(0, power)).collect() };
        Ok(Self { errors: principal.map(error).collect(), internal, internal_weight, places, unstable, powers, order })
    }

    /// Computes the terms whose squares are summed, and their derivatives.
    pub(crate) fn linearized(&self, tableaus: &[Tableau<f64>], slopes: &[Vec<f64>]) -> (DVector<f64>, DMatrix<f64>) {
        let mut terms: Vec<(f64, Vec<f64>)> = Vec::new();
        for (tree, gamma, sigma) in &self.errors {
            let (value, gradient) = tree_gradient(tree, tableaus, 0);
            let row = slopes.iter().map(|slope| sigma * dot(&gradient, slope)).collect();
            terms.push((sigma * (value - gamma), row));
        }
        self.add_outside(&tableaus[0], slopes, &mut terms);
        self.add_internal(&tableaus[0], slopes, &mut terms);
        self.add_instability(tableaus, slopes, &mut terms);
        let values = DVector::from_iterator(terms.len(), terms.iter().map(|(value, _)| *value));
        let jacobian = DMatrix::from_fn(terms.len(), slopes.len(), |i, j| terms[i].1[j]);
        (values, jacobian)
    }

    fn add_outside(&self, tableau: &Tableau<f64>, slopes: &[Vec<f64>], terms: &mut Vec<(f64, Vec<f64>)>) {
        let mut start = 0;
        for (i, row) in tableau.partitions[0].a.iter().enumerate() {
            let c: f64 = row.iter().sum();
            let excess = c - c.clamp(0.0, 1.0);
            if excess != 0.0 {
                let slope = |slope: &Vec<f64>| OUTSIDE * slope[start..start + i].iter().sum::<f64>();
                terms.push((OUTSIDE * excess, slopes.iter().map(slope).collect()));
            }
            start += i;
        }
    }

    /// Adds wQ_j(z)/√N of the N points: Q_j = z(b_j + Σ_{i>j} a_ij Q_i) is the factor of a perturbation of stage j in the
    /// step (Ketcheson, Lóczi & Parsani 2014).
    fn add_internal(&self, tableau: &Tableau<f64>, slopes: &[Vec<f64>], terms: &mut Vec<(f64, Vec<f64>)>) {
        let part = &tableau.partitions[0];
        let s = part.b.len();
        let factor = self.internal_weight / (self.internal.len().max(1) as f64).sqrt();
        for &z in &self.internal {
            let mut q = vec![Complex64::ZERO; s];
            for j in (0..s).rev() {
                let sum: Complex64 = (j + 1..s).map(|i| q[i] * part.a[i][j]).sum();
                q[j] = z * (sum + part.b[j]);
            }
            let derivatives: Vec<Vec<Complex64>> = slopes
                .iter()
                .map(|slope| {
                    let mut dq = vec![Complex64::ZERO; s];
                    for j in (0..s).rev() {
                        let entry = |i: usize| slope[i * (i - 1) / 2 + j];
                        let sum: Complex64 = (j + 1..s).map(|i| dq[i] * part.a[i][j] + q[i] * entry(i)).sum();
                        dq[j] = z * (sum + slope[s * (s - 1) / 2 + j]);
                    }
                    dq
                })
                .collect();
            for j in 0..s {
                terms.push((factor * q[j].re, derivatives.iter().map(|dq| factor * dq[j].re).collect()));
                terms.push((factor * q[j].im, derivatives.iter().map(|dq| factor * dq[j].im).collect()));
            }
        }
    }

    fn add_instability(&self, tableaus: &[Tableau<f64>], slopes: &[Vec<f64>], terms: &mut Vec<(f64, Vec<f64>)>) {
        if self.places.is_empty() {
            return;
        }
        let mut r = vec![1.0; self.order + 1];
        for k in 1..=self.order {
            r[k] = r[k - 1] / k as f64;
        }
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for tree in &self.powers {
            let (value, gradient) = tree_gradient(tree, tableaus, 0);
            r.push(value);
            rows.push(slopes.iter().map(|slope| dot(&gradient, slope)).collect());
        }
        let weight = self.unstable / (self.places.len() as f64).sqrt();
        for &z in &self.places {
            let at = horner(&r, z);
            let excess = at.norm_sqr() - 1.0;
            if excess <= 0.0 {
                continue;
            }
            let factors: Vec<f64> =
                (0..rows.len()).map(|k| 2.0 * (at.conj() * z.powi((self.order + 1 + k) as i32)).re).collect();
            let slope = |column: usize| weight * factors.iter().zip(&rows).map(|(f, row)| f * row[column]).sum::<f64>();
            terms.push((weight * excess, (0..slopes.len()).map(slope).collect()));
        }
    }
}
