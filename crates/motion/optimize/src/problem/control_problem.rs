//! Optimal control problem.

use std::sync::Arc;

use thiserror::Error;

use crate::calculus::Differentiable;
use crate::sqp::Ranges;
use crate::steps::ProblemSizes;

/// Problem min φ over controls u(t), parameters p, the initial state and the duration T, subject to ẏ = f(y, u, p, t)
/// on [0, T].
///
/// Bounds may be infinite; equal bounds fix a value.
#[derive(Clone)]
pub struct ControlProblem {
    /// Numbers of states, controls and parameters.
    pub local: ProblemSizes,
    /// Rates f as a function of z = (y, u, p, t).
    pub dynamics: Arc<dyn Differentiable>,
    /// Objective φ, followed by the boundary constraints, as a function of (y(0), y(T), p, T).
    pub ends: Arc<dyn Differentiable>,
    /// Bounds of the boundary constraints.
    pub boundary: Ranges,
    /// Path constraints: a function of z and the bounds of its values at all points of the control grid.
    pub path: Option<(Arc<dyn Differentiable>, Ranges)>,
    /// Bounds of the states at all points of the control grid.
    pub states: Ranges,
    /// Bounds of the initial state, within those of the states.
    pub initial: Ranges,
    /// Bounds of the final state, within those of the states.
    pub terminal: Ranges,
    /// Bounds of the controls.
    pub controls: Ranges,
    /// Bounds of the parameters.
    pub parameters: Ranges,
    /// Bounds of the duration.
    pub duration: [f64; 2],
}

/// Reason why a problem cannot be solved as it stands.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// A size does not match that of the problem.
    #[error("{what}: {found} numbers; expected {expected}")]
    Size {
        /// Object concerned.
        what: &'static str,
        /// Actual size.
        found: usize,
        /// Expected size.
        expected: usize,
    },
    /// Bounds are empty.
    #[error(
        "{what}, entry {index}: the bounds [{lower}, {upper}] are empty; expected a lower bound that does not exceed \
         the upper one"
    )]
    EmptyRange {
        /// Bounded quantity.
        what: &'static str,
        /// Entry, from 0.
        index: usize,
        /// Lower bound.
        lower: f64,
        /// Upper bound.
        upper: f64,
    },
    /// A number that must be finite is not.
    #[error("{what}, entry {index}: {value}; expected a finite number")]
    NotFinite {
        /// Quantity concerned.
        what: &'static str,
        /// Entry, from 0.
        index: usize,
        /// Value.
        value: f64,
    },
    /// A count is too small.
    #[error("{what} is {found}; expected at least {least}")]
    TooFew {
        /// Counted quantity.
        what: &'static str,
        /// Given count.
        found: usize,
        /// Smallest accepted count.
        least: usize,
    },
    /// The method does not fit the problem.
    #[error(transparent)]
    Rule(#[from] crate::steps::RuleError),
    /// The equations have no values at the starting point.
    #[error("no solution can be computed at the initial guess: {0}")]
    Start(crate::steps::StepFailure),
}

impl ControlProblem {
    /// Checks that sizes fit and bounds are not empty.
    ///
    /// # Errors
    /// [`ProblemError`] that names the mismatch.
    pub fn validate(&self) -> Result<(), ProblemError> {
        let ProblemSizes { states, controls, parameters } = self.local;
        expect("the equations' arguments", self.dynamics.inputs(), self.local.arguments())?;
        expect("the equations' values", self.dynamics.outputs(), states)?;
        expect("the arguments at the ends", self.ends.inputs(), 2 * states + parameters + 1)?;
        expect("the values at the ends", self.ends.outputs(), 1 + self.boundary.lower.len())?;
        if let Some((path, ranges)) = &self.path {
            expect("the path constraints' arguments", path.inputs(), self.local.arguments())?;
            check("path constraints", ranges, path.outputs())?;
        }
        check("boundary constraints", &self.boundary, self.boundary.lower.len())?;
        check("states", &self.states, states)?;
        check("the initial state", &self.initial, states)?;
        check("the final state", &self.terminal, states)?;
        check("controls", &self.controls, controls)?;
        check("parameters", &self.parameters, parameters)?;
        let duration = Ranges { lower: vec![self.duration[0]], upper: vec![self.duration[1]] };
        check("the duration", &duration, 1)
    }
}

pub(crate) fn expect(what: &'static str, found: usize, expected: usize) -> Result<(), ProblemError> {
    if found == expected { Ok(()) } else { Err(ProblemError::Size { what, found, expected }) }
}

fn check(what: &'static str, ranges: &Ranges, size: usize) -> Result<(), ProblemError> {
    expect(what, ranges.lower.len(), size)?;
    expect(what, ranges.upper.len(), size)?;
    for (index, (&lower, &upper)) in ranges.lower.iter().zip(&ranges.upper).enumerate() {
        // Comparisons with NaN are false, so the negated test also rejects NaN.
        let is_ordered = lower <= upper && lower < f64::INFINITY && upper > f64::NEG_INFINITY;
        if !is_ordered {
            return Err(ProblemError::EmptyRange { what, index, lower, upper });
        }
    }
    Ok(())
}
