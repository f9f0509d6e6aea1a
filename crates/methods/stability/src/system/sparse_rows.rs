//! Large matrices as sparse rows, and their outermost eigenvalues.

use nalgebra::{DMatrix, DVector};
use num_complex::Complex64;

use crate::eigenvalues::krylov::{any_vector, ritz_values};
use crate::error::StabilityError;

/// Maximum number of outermost eigenvalues with residuals, and the maximum dimension of their subspace.
const OUTER: [usize; 2] = [40, 300];
/// Largest residual of the returned eigenvalues, relative to the largest eigenvalue.
const KNOWN: f64 = 1e-6;

/// Rows of a matrix without their zeros.
pub(super) struct SparseRows {
    /// Start of each row.
    starts: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl SparseRows {
    pub(super) fn new(matrix: &DMatrix<f64>) -> Self {
        let mut found = Self { starts: vec![0], columns: Vec::new(), values: Vec::new() };
        for row in matrix.row_iter() {
            for (column, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                found.columns.push(column);
                found.values.push(value);
            }
            found.starts.push(found.columns.len());
        }
        found
    }

    /// Computes one entry of the product with a vector.
    pub(super) fn row(&self, row: usize, x: &DVector<f64>) -> f64 {
        let range = self.starts[row]..self.starts[row + 1];
        self.columns[range.clone()].iter().zip(&self.values[range]).map(|(&column, value)| value * x[column]).sum()
    }

    /// Computes the outermost eigenvalues, the smallest first.
    pub(super) fn outer_eigenvalues(&self) -> Result<Vec<Complex64>, StabilityError> {
        let n = self.starts.len() - 1;
        let product = |x: &DVector<f64>, out: &mut DVector<f64>| (0..n).for_each(|row| out[row] = self.row(row, x));
        let found = ritz_values(&any_vector(n), OUTER, product, |_| false)?;
        let size = found.first().map_or(0.0, |ritz| ritz.value.norm());
        let known = found.iter().enumerate().filter(|(k, ritz)| *k == 0 || ritz.residual <= KNOWN * size);
        // Ranges of steps need the largest eigenvalue: include its estimate even if it has not converged.
        let mut values: Vec<Complex64> = known.map(|(_, ritz)| ritz.value).collect();
        values.reverse();
        Ok(values)
    }
}
