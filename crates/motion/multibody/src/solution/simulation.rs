//! Steps of the classical method of order four.

use std::ops::ControlFlow;

use crate::error::MotionError;
use crate::mechanism::definition::Mechanism;
use crate::solution::evaluator::{Evaluator, SolverCounts};
use crate::solution::refinement::AccelerationSolver;

/// Simulation of a [`Mechanism`] in steps.
///
/// ```
/// use std::ops::ControlFlow;
/// use hemiola_multibody::{Maneuver, Refinement, ResidualForm, MachineRun, AccelerationSolver, vehicles};
/// let truck = vehicles::truck(&Maneuver::coasting(15.0)).build()?;
/// let mut run = MachineRun::new(&truck, AccelerationSolver::Refined(Refinement::new(1e-6, ResidualForm::MatrixFree)));
/// let mut y = truck.initial().to_vec();
/// run.run([0.0, 0.1], 100, &mut y, |_, _| ControlFlow::Continue(()))?;
/// assert_eq!((run.counts().evaluations, run.counts().factorizations), (400, 201));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MachineRun<'a> {
    mechanism: &'a Mechanism,
    evaluator: Evaluator,
    /// The slopes of the four evaluations, and the state of one evaluation.
    slopes: [Vec<f64>; 4],
    stage: Vec<f64>,
}

impl<'a> MachineRun<'a> {
    /// Creates a simulation.
    #[must_use]
    pub fn new(mechanism: &'a Mechanism, solver: AccelerationSolver) -> Self {
        let size = mechanism.positions() + mechanism.velocities();
        Self {
            mechanism,
            evaluator: Evaluator::new(mechanism, solver),
            slopes: std::array::from_fn(|_| vec![0.0; size]),
            stage: vec![0.0; size],
        }
    }

    /// Returns the work done so far.
    #[must_use]
    pub fn counts(&self) -> SolverCounts {
        self.evaluator.counts()
    }

    /// Takes a step from (t, y) and closes the loops. It does not allocate unless dependents are chosen again between
    /// steps, if the independents determine them four times worse than when they were chosen.
    ///
    /// # Errors
    /// [`MotionError`] if the motion cannot continue.
    pub fn step(&mut self, t: f64, h: f64, y: &mut [f64]) -> Result<(), MotionError> {
        const NODES: [f64; 4] = [0.0, 0.5, 0.5, 1.0];
        for k in 0..4usize {
            self.stage.copy_from_slice(y);
            if let Some(before) = k.checked_sub(1) {
                let slope = &self.slopes[before];
                self.stage.iter_mut().zip(slope).for_each(|(y, slope)| *y += NODES[k] * h * slope);
            }
            let t = t + NODES[k] * h;
            self.evaluator.evaluate(self.mechanism, k.is_multiple_of(2), (t, &self.stage), &mut self.slopes[k])?;
        }
        let [k1, k2, k3, k4] = &self.slopes;
        for (i, y) in y.iter_mut().enumerate() {
            *y += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
        self.mechanism.project(y, &mut self.evaluator.workspace)
    }

    /// Takes equal steps over a span of time and passes every state to a callback.
    ///
    /// # Errors
    /// See [`step`](Self::step).
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
}
