//! Bounded stability functions of methods with an explicit first stage, as a polynomial equation.
//!
//! With Â = A without the first row and column and a the first column without its first entry, the stages tend to −Â⁻¹a. R
//! is bounded if b₁ = b̂ᵀÂ⁻¹a for the other weights b̂, that is, if the determinant of [Â a; b̂ᵀ b₁] vanishes. If the
//! weights are those of the last stage, R(∞) is the limit of this stage, which vanishes then.

use hemiola_tableau::Scalar;

use crate::pair::place::CoefficientIndex;

/// The matrix whose determinant vanishes.
#[derive(Clone, Debug)]
pub(crate) struct DampingMatrix {
    /// The partition of A.
    pub(crate) partition: usize,
    /// The partition of the weights in the last row; `None` if they are the row of the last stage.
    pub(crate) weights: Option<usize>,
    /// The stages at which the partition is evaluated.
    pub(crate) stages: Vec<usize>,
    /// The row of the weights: the number of all stages, or a stage without an evaluation.
    pub(crate) row: usize,
}

impl DampingMatrix {
    pub(crate) fn size(&self) -> usize {
        self.stages.len() - usize::from(self.weights.is_none())
    }

    /// Returns the position of the entry in row `i` and column `k`; the last column is the first of A.
    pub(crate) fn position(&self, i: usize, k: usize) -> CoefficientIndex {
        let column = if k + 1 == self.size() { self.stages[0] } else { self.stages[k + 1] };
        match (self.stages.get(i + 1), self.weights) {
            (None, Some(weights)) => CoefficientIndex { partition: weights, row: self.row, column },
            (row, _) => CoefficientIndex { partition: self.partition, row: row.copied().unwrap_or_default(), column },
        }
    }
}

/// Computes the determinant of a matrix that is lower triangular except for its last column, without divisions.
///
/// The determinant of the first rows with the last column follows from those of fewer rows.
pub(crate) fn determinant<T: Scalar>(size: usize, entry: impl Fn(usize, usize) -> T) -> T {
    let last = size - 1;
    let mut minors: Vec<T> = Vec::with_capacity(size);
    for i in 0..size {
        // The product of the diagonal entries from a row to the one above row i.
        let mut product = T::one();
        let mut sum = T::zero();
        for k in (0..i).rev() {
            sum += entry(i, k) * minors[k].clone() * product.clone();
            product = product * entry(k, k);
        }
        minors.push(entry(i, last) * product - sum);
    }
    minors.pop().unwrap_or_else(T::one)
}

/// Computes the derivative of the determinant with respect to an entry, in which it is linear.
pub(crate) fn slope<T: Scalar>(size: usize, entry: impl Fn(usize, usize) -> T, at: (usize, usize)) -> T {
    determinant(size, |i, k| match (i == at.0, k == at.1) {
        (true, true) => T::one(),
        (true, false) => T::zero(),
        (false, _) => entry(i, k),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn determinants_are_those_of_the_expansion() {
        // |2 0 5; 3 7 11; 13 17 19| = 2(7·19 − 11·17) + 5(3·17 − 7·13).
        let m = [[2.0, 0.0, 5.0], [3.0, 7.0, 11.0], [13.0, 17.0, 19.0]];
        assert_eq!(determinant(3, |i, k| m[i][k]), 2.0 * (133.0 - 187.0) + 5.0 * (51.0 - 91.0));
        assert_eq!(slope(3, |i, k| m[i][k], (1, 1)), 2.0 * 19.0 - 5.0 * 13.0);
        assert_eq!(slope(3, |i, k| m[i][k], (2, 2)), 14.0);
    }
}
