//! Linear systems with the matrix of the stage equations.

use nalgebra::linalg::LU;
use nalgebra::{DMatrix, DVector, Dyn};

/// Factorized matrix δ − h aᵢⱼ ∂f/∂y.
#[derive(Debug)]
pub(crate) enum StageFactorization {
    /// Matrix of an explicit method: unit lower triangular.
    Lower(DMatrix<f64>),
    Full {
        lu: LU<f64, Dyn, Dyn>,
        transposed: LU<f64, Dyn, Dyn>,
    },
}

impl StageFactorization {
    pub(crate) fn new(matrix: DMatrix<f64>, is_lower: bool) -> Self {
        if is_lower {
            return Self::Lower(matrix);
        }
        let transposed = matrix.transpose().lu();
        Self::Full { lu: matrix.lu(), transposed }
    }

    pub(crate) fn solve(&self, mut right: DMatrix<f64>) -> Option<DMatrix<f64>> {
        let is_solved = match self {
            Self::Lower(matrix) => matrix.solve_lower_triangular_mut(&mut right),
            Self::Full { lu, .. } => lu.solve_mut(&mut right),
        };
        (is_solved && right.iter().all(|entry| entry.is_finite())).then_some(right)
    }

    /// Solves a system with the transposed matrix.
    pub(crate) fn solve_transposed(&self, mut right: DVector<f64>) -> Option<DVector<f64>> {
        let is_solved = match self {
            Self::Lower(matrix) => matrix.tr_solve_lower_triangular_mut(&mut right),
            Self::Full { transposed, .. } => transposed.solve_mut(&mut right),
        };
        (is_solved && right.iter().all(|entry| entry.is_finite())).then_some(right)
    }
}
