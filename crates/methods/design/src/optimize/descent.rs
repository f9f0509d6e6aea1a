//! Descents to minima of the objective among the points that satisfy all equations, by Newton's method for the
//! Lagrangian, a solver of argmin.

use argmin::core::{Error, Executor, IterState, KV, Solver, TerminationReason, TerminationStatus};
use nalgebra::DVector;
use serde::{Deserialize, Serialize};

use crate::conditions::equations::Equations;
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

/// Minimizes the objective among the points that satisfy the constraints; `None` if a model breaks down.
///
/// argmin's executor runs [`LagrangianDescent`] for at most the given number of steps.
pub(crate) fn descend(problem: &Problem, start: &[f64], (steps, tolerance): (usize, f64)) -> Option<Minimum> {
    let solver = LagrangianDescent::new(problem, start, tolerance);
    let run = Executor::new(problem, solver).configure(|state| state.max_iters(steps as u64)).timer(false).run();
    let LagrangianDescent { at, converged, .. } = run.ok()?.solver;
    let merit = problem.merit(at.x.as_slice());
    Some(Minimum { x: at.x.as_slice().to_vec(), merit, converged })
}

/// Newton's method for the Lagrangian among the points that satisfy the constraints.
///
/// Each step is a damped Newton step within the null space of the constraints' Jacobian, followed by a restoration of
/// the constraints. Inequalities act as penalties before they are reached. The descent ends when the predicted reduction
/// of a step is less than the fraction `tolerance` of the objective.
struct LagrangianDescent {
    at: FeasiblePoint,
    /// The gradient of the penalty that the multipliers balance.
    balanced: DVector<f64>,
    damping: f64,
    tolerance: f64,
    converged: bool,
    is_finished: bool,
}

/// The state of a run. The solver holds the point; argmin's state only counts iterations.
type DescentState = IterState<Vec<f64>, (), (), (), (), f64>;

/// The model of the Lagrangian at a point is singular.
#[derive(Debug, thiserror::Error)]
#[error("the model of the Lagrangian is singular")]
struct SingularModel;

impl LagrangianDescent {
    fn new(problem: &Problem, start: &[f64], tolerance: f64) -> Self {
        let at = FeasiblePoint::new(problem, DVector::from_column_slice(start));
        let balanced = penalty_gradient(&at.x, problem.unknowns().inequalities());
        Self { at, balanced, damping: 1e-2, tolerance, converged: false, is_finished: false }
    }

    /// Takes a step; `None` if the model is singular.
    fn step(&mut self, problem: &Problem) -> Option<()> {
        let null_space = NullSpace::new(problem.equations.linearization(self.at.x.as_slice()).gradients);
        // If the constraints leave no direction, the point is the minimum.
        if null_space.dimension() == 0 {
            self.end(true);
            return Some(());
        }
        let model = LagrangianModel::new(problem, &null_space, &self.at.x, &self.balanced)?;
        let predicted_reduction = model.predicted_reduction()?;
        if predicted_reduction <= self.tolerance * self.at.value {
            self.end(true);
            return Some(());
        }
        let mut damping = self.damping;
        for _ in 0..12 {
            if let Some((better, gradient)) = model.improved_point(damping, self.at.value) {
                (self.at, self.balanced) = (better, gradient);
                self.damping = (damping * 0.2).max(1e-10);
                return Some(());
            }
            damping = (damping * 5.0).max(1e-6);
        }
        // Rounding ends the descent within half the digits of the objective.
        self.end(predicted_reduction <= 1e-8 * self.at.value);
        Some(())
    }

    fn end(&mut self, converged: bool) {
        (self.converged, self.is_finished) = (converged, true);
    }
}

impl Solver<&Problem<'_>, DescentState> for LagrangianDescent {
    fn name(&self) -> &'static str {
        "Newton's method for the Lagrangian"
    }

    fn next_iter(
        &mut self,
        problem: &mut argmin::core::Problem<&Problem<'_>>,
        state: DescentState,
    ) -> Result<(DescentState, Option<KV>), Error> {
        let program = problem.problem.ok_or(SingularModel)?;
        self.step(program).ok_or(SingularModel)?;
        Ok((state.cost(self.at.value), None))
    }

    fn terminate(&mut self, _: &DescentState) -> TerminationStatus {
        if self.is_finished {
            TerminationStatus::Terminated(TerminationReason::SolverConverged)
        } else {
            TerminationStatus::NotTerminated
        }
    }
}
