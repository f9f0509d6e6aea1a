//! Steps of the classical method of order four.

use std::ops::ControlFlow;

use crate::algebra::dense::solve_cholesky;
use crate::dynamics::loops::Change;
use crate::error::MotionError;
use crate::mechanism::definition::{Mechanism, Workspace, expand};
use crate::solution::refinement::{Residual, Solver};

/// The motion of a [`Mechanism`], step by step.
///
/// ```
/// use std::ops::ControlFlow;
/// use hemiola_multibody::{Maneuver, Refinement, Residual, Simulation, Solver, vehicles};
/// let truck = vehicles::truck(&Maneuver::coasting(15.0)).build()?;
/// let mut run = Simulation::new(&truck, Solver::Refined(Refinement::new(1e-6, Residual::MatrixFree)));
/// let mut y = truck.initial().to_vec();
/// run.run([0.0, 0.1], 100, &mut y, |_, _| ControlFlow::Continue(()))?;
/// assert_eq!((run.counts().evaluations, run.counts().factorizations), (400, 201));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation<'a> {
    mechanism: &'a Mechanism,
    solver: Solver,
    workspace: Workspace<f64>,
    /// Slopes of the four evaluations, and the state of one.
    slopes: [Vec<f64>; 4],
    stage: Vec<f64>,
    /// Which choice of dependents the factor belongs to; none where there is no factor yet.
    factor: Option<u64>,
    counts: Counts,
}

/// What a simulation has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Evaluations of the accelerations.
    pub evaluations: u64,
    /// Factorizations of the mass matrix of the independents.
    pub factorizations: u64,
    /// Evaluations that were refined.
    pub refined: u64,
    /// Iterations in all of these.
    pub iterations: u64,
    /// The most iterations in one of them.
    pub most_iterations: u32,
    /// How often dependents were chosen anew.
    pub choices: u64,
}

impl<'a> Simulation<'a> {
    /// A simulation that has not begun.
    #[must_use]
    pub fn new(mechanism: &'a Mechanism, solver: Solver) -> Self {
        let size = mechanism.positions() + mechanism.velocities();
        Self {
            mechanism,
            solver,
            workspace: mechanism.workspace(),
            slopes: std::array::from_fn(|_| vec![0.0; size]),
            stage: vec![0.0; size],
            factor: None,
            counts: Counts::default(),
        }
    }

    /// What it has done so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts { choices: self.workspace.room.choices, ..self.counts }
    }

    /// A step from (t, y), after which the loops are closed. It allocates nothing, unless dependents are chosen anew: between steps, where
    /// the independents determine them four times worse than when they were chosen.
    ///
    /// # Errors
    /// [`MotionError`] if the motion cannot go on.
    pub fn step(&mut self, t: f64, h: f64, y: &mut [f64]) -> Result<(), MotionError> {
        const NODES: [f64; 4] = [0.0, 0.5, 0.5, 1.0];
        for k in 0..4usize {
            self.stage.copy_from_slice(y);
            if let Some(before) = k.checked_sub(1) {
                let slope = &self.slopes[before];
                self.stage.iter_mut().zip(slope).for_each(|(y, slope)| *y += NODES[k] * h * slope);
            }
            self.evaluate(k, t + NODES[k] * h)?;
        }
        let [k1, k2, k3, k4] = &self.slopes;
        for (i, y) in y.iter_mut().enumerate() {
            *y += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
        self.mechanism.project(y, &mut self.workspace)
    }

    /// Equal steps over a span of time, with a look at every state.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn run(
        &mut self,
        [from, to]: [f64; 2],
        steps: u32,
        y: &mut [f64],
        mut look: impl FnMut(f64, &[f64]) -> ControlFlow<()>,
    ) -> Result<(), MotionError> {
        let h = (to - from) / f64::from(steps);
        for k in 0..steps {
            let t = from + f64::from(k) * h;
            self.step(t, h, y)?;
            if look(t + h, y).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// The slope of the stage.
    fn evaluate(&mut self, k: usize, t: f64) -> Result<(), MotionError> {
        let (mechanism, room) = (self.mechanism, &mut self.workspace.room);
        self.counts.evaluations += 1;
        mechanism.kinematics(t, &self.stage, room, Change::Late)?;
        let refinement = match self.solver {
            Solver::Direct => {
                self.counts.factorizations += u64::from(mechanism.constraints() > 0);
                mechanism.solve(room)?;
                mechanism.write_rates(room, &mut self.slopes[k]);
                return Ok(());
            }
            Solver::Cholesky => None,
            Solver::Refined(refinement) => {
                (k.is_multiple_of(2) && self.factor == Some(room.choices)).then_some(refinement)
            }
        };
        mechanism.prepare(room);
        mechanism.right_side(room);
        if refinement.is_none_or(|refinement| refinement.residual == Residual::Assembled) {
            mechanism.matrix(room);
        }
        let iterations = refinement.and_then(|refinement| refinement.solve(&mechanism.tree, room));
        if let Some(iterations) = iterations {
            self.counts.refined += 1;
            self.counts.iterations += u64::from(iterations);
            self.counts.most_iterations = self.counts.most_iterations.max(iterations);
        } else {
            if refinement.is_some() {
                mechanism.matrix(room);
            }
            let f = mechanism.degrees_of_freedom();
            let reduced = &mut room.reduced;
            std::mem::swap(&mut reduced.matrix, &mut reduced.factor);
            mechanism.factorize(room)?;
            self.counts.factorizations += 1;
            self.factor = Some(room.choices);
            let reduced = &mut room.reduced;
            reduced.solution.copy_from_slice(&reduced.right);
            solve_cholesky(&reduced.factor, f, &mut reduced.solution);
        }
        expand(room);
        mechanism.write_rates(room, &mut self.slopes[k]);
        Ok(())
    }
}
