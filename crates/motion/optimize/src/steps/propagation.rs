//! Propagation of states across an interval: by steps of a method or by an integrator of the caller.

use std::sync::Arc;

use nalgebra::DMatrix;

use super::frame::ProblemSizes;
use super::interval::{ControlInterval, StateFlow};
use super::rule::StepRule;
use super::step::StepFailure;
use crate::calculus::Differentiable;

/// Interval of the control grid as passed to an integrator.
#[derive(Clone, Copy)]
pub struct IntegratorSpan<'a> {
    /// Rates f(y, u, p, t) as a function of z = (y, u, p, t).
    pub dynamics: &'a dyn Differentiable,
    /// Sizes of the problem.
    pub local: ProblemSizes,
    /// Ends of the interval, divided by the duration.
    pub ends: [f64; 2],
    /// Whether controls are linear between grid points rather than constant.
    pub is_linear: bool,
}

impl IntegratorSpan<'_> {
    /// Returns z at a fraction c of the interval for a given state.
    #[must_use]
    pub fn arguments(&self, c: f64, state: &[f64], w: &[f64]) -> Vec<f64> {
        let ProblemSizes { states, controls, parameters } = self.local;
        let (blend, duration) = (if self.is_linear { c } else { 0.0 }, w[self.local.duration()]);
        let mut z = state.to_vec();
        z.extend((0..controls).map(|k| (1.0 - blend) * w[states + k] + blend * w[states + controls + k]));
        z.extend(&w[self.local.duration() + 1..self.local.duration() + 1 + parameters]);
        z.push((self.ends[0] + c * (self.ends[1] - self.ends[0])) * duration);
        z
    }

    /// Returns (∂z/∂w)v at a fraction c of the interval for a state independent of w: the changes of controls,
    /// parameters and t.
    #[must_use]
    pub fn along(&self, c: f64, v: &[f64]) -> Vec<f64> {
        // Controls, parameters and time are linear in w for a given c.
        self.arguments(c, &vec![0.0; self.local.states], v)
    }
}

/// Integrator with first derivatives that replaces the steps of a method.
pub trait Propagator: Send + Sync {
    /// Computes the state at the end for w = (y, u₀, u₁, T, p).
    ///
    /// # Errors
    /// [`StepFailure`] if there is no result.
    fn end(&self, span: &IntegratorSpan<'_>, w: &[f64]) -> Result<Vec<f64>, StepFailure>;

    /// Computes the state at the end and ∂y⁺/∂w.
    ///
    /// # Errors
    /// [`StepFailure`] if there is no result.
    fn flow(&self, span: &IntegratorSpan<'_>, w: &[f64]) -> Result<(Vec<f64>, DMatrix<f64>), StepFailure>;
}

/// Steps of a method or an integrator of the caller.
#[derive(Clone)]
pub enum Propagation {
    /// Steps with exact first and second derivatives.
    Steps(StepRule),
    /// Integrator without second derivatives, which requires [`Hessian::Bfgs`](crate::sqp::Hessian::Bfgs).
    Other(Arc<dyn Propagator>),
}

impl From<StepRule> for Propagation {
    fn from(rule: StepRule) -> Self {
        Self::Steps(rule)
    }
}

impl Propagation {
    pub(crate) fn end(&self, span: IntegratorSpan<'_>, steps: usize, w: &[f64]) -> Result<Vec<f64>, StepFailure> {
        match self {
            Self::Steps(rule) => interval(rule, span, steps).end(w),
            Self::Other(other) => other.end(&span, w),
        }
    }

    pub(crate) fn flow<'a>(
        &'a self,
        span: IntegratorSpan<'a>,
        steps: usize,
        w: &[f64],
    ) -> Result<StateFlow<'a>, StepFailure> {
        match self {
            Self::Steps(rule) => interval(rule, span, steps).flow(w),
            Self::Other(other) => {
                other.flow(&span, w).map(|(end, jacobian)| StateFlow::without_curvature(span.dynamics, end, jacobian))
            }
        }
    }
}

fn interval<'a>(rule: &'a StepRule, span: IntegratorSpan<'a>, steps: usize) -> ControlInterval<'a> {
    let IntegratorSpan { dynamics, local, ends, is_linear } = span;
    ControlInterval { dynamics, rule, local, span: ends, steps, is_linear }
}
