//! Optimum in double precision, and its origin.

use std::sync::OnceLock;

use hemiola_number::DoubleDouble;

use crate::arithmetic::real::Real;
use crate::problem::constraint::Constraints;
use crate::problem::statement::Problem;
use crate::solve::alternation::Alternation;
use crate::solve::closed_form::ClosedForm;
use crate::solve::optimality::OptimalityState;

/// Polynomial with the largest limit.
#[derive(Clone, Debug)]
pub struct Optimum {
    pub(crate) problem: Problem,
    pub(crate) solution: Solution,
    /// Decimal digits that coefficients lose compared with values; computed on first use.
    pub(crate) digits_lost: OnceLock<usize>,
}

/// Origin of an optimum.
#[derive(Clone, Debug)]
pub(crate) enum Solution {
    /// Closed form.
    Closed(ClosedForm),
    /// Remez exchange on the real axis.
    Alternating { doubles: Alternation<f64>, polished: Alternation<DoubleDouble> },
    /// Newton's method on contact points.
    Touching { constraints: Constraints, doubles: OptimalityState<f64>, polished: OptimalityState<DoubleDouble> },
    /// Conic program whose optimum attains its bound everywhere, or nearly so.
    Conic { constraints: Constraints, gamma: Vec<f64>, h: f64 },
}

impl Solution {
    pub(crate) fn alternating(doubles: Alternation<f64>) -> Self {
        let polished = doubles.refine(&DoubleDouble::from(0.0));
        Self::Alternating { doubles, polished }
    }

    pub(crate) fn touching(constraints: Constraints, doubles: OptimalityState<f64>) -> Self {
        let one = DoubleDouble::from(1.0);
        match constraints.prepared(&one).refine(&doubles, &one, &DoubleDouble::from(0.0)) {
            Some(polished) => Self::Touching { constraints, doubles, polished },
            // The matrix is near singular: only the doubles are known.
            None => Self::Conic { constraints, gamma: doubles.gamma, h: doubles.h },
        }
    }
}

impl Optimum {
    pub(crate) fn new(problem: Problem, solution: Solution) -> Self {
        Self { problem, solution, digits_lost: OnceLock::new() }
    }

    /// Returns the problem.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Returns the largest scale: the limit of an axis, the radius of a disk, the factor of any other spectrum.
    #[must_use]
    pub fn limit(&self) -> f64 {
        match &self.solution {
            Solution::Closed(form) => form.limit_squared.to_f64().value().sqrt(),
            Solution::Alternating { polished, .. } => polished.limit.to_f64(),
            Solution::Touching { polished, .. } => polished.h.to_f64(),
            Solution::Conic { h, .. } => *h,
        }
    }

    /// Returns the source of the formula if the optimum is known in closed form.
    #[must_use]
    pub fn closed_form(&self) -> Option<&'static str> {
        match &self.solution {
            Solution::Closed(form) => Some(form.source),
            _ => None,
        }
    }

    /// Returns whether the optimality conditions hold to rounding; otherwise the limit has the eight digits of a conic
    /// program.
    #[must_use]
    pub fn is_polished(&self) -> bool {
        !matches!(self.solution, Solution::Conic { .. })
    }
}
