//! The constraints to first order: which of them are independent, and the directions that they leave free.
//!
//! Order conditions are redundant: 74 of them can be consistent in 35 unknowns. Where they hold, a Gram–Schmidt process
//! that always takes the row with the most left of it (Golub & Van Loan 2013, §5.4) finds as many rows as the rank.

use nalgebra::{DMatrix, DVector};

/// Rows of which less than this part of the largest is left are redundant: they leave about 1e-15, independent ones more
/// than 1e-7 at any useful solution.
const RANK_TOLERANCE: f64 = 1e-10;

/// A Jacobian J of redundant constraints, split into range and null space.
pub(crate) struct Tangent {
    /// The rows of J that the others depend on.
    rows: Vec<usize>,
    constraints: usize,
    /// An orthonormal basis of the span of these rows, …
    range: DMatrix<f64>,
    /// … in which their transposes have these coordinates: upper triangular.
    triangle: DMatrix<f64>,
    /// An orthonormal basis of the directions that leave the constraints unchanged to first order.
    pub(crate) free: DMatrix<f64>,
}

impl Tangent {
    pub(crate) fn new(jacobian: &DMatrix<f64>) -> Self {
        let transposed = jacobian.transpose();
        let unknowns = transposed.nrows();
        let (rows, range) = gram_schmidt(transposed.clone(), RANK_TOLERANCE);
        let triangle = range.transpose() * transposed.select_columns(&rows);
        // Householder's reflections complete the basis of the range.
        let mut turned = DMatrix::identity(unknowns, unknowns);
        range.clone().qr().q_tr_mul(&mut turned);
        let free = turned.rows(rows.len(), unknowns - rows.len()).transpose();
        Self { rows, constraints: jacobian.nrows(), range, triangle, free }
    }

    /// The Newton step of minimal norm for the independent constraints.
    pub(crate) fn newton_step(&self, residual: &DVector<f64>) -> Option<DVector<f64>> {
        let independent = -residual.select_rows(&self.rows);
        Some(&self.range * self.triangle.tr_solve_upper_triangular(&independent)?)
    }

    /// Multipliers λ of the independent constraints for which g + Jᵀλ has no part in their span.
    pub(crate) fn multipliers(&self, gradient: &DVector<f64>) -> Option<DVector<f64>> {
        let independent = self.triangle.solve_upper_triangular(&(self.range.transpose() * -gradient))?;
        let mut multipliers = DVector::zeros(self.constraints);
        self.rows.iter().zip(&independent).for_each(|(&row, multiplier)| multipliers[row] = *multiplier);
        Some(multipliers)
    }
}

/// An orthonormal basis of the columns' span, with the numbers of the columns it was made from in turn.
fn gram_schmidt(mut left: DMatrix<f64>, tolerance: f64) -> (Vec<usize>, DMatrix<f64>) {
    let (dimension, count) = left.shape();
    let (mut chosen, mut basis) = (Vec::new(), DMatrix::zeros(dimension, dimension));
    let mut largest = 0.0;
    while chosen.len() < dimension.min(count) {
        let norms: Vec<f64> = left.column_iter().map(|column| column.norm()).collect();
        let next = (1..count).fold(0, |best, j| if norms[j] > norms[best] { j } else { best });
        largest = norms[next].max(largest);
        if norms[next] <= tolerance * largest {
            break;
        }
        let mut q = left.column(next).into_owned();
        // Once more against the whole basis: after cancellation, "twice is enough".
        let before = basis.columns(0, chosen.len());
        q -= before * (before.transpose() * &q);
        q /= q.norm();
        let shares = left.tr_mul(&q);
        left.ger(-1.0, &q, &shares, 1.0);
        left.column_mut(next).fill(0.0);
        basis.set_column(chosen.len(), &q);
        chosen.push(next);
    }
    let rank = chosen.len();
    (chosen, basis.columns(0, rank).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redundant_rows_are_left_out() {
        // The third row is the sum of the others.
        let jacobian = DMatrix::from_row_slice(3, 4, &[1.0, 2.0, 0.0, 1.0, 0.0, 1.0, 1.0, 3.0, 1.0, 3.0, 1.0, 4.0]);
        let tangent = Tangent::new(&jacobian);
        assert_eq!((tangent.rows.len(), tangent.free.ncols()), (2, 2));
        assert!((&jacobian * &tangent.free).amax() < 1e-14);
        let residual = &jacobian * DVector::from_vec(vec![0.3, -0.1, 0.2, 0.7]);
        let step = tangent.newton_step(&residual).unwrap();
        assert!((&jacobian * &step + &residual).amax() < 1e-14);
        // Minimal norm: nothing in the null space.
        assert!((tangent.free.transpose() * step).amax() < 1e-14);
        let gradient = jacobian.transpose() * DVector::from_vec(vec![1.0, 2.0, 3.0]);
        let multipliers = tangent.multipliers(&gradient).unwrap();
        assert!((jacobian.transpose() * multipliers + gradient).amax() < 1e-13);
    }
}
