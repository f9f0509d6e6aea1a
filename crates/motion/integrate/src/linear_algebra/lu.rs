//! Linear systems, solved in place without allocation.

/// Factorization PA = LU by Gaussian elimination with partial pivoting, with storage for the largest system needed.
#[derive(Clone, Debug)]
pub(crate) struct Lu {
    n: usize,
    /// The matrix; after the factorization L below the diagonal and U on and above it, row by row.
    entries: Vec<f64>,
    /// The row exchanged with each row.
    pivots: Vec<usize>,
}

impl Lu {
    /// Allocates storage for systems of up to n equations.
    pub(crate) fn new(n: usize) -> Self {
        Self { n, entries: vec![0.0; n * n], pivots: vec![0; n] }
    }

    /// Returns the entries of an n×n matrix, to be written before [`Self::factorize`].
    pub(crate) fn matrix(&mut self, n: usize) -> &mut [f64] {
        self.n = n;
        &mut self.entries[..n * n]
    }

    /// Factorizes the matrix. Returns false if it is singular to rounding or not finite.
    ///
    /// LU is the exact factorization of a matrix within nε|L||U| of the given one (Higham 2002, Theorem 9.3). If a
    /// pivot does not exceed that bound, one of these matrices is singular. The test does not depend on the units of
    /// rows and columns.
    pub(crate) fn factorize(&mut self) -> bool {
        let n = self.n;
        for k in 0..n {
            let size = |row: &usize| self.entries[row * n + k].abs();
            let pivot = (k..n).max_by(|x, y| size(x).total_cmp(&size(y))).unwrap_or(k);
            self.pivots[k] = pivot;
            if pivot != k {
                let (upper, lower) = self.entries.split_at_mut(pivot * n);
                upper[k * n..(k + 1) * n].swap_with_slice(&mut lower[..n]);
            }
            if self.is_singular_at(k) {
                return false;
            }
            self.eliminate(k);
        }
        true
    }

    /// Returns whether the pivot of row k is within rounding of zero, or not finite.
    fn is_singular_at(&self, k: usize) -> bool {
        let (n, pivot) = (self.n, self.entries[k * self.n + k].abs());
        let sum: f64 = (0..k).map(|j| (self.entries[k * n + j] * self.entries[j * n + k]).abs()).sum();
        let resolved = pivot > n as f64 * f64::EPSILON * (sum + pivot);
        !resolved || !pivot.is_finite()
    }

    fn eliminate(&mut self, k: usize) {
        let n = self.n;
        let (upper, lower) = self.entries[..n * n].split_at_mut((k + 1) * n);
        let pivot_row = &upper[k * n..];
        for row in lower.chunks_exact_mut(n) {
            row[k] /= pivot_row[k];
            let factor = row[k];
            if factor != 0.0 {
                row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]).for_each(|(entry, above)| *entry -= factor * above);
            }
        }
    }

    /// Solves Ax = b in place with the factorized matrix.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        let product = |row: &[f64], x: &[f64]| -> f64 { row.iter().zip(x).map(|(entry, x)| entry * x).sum() };
        for (k, &pivot) in self.pivots[..n].iter().enumerate() {
            x.swap(k, pivot);
        }
        for k in 1..n {
            x[k] -= product(&self.entries[k * n..k * n + k], x);
        }
        for k in (0..n).rev() {
            let row = &self.entries[k * n..(k + 1) * n];
            x[k] = (x[k] - product(&row[k + 1..], &x[k + 1..n])) / row[k];
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn factorized(n: usize, entries: &[f64]) -> Option<Lu> {
        let mut lu = Lu::new(n + 2);
        lu.matrix(n).copy_from_slice(entries);
        lu.factorize().then_some(lu)
    }

    #[test]
    fn singular_matrices_are_found() {
        assert!(factorized(1, &[0.0]).is_none());
        assert!(factorized(1, &[f64::NAN]).is_none() && factorized(1, &[f64::INFINITY]).is_none());
        // A matrix of rank one; in doubles the elimination leaves 0.6 − 3·0.2 = −1e-16.
        assert!(factorized(2, &[0.1, 0.2, 0.3, 0.6]).is_none());
        assert!(factorized(3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]).is_none());
        // Badly scaled matrices are not singular.
        assert!(
            factorized(2, &[1.0, 1e-30, 1.0, 2e-30]).is_some() && factorized(2, &[1e-200, 0.0, 0.0, 1e200]).is_some()
        );
    }

    proptest! {
        #[test]
        fn solutions_have_small_residuals(entries in prop::collection::vec(-1.0f64..1.0, 36), x in prop::collection::vec(-1.0f64..1.0, 6)) {
            if let Some(lu) = factorized(6, &entries) {
                let mut solution = x.clone();
                lu.solve(&mut solution);
                let size = solution.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
                for (row, x) in entries.chunks(6).zip(&x) {
                    let residual = row.iter().zip(&solution).map(|(a, x)| a * x).sum::<f64>() - x;
                    // nε|L||U||x|, where the entries of |L||U| are at most n·2ⁿ⁻¹.
                    prop_assert!(residual.abs() <= 36.0 * 192.0 * f64::EPSILON * size);
                }
            }
        }
    }
}
