//! Nonlinear programs min f(x) subject to l ≤ x ≤ u and L ≤ c(x) ≤ U, where c′ is sparse and the Lagrangian is a sum of
//! functions of few variables.

use super::blocks::{ConvexModel, HessianBlock};
use super::quasi_newton::LagrangianPart;
use crate::steps::StepFailure;

/// Lower and upper bounds: infinite if absent, equal for an equation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranges {
    /// Lower bounds.
    pub lower: Vec<f64>,
    /// Upper bounds.
    pub upper: Vec<f64>,
}

/// Objective and constraints at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramValues {
    /// Objective f(x).
    pub objective: f64,
    /// Constraints c(x).
    pub constraints: Vec<f64>,
}

/// Values and first derivatives at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearization {
    /// Values f(x) and c(x).
    pub values: ProgramValues,
    /// Gradient f′(x).
    pub gradient: Vec<f64>,
    /// Rows of c′(x) as (column, entry) pairs.
    pub jacobian: Vec<Vec<(usize, f64)>>,
}

/// Nonlinear program.
pub trait Program {
    /// Returns the bounds l and u of the variables.
    fn variables(&self) -> &Ranges;

    /// Returns the bounds L and U of the constraints.
    fn constraints(&self) -> &Ranges;

    /// Evaluates f(x) and c(x).
    ///
    /// # Errors
    /// [`StepFailure`] where they do not exist; the line search then shortens its step.
    fn values(&self, x: &[f64]) -> Result<ProgramValues, StepFailure>;

    /// Expands the program at x.
    ///
    /// # Errors
    /// [`StepFailure`] where values or first derivatives do not exist.
    fn expand<'a>(&'a self, x: &[f64]) -> Result<Box<dyn LocalModel + 'a>, StepFailure>;
}

/// Local model of a program at a point.
pub trait LocalModel {
    /// Returns values and first derivatives.
    fn linearization(&self) -> &Linearization;

    /// Computes the Hessian of f + yᵀc as a sum of blocks, always on the same variables.
    ///
    /// # Errors
    /// [`StepFailure`] where it does not exist.
    fn curvature(&self, multipliers: &[f64]) -> Result<Vec<HessianBlock>, StepFailure>;

    /// Returns the gradients of the parts of f + yᵀc that correspond to the blocks of the Hessian. Linear terms may be
    /// omitted.
    fn parts(&self, multipliers: &[f64]) -> Vec<LagrangianPart> {
        let gradient = self.linearization().lagrangian_gradient(multipliers);
        vec![LagrangianPart { indices: (0..gradient.len()).collect(), gradient }]
    }

    /// Returns a convex model, which has the same solution if the Hessian is positive definite on the null space of the
    /// active constraints. At least `shift` times the identity is added. The multipliers belong to constraints and to
    /// bounds.
    fn convex(
        &self,
        mut blocks: Vec<HessianBlock>,
        shift: f64,
        _multipliers: &[f64],
        _bound_multipliers: &[f64],
    ) -> ConvexModel {
        for block in &mut blocks {
            (0..block.indices.len()).for_each(|k| block.matrix[(k, k)] += shift);
        }
        ConvexModel::clipped(blocks)
    }
}

impl Ranges {
    /// Returns the distance of each value from its bounds.
    pub(crate) fn excess<'a>(&'a self, values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let sides = self.lower.iter().zip(&self.upper);
        values.iter().zip(sides).map(|(value, (lower, upper))| (lower - value).max(value - upper).max(0.0))
    }

    /// Moves values to the nearest values within the bounds.
    pub(crate) fn clip(&self, values: &mut [f64]) {
        let sides = self.lower.iter().zip(&self.upper);
        values.iter_mut().zip(sides).for_each(|(value, (lower, upper))| *value = value.max(*lower).min(*upper));
    }
}

impl Linearization {
    /// Returns the gradient ∇f + c′ᵀy of the Lagrangian.
    pub(crate) fn lagrangian_gradient(&self, multipliers: &[f64]) -> Vec<f64> {
        let mut gradient = self.gradient.clone();
        for (row, multiplier) in self.jacobian.iter().zip(multipliers) {
            row.iter().for_each(|&(column, entry)| gradient[column] += multiplier * entry);
        }
        gradient
    }
}
