//! Steps across an interval of the control grid.

use nalgebra::DMatrix;

use super::frame::{ProblemSizes, StepFrame};
use super::rule::StepRule;
use super::step::{DifferentiatedStep, StepFailure, Stepper};
use crate::calculus::Differentiable;

/// Steps of a method across an interval of the control grid.
///
/// ```
/// use hemiola_optimize::{ControlInterval, ProblemSizes, Number, Smooth, StepRule};
/// use hemiola_tableau::{Scheme, library};
/// /// y' = −p y: z = (y, p, t).
/// struct Decay;
/// impl Smooth for Decay {
///     fn inputs(&self) -> usize { 3 }
///     fn outputs(&self) -> usize { 1 }
///     fn evaluate<N: Number>(&self, z: &[N], out: &mut [N]) {
///         out[0] = -z[1] * z[0];
///     }
/// }
/// let rule = StepRule::new(&Scheme::Method(library::method("rk4")?), &[1])?;
/// let local = ProblemSizes { states: 1, controls: 0, parameters: 1 };
/// let interval = ControlInterval { dynamics: &Decay, rule: &rule, local, span: [0.0, 1.0], steps: 20, is_linear: true };
/// // w = (y, T, p): y e^{−pT}, and its derivatives.
/// let flow = interval.flow(&[2.0, 1.5, 0.4])?;
/// let exact = 2.0 * f64::exp(-0.6);
/// assert!((flow.end[0] - exact).abs() < 1e-7 && (flow.jacobian()[(0, 2)] + 1.5 * exact).abs() < 1e-6);
/// assert!((flow.curvature(&[1.0])?[(2, 2)] - 2.25 * exact).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct ControlInterval<'a> {
    /// Rates ẏ = f(y, u, p, t).
    pub dynamics: &'a dyn Differentiable,
    /// Integration method.
    pub rule: &'a StepRule,
    /// Sizes of the problem.
    pub local: ProblemSizes,
    /// Ends of the interval, divided by the duration.
    pub span: [f64; 2],
    /// Number of steps.
    pub steps: usize,
    /// Whether controls are linear between grid points rather than constant.
    pub is_linear: bool,
}

/// State at the end of an interval as a function of w = (y, u₀, u₁, T, p), with its derivatives.
pub struct StateFlow<'a> {
    dynamics: &'a dyn Differentiable,
    steps: Vec<DifferentiatedStep<'a>>,
    /// Derivatives of the state at the beginning of each step and at the end of the last step.
    states_w: Vec<DMatrix<f64>>,
    /// State at the end.
    pub end: Vec<f64>,
}

impl<'a> ControlInterval<'a> {
    fn frame(&self, step: usize) -> StepFrame {
        let (place, length) = (step as f64 / self.steps as f64, 1.0 / self.steps as f64);
        let width = self.span[1] - self.span[0];
        StepFrame {
            start: self.span[0] + place * width,
            length: length * width,
            place: [place, length],
            is_linear: self.is_linear,
        }
    }

    fn step(&self, index: usize, w: &[f64], has_derivatives: bool) -> Result<DifferentiatedStep<'a>, StepFailure> {
        let (rule, local, dynamics) = (self.rule, self.local, self.dynamics);
        let stepper = Stepper { rule, local, dynamics, frame: self.frame(index), w, has_derivatives };
        // Rebuild the step without its borrow of w.
        let DifferentiatedStep { start, levels, end, end_w, frame, h, .. } = stepper.step()?;
        Ok(DifferentiatedStep { rule, local, frame, h, start, levels, end, end_w })
    }

    /// Computes the state at the end without derivatives.
    ///
    /// # Errors
    /// [`StepFailure`] if a step has no result.
    pub fn end(&self, w: &[f64]) -> Result<Vec<f64>, StepFailure> {
        let mut w = w.to_vec();
        for index in 0..self.steps {
            let step = self.step(index, &w, false)?;
            w[..self.local.states].copy_from_slice(&step.end);
        }
        w.truncate(self.local.states);
        Ok(w)
    }

    /// Computes the state at the end with its derivatives.
    ///
    /// # Errors
    /// [`StepFailure`] if a step has no result.
    pub fn flow(&self, w: &[f64]) -> Result<StateFlow<'a>, StepFailure> {
        let (n, m) = (self.local.states, self.local.len());
        let mut w = w.to_vec();
        let (mut steps, mut states_w) = (Vec::with_capacity(self.steps), vec![DMatrix::identity(n, m)]);
        for index in 0..self.steps {
            let step = self.step(index, &w, true)?;
            w[..n].copy_from_slice(&step.end);
            let before = &states_w[index];
            let mut after = step.end_w.columns(0, n) * before;
            let mut others = after.columns_mut(n, m - n);
            others += step.end_w.columns(n, m - n);
            states_w.push(after);
            steps.push(step);
        }
        w.truncate(n);
        Ok(StateFlow { dynamics: self.dynamics, steps, states_w, end: w })
    }
}

impl<'a> StateFlow<'a> {
    /// Builds a flow without second derivatives from the state at the end and ∂y⁺/∂w.
    pub(crate) fn without_curvature(dynamics: &'a dyn Differentiable, end: Vec<f64>, jacobian: DMatrix<f64>) -> Self {
        Self { dynamics, steps: Vec::new(), states_w: vec![jacobian], end }
    }

    /// Returns ∂y⁺/∂w.
    #[must_use]
    pub fn jacobian(&self) -> &DMatrix<f64> {
        &self.states_w[self.steps.len()]
    }

    /// Computes the Hessian of λᵀy⁺ in w.
    ///
    /// # Errors
    /// [`StepFailure`] if a second derivative is not finite or not available.
    pub fn curvature(&self, weight: &[f64]) -> Result<DMatrix<f64>, StepFailure> {
        if self.steps.is_empty() {
            return Err(StepFailure::NoCurvature);
        }
        let (n, m) = (self.states_w[0].nrows(), self.states_w[0].ncols());
        let mut weight = nalgebra::DVector::from_column_slice(weight);
        let mut hessian = DMatrix::zeros(m, m);
        for (step, state_w) in self.steps.iter().zip(&self.states_w).rev() {
            let local = step.curvature(self.dynamics, weight.as_slice())?;
            if self.steps.len() == 1 {
                return Ok(local);
            }
            let mut along = DMatrix::identity(m, m);
            along.rows_mut(0, n).copy_from(state_w);
            hessian += along.tr_mul(&(local * &along));
            weight = step.end_w.columns(0, n).tr_mul(&weight);
        }
        Ok(hessian)
    }
}
