//! Descents to minima of the objective among the points that satisfy all equations, by Newton's method for the
//! Lagrangian.

use nalgebra::DVector;
use serde::{Deserialize, Serialize};

use crate::optimize::inequalities::penalty_gradient;
use crate::optimize::model::{FeasiblePoint, LagrangianModel};
use crate::optimize::null_space::NullSpace;
use crate::optimize::problem::Problem;

/// Steps and relative gain of final descents, which determine eleven digits of the objective.
pub(crate) const FINAL: (usize, f64) = (500, 1e-11);

/// The end of a descent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Minimum {
    /// The unknowns.
    pub x: Vec<f64>,
    /// √(2 × the objective), which is the principal error norm if there are no other terms.
    pub merit: f64,
    /// Whether the predicted gain became negligible.
    pub converged: bool,
}

impl Minimum {
    /// Returns the largest modulus of a coefficient.
    pub(crate) fn largest_coefficient(&self) -> f64 {
        self.x.iter().map(|x| x.abs()).fold(0.0, f64::max)
    }
}

/// Minimizes the objective among the points that satisfy the constraints.
///
/// Each step is a damped Newton step for the Lagrangian within the null space of the constraints' Jacobian,
/// followed by a restoration of the constraints. Inequalities act as penalties before they are reached. A descent
/// ends when the predicted reduction of a step is less than the fraction `tolerance` of the objective.
pub(crate) fn minimize(problem: &Problem, start: &[f64], (steps, tolerance): (usize, f64)) -> Option<Minimum> {
    let inequalities = problem.unknowns().inequalities();
    let mut at = FeasiblePoint::new(problem, DVector::from_column_slice(start));
    let mut balanced = penalty_gradient(&at.x, inequalities);
    let (mut damping, mut converged) = (1e-2, false);
    for _ in 0..steps {
        let null_space = NullSpace::new(problem.equations.linearization(at.x.as_slice()).gradients);
        // If the constraints leave no direction, the point is the minimum.
        converged = null_space.dimension() == 0;
        if converged {
            break;
        }
        let model = LagrangianModel::new(problem, &null_space, &at.x, &balanced)?;
        let predicted_reduction = model.predicted_reduction()?;
        converged = predicted_reduction <= tolerance * at.value;
        if converged {
            break;
        }
        let mut accepted = false;
        for _ in 0..12 {
            if let Some((better, gradient)) = model.improved_point(damping, at.value) {
                (at, balanced, accepted) = (better, gradient, true);
                damping = (damping * 0.2).max(1e-10);
                break;
            }
            damping = (damping * 5.0).max(1e-6);
        }
        if !accepted {
            // Rounding ends the descent within half the digits of the objective.
            converged = predicted_reduction <= 1e-8 * at.value;
            break;
        }
    }
    let merit = problem.merit(at.x.as_slice());
    Some(Minimum { x: at.x.as_slice().to_vec(), merit, converged })
}
