//! Nonlinear programs: min f(x) with l ≤ x ≤ u and L ≤ c(x) ≤ U, where c′ is sparse and the Lagrangian is a sum of functions of few variables.

use super::blocks::{Block, Convex};
use super::quasi_newton::Part;
use crate::steps::StepFailure;

/// Lower and upper bounds; infinite where there is none, equal for an equation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranges {
    /// The lower bounds.
    pub lower: Vec<f64>,
    /// The upper bounds.
    pub upper: Vec<f64>,
}

/// Objective and constraints at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// f(x).
    pub objective: f64,
    /// c(x).
    pub constraints: Vec<f64>,
}

/// Values and first derivatives.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearization {
    /// f(x) and c(x).
    pub values: Values,
    /// f′(x).
    pub gradient: Vec<f64>,
    /// The rows of c′(x), as columns with entries.
    pub jacobian: Vec<Vec<(usize, f64)>>,
}

/// A nonlinear program.
pub trait Program {
    /// l and u.
    fn variables(&self) -> &Ranges;

    /// L and U.
    fn constraints(&self) -> &Ranges;

    /// f(x) and c(x).
    ///
    /// # Errors
    /// [`StepFailure`] where they do not exist; the line search then shortens its step.
    fn values(&self, x: &[f64]) -> Result<Values, StepFailure>;

    /// What is known of the program near x.
    ///
    /// # Errors
    /// [`StepFailure`] where values or first derivatives do not exist.
    fn expand<'a>(&'a self, x: &[f64]) -> Result<Box<dyn Expansion + 'a>, StepFailure>;
}

/// A program near a point.
pub trait Expansion {
    /// Values and first derivatives.
    fn linearization(&self) -> &Linearization;

    /// The Hessian of f + yᵀc as a sum of blocks, always on the same variables.
    ///
    /// # Errors
    /// [`StepFailure`] where it does not exist.
    fn curvature(&self, multipliers: &[f64]) -> Result<Vec<Block>, StepFailure>;

    /// The gradients of the parts of f + yᵀc that the blocks of the Hessian belong to; terms that are linear may be missing.
    fn parts(&self, multipliers: &[f64]) -> Vec<Part> {
        let gradient = self.linearization().lagrangian_gradient(multipliers);
        vec![Part { indices: (0..gradient.len()).collect(), gradient }]
    }

    /// A convex model with the same solution, as far as the Hessian is positive definite where the active constraints leave a choice; at
    /// least `shift` times the identity is added. Multipliers are those of constraints and of bounds.
    fn convex(&self, mut blocks: Vec<Block>, shift: f64, _multipliers: &[f64], _bound_multipliers: &[f64]) -> Convex {
        for block in &mut blocks {
            (0..block.indices.len()).for_each(|k| block.matrix[(k, k)] += shift);
        }
        Convex::clipped(blocks)
    }
}

impl Ranges {
    /// How far values are out of their bounds, each.
    pub(crate) fn excess<'a>(&'a self, values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let sides = self.lower.iter().zip(&self.upper);
        values.iter().zip(sides).map(|(value, (lower, upper))| (lower - value).max(value - upper).max(0.0))
    }

    /// The nearest values within the bounds.
    pub(crate) fn clip(&self, values: &mut [f64]) {
        let sides = self.lower.iter().zip(&self.upper);
        values.iter_mut().zip(sides).for_each(|(value, (lower, upper))| *value = value.max(*lower).min(*upper));
    }
}

impl Linearization {
    /// ∇f + c′ᵀy.
    pub(crate) fn lagrangian_gradient(&self, multipliers: &[f64]) -> Vec<f64> {
        let mut gradient = self.gradient.clone();
        for (row, multiplier) in self.jacobian.iter().zip(multipliers) {
            row.iter().for_each(|&(column, entry)| gradient[column] += multiplier * entry);
        }
        gradient
    }
}
