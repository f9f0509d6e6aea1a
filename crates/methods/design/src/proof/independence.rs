//! Linear independence of gradients, and of the columns of a matrix for all entries within bounds.

use nalgebra::{DMatrix, DVector};
use num_traits::{One, Zero};

use crate::interval::bounds::{RealInterval, upwards};

/// A gradient counts as dependent if its remainder is a smaller fraction of it. At a degenerate solution known to half
/// its digits, dependent gradients leave 1e-8, independent ones more than 1e-4.
const LEFT: f64 = 1e-6;

/// The space spanned by gradients, as an orthonormal basis.
pub(crate) struct GradientSpan {
    /// A gradient counts as dependent if its remainder is a smaller fraction of it.
    left: f64,
    basis: Vec<DVector<f64>>,
}

impl Default for GradientSpan {
    fn default() -> Self {
        Self::new(LEFT)
    }
}

impl GradientSpan {
    pub(crate) fn new(left: f64) -> Self {
        Self { left, basis: Vec::new() }
    }

    /// Adds a gradient unless it depends on those before; returns whether it was added.
    pub(crate) fn add(&mut self, gradient: DVector<f64>) -> bool {
        let mut left = gradient;
        let length = left.norm();
        // Orthogonalize twice against the whole basis: after cancellation, "twice is enough".
        for _ in 0..2 {
            self.basis.iter().for_each(|q| left.axpy(-q.dot(&left), q, 1.0));
        }
        let rest = left.norm();
        let is_new = length > 0.0 && rest > self.left * length;
        if is_new {
            self.basis.push(left / rest);
        }
        is_new
    }

    /// Returns the orthonormal basis, one vector for each gradient that was added.
    pub(crate) fn basis(&self) -> &[DVector<f64>] {
        &self.basis
    }

    /// Returns an orthonormal basis of the complement, one vector in each column.
    pub(crate) fn complement(&self, size: usize) -> DMatrix<f64> {
        let mut all = self.basis.clone();
        let mut columns: Vec<DVector<f64>> = Vec::new();
        // The projections of the unit vectors, the longest first, so that none is nearly dependent.
        while all.len() < size {
            let rest = |k: usize| 1.0 - all.iter().map(|q| q[k] * q[k]).sum::<f64>();
            let Some(longest) = (0..size).max_by(|&i, &k| rest(i).total_cmp(&rest(k))) else { break };
            let mut unit = DVector::zeros(size);
            unit[longest] = 1.0;
            for _ in 0..2 {
                all.iter().for_each(|q| unit.axpy(-q.dot(&unit), q, 1.0));
            }
            let vector = &unit / unit.norm();
            columns.push(vector.clone());
            all.push(vector);
        }
        DMatrix::from_fn(size, columns.len(), |i, j| columns[j][i])
    }

    /// Adds the midpoint of an enclosed gradient unless it depends on those before; returns whether it was added.
    pub(crate) fn add_enclosed(&mut self, gradient: &[RealInterval]) -> bool {
        self.add(DVector::from_iterator(gradient.len(), gradient.iter().map(|x| x.middle())))
    }
}

/// Returns whether a matrix of sparse rows has independent columns for all entries within their bounds.
pub(crate) fn are_independent(rows: &[Vec<(usize, RealInterval)>], columns: usize) -> bool {
    let mut gram = DMatrix::zeros(columns, columns);
    for row in rows {
        for (i, x) in row {
            row.iter().for_each(|(k, y)| gram[(*i, *k)] += x.middle() * y.middle());
        }
    }
    let Some(inverse) = gram.cholesky().map(|cholesky| cholesky.inverse()) else { return columns == 0 };
    let mut difference = vec![RealInterval::zero(); columns * columns];
    (0..columns).for_each(|k| difference[k * columns + k] = RealInterval::one());
    for row in rows {
        let left = row.iter().map(|(k, x)| inverse.column(*k) * x.middle()).reduce(|sum, part| sum + part);
        for (left, (k, x)) in left.iter().flat_map(|left| row.iter().map(move |entry| (left, entry))) {
            let column = &mut difference[k * columns..(k + 1) * columns];
            column.iter_mut().zip(left.iter()).for_each(|(sum, l)| *sum += -(RealInterval::point(*l) * *x));
        }
    }
    let row_sum = |i: usize| (0..columns).map(|k| difference[k * columns + i].size()).sum::<f64>();
    (0..columns).all(|i| upwards(row_sum(i)) < 1.0)
}

#[cfg(test)]
mod tests {
    use hemiola_tableau::Exact;

    use super::*;

    #[test]
    fn independence_is_that_of_all_matrices_within_the_bounds() {
        let entry = |x: f64, radius: f64| RealInterval::around(&Exact::from_f64(x).unwrap(), radius);
        let rows =
            |radius: f64| vec![vec![(0, entry(1.0, radius)), (1, entry(1.0, 0.0))], vec![(1, entry(2.0, radius))]];
        assert!(are_independent(&rows(0.1), 2) && are_independent(&[], 0));
        assert!(!are_independent(&rows(1.5), 2) && !are_independent(&rows(0.0)[..1], 2));
        assert!(!are_independent(&rows(f64::INFINITY), 2) && !are_independent(&rows(0.0), 3));
    }
}
