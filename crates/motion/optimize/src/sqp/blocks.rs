//! Hessians as sums of small blocks, and convex models.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// Part of the Hessian: a symmetric matrix on some of the variables.
#[derive(Clone, Debug, PartialEq)]
pub struct HessianBlock {
    /// Variables of the block.
    pub indices: Vec<usize>,
    /// Second derivatives.
    pub matrix: DMatrix<f64>,
}

/// Convex quadratic model: blocks, additions to the gradient, and the map from the multipliers of the model to those of
/// the program.
#[derive(Clone, Debug, Default)]
pub struct ConvexModel {
    /// Positive semidefinite blocks.
    pub blocks: Vec<HessianBlock>,
    /// Sparse additions to the gradient.
    pub gradient: Vec<(usize, f64)>,
    /// Corrections of multipliers.
    pub corrections: Vec<MultiplierCorrection>,
    /// Active set of the model.
    pub held: Vec<ActiveRow>,
}

/// Row of the program: a constraint or the bounds of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintRow {
    /// Constraint, by its number.
    Constraint(usize),
    /// Bounds of a variable.
    Bound(usize),
}

/// Active row. The blocks contain ½(row · d)², the model ½(excess + row · d)². Therefore excess + row · d is added to
/// the multiplier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActiveRow {
    /// Row of the program.
    pub row: ConstraintRow,
    /// Excess of the value over its bound.
    pub excess: f64,
}

/// Correction of the multipliers of some constraints: a matrix times the change of some variables.
#[derive(Clone, Debug)]
pub struct MultiplierCorrection {
    /// First of the constraints.
    pub first: usize,
    /// Variables.
    pub indices: Vec<usize>,
    /// Matrix with one row for each constraint.
    pub matrix: DMatrix<f64>,
}

/// Curvature below this counts as zero: it changes objectives by less than their resolution.
pub(crate) const LEAST_CURVATURE: f64 = 1e-10;

impl HessianBlock {
    /// Returns a block with curvature in one variable.
    pub(crate) fn one(variable: usize, curvature: f64) -> Self {
        Self { indices: vec![variable], matrix: DMatrix::from_element(1, 1, curvature) }
    }
}

impl ConvexModel {
    /// Replaces the eigenvalues of each block by their moduli.
    #[must_use]
    pub fn clipped(blocks: Vec<HessianBlock>) -> Self {
        let clip = |block: HessianBlock| HessianBlock { matrix: absolute(&block.matrix, 0.0), ..block };
        Self { blocks: blocks.into_iter().map(clip).collect(), ..Self::default() }
    }

    /// Returns whether curvature was moved along a constraint.
    pub(crate) fn is_used(&self, constraint: usize) -> bool {
        self.corrections.iter().any(|each| (each.first..each.first + each.matrix.nrows()).contains(&constraint))
    }

    /// Adds, for a step d, the corrections of constraints along which curvature was moved.
    pub(crate) fn correct(&self, d: &[f64], multipliers: &mut [f64]) {
        for correction in &self.corrections {
            let change = DVector::from_iterator(correction.indices.len(), correction.indices.iter().map(|&k| d[k]));
            for (k, value) in (&correction.matrix * change).iter().enumerate() {
                multipliers[correction.first + k] += value;
            }
        }
    }
}

/// Returns the symmetric matrix with eigenvalues replaced by their moduli, at least `least`.
pub(crate) fn absolute(matrix: &DMatrix<f64>, least: f64) -> DMatrix<f64> {
    if matrix.nrows() == 1 {
        return matrix.map(|entry| entry.abs().max(least));
    }
    if matrix.iter().all(|entry| *entry == 0.0) && least == 0.0 {
        return matrix.clone();
    }
    let symmetric = (matrix + matrix.transpose()) * 0.5;
    /// Far more sweeps than a converging iteration needs.
    const SWEEPS: usize = 10_000;
    match SymmetricEigen::try_new(symmetric, f64::EPSILON, SWEEPS) {
        Some(mut eigen) => {
            eigen.eigenvalues.apply(|value| *value = value.abs().max(least));
            eigen.recompose()
        }
        // Diagonally dominant, hence positive semidefinite.
        None => DMatrix::from_diagonal(&DVector::from_iterator(
            matrix.nrows(),
            matrix.row_iter().map(|row| row.iter().map(|entry| entry.abs()).sum::<f64>().max(least)),
        )),
    }
}
