//! Hessians as sums of small blocks, and convex ones.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// A part of the Hessian: a symmetric matrix on some of the variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The variables.
    pub indices: Vec<usize>,
    /// The second derivatives.
    pub matrix: DMatrix<f64>,
}

/// A convex quadratic model: blocks, what is added to the gradient, and how multipliers of the program follow from those of the model.
#[derive(Clone, Debug, Default)]
pub struct Convex {
    /// Positive semidefinite blocks.
    pub blocks: Vec<Block>,
    /// Sparse additions to the gradient.
    pub gradient: Vec<(usize, f64)>,
    /// Corrections of multipliers.
    pub corrections: Vec<Correction>,
    /// What is taken to be active.
    pub held: Vec<Held>,
}

/// A row of the program: a constraint, or the bounds of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// A constraint, by its number.
    Constraint(usize),
    /// The bounds of a variable.
    Bound(usize),
}

/// A row that is taken to be active: the blocks hold ½(row · d)², and the model ½(excess + row · d)². So excess + row · d belongs to the multiplier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// The row.
    pub row: Row,
    /// Its value above its bound.
    pub excess: f64,
}

/// What is added to the multipliers of some constraints: a matrix times the change of some variables.
#[derive(Clone, Debug)]
pub struct Correction {
    /// The first of the constraints.
    pub first: usize,
    /// The variables.
    pub indices: Vec<usize>,
    /// One row for each constraint.
    pub matrix: DMatrix<f64>,
}

/// Curvature below this is none: it changes objectives by less than they are resolved.
pub(crate) const LEAST_CURVATURE: f64 = 1e-10;

impl Block {
    /// Curvature in one variable.
    pub(crate) fn one(variable: usize, curvature: f64) -> Self {
        Self { indices: vec![variable], matrix: DMatrix::from_element(1, 1, curvature) }
    }
}

impl Convex {
    /// Each block with the moduli of its eigenvalues.
    #[must_use]
    pub fn clipped(blocks: Vec<Block>) -> Self {
        let clip = |block: Block| Block { matrix: absolute(&block.matrix, 0.0), ..block };
        Self { blocks: blocks.into_iter().map(clip).collect(), ..Self::default() }
    }

    /// Whether curvature was moved along a constraint.
    pub(crate) fn is_used(&self, constraint: usize) -> bool {
        self.corrections.iter().any(|each| (each.first..each.first + each.matrix.nrows()).contains(&constraint))
    }

    /// Adds the corrections of constraints along which curvature was moved, for a step d.
    pub(crate) fn correct(&self, d: &[f64], multipliers: &mut [f64]) {
        for correction in &self.corrections {
            let change = DVector::from_iterator(correction.indices.len(), correction.indices.iter().map(|&k| d[k]));
            for (k, value) in (&correction.matrix * change).iter().enumerate() {
                multipliers[correction.first + k] += value;
            }
        }
    }
}

/// The symmetric matrix with the moduli of the eigenvalues, at least `least`.
pub(crate) fn absolute(matrix: &DMatrix<f64>, least: f64) -> DMatrix<f64> {
    if matrix.nrows() == 1 {
        return matrix.map(|entry| entry.abs().max(least));
    }
    if matrix.iter().all(|entry| *entry == 0.0) && least == 0.0 {
        return matrix.clone();
    }
    let symmetric = (matrix + matrix.transpose()) * 0.5;
    /// Far more than it takes where it converges.
    const SWEEPS: usize = 10_000;
    match SymmetricEigen::try_new(symmetric, f64::EPSILON, SWEEPS) {
        Some(mut eigen) => {
            eigen.eigenvalues.apply(|value| *value = value.abs().max(least));
            eigen.recompose()
        }
        // Diagonally dominant, hence positive.
        None => DMatrix::from_diagonal(&DVector::from_iterator(
            matrix.nrows(),
            matrix.row_iter().map(|row| row.iter().map(|entry| entry.abs()).sum::<f64>().max(least)),
        )),
    }
}
