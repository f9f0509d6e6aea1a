//! Singular value decompositions of matrices that may be empty or have overflowed.

use nalgebra::{DMatrix, Dyn, SVD};

/// Largest number of iterations of a decomposition.
const MOST_ITERATIONS: usize = 10_000;

/// Decomposes a matrix; `None` if it has no entries, as without unknowns or equations, if an entry is not finite, as
/// with huge coefficients of a file, or without convergence.
/// The decomposition of nalgebra panics if the matrix is empty, and panics or runs through all iterations if an entry is
/// not finite.
pub(crate) fn decomposed(matrix: DMatrix<f64>) -> Option<SVD<f64, Dyn, Dyn>> {
    if matrix.is_empty() || !matrix.iter().all(|x| x.is_finite()) {
        return None;
    }
    SVD::try_new(matrix, true, true, f64::EPSILON, MOST_ITERATIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_matrices_have_no_decomposition() {
        for (rows, columns) in [(0, 0), (3, 0), (0, 3)] {
            assert!(decomposed(DMatrix::zeros(rows, columns)).is_none());
        }
    }

    #[test]
    fn overflow_has_no_decomposition() {
        assert!(decomposed(DMatrix::from_row_slice(2, 2, &[1.0, f64::INFINITY, 2.0, 3.0])).is_none());
        assert!(decomposed(DMatrix::from_row_slice(2, 2, &[1.0, f64::NAN, 2.0, 3.0])).is_none());
        assert_eq!(decomposed(DMatrix::from_row_slice(1, 2, &[3.0, 4.0])).unwrap().singular_values[0], 5.0);
    }
}
