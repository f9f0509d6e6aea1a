//! Steps of the classical method of order four.

use std::ops::ControlFlow;

use crate::error::MotionError;
use crate::mechanism::definition::Mechanism;
use crate::solution::evaluator::{Counts, Evaluator};
use crate::solution::refinement::Solver;

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
    evaluator: Evaluator,
    /// Slopes of the four evaluations, and the state of one.
    slopes: [Vec<f64>; 4],
    stage: Vec<f64>,
}

impl<'a> Simulation<'a> {
    /// A simulation that has not begun.
    #[must_use]
    pub fn new(mechanism: &'a Mechanism, solver: Solver) -> Self {
        let size = mechanism.positions() + mechanism.velocities();
        Self {
            mechanism,
            evaluator: Evaluator::new(mechanism, solver),
            slopes: std::array::from_fn(|_| vec![0.0; size]),
            stage: vec![0.0; size],
        }
    }

    /// What it has done so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.evaluator.counts()
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
            let t = t + NODES[k] * h;
            self.evaluator.evaluate(self.mechanism, k.is_multiple_of(2), (t, &self.stage), &mut self.slopes[k])?;
        }
        let [k1, k2, k3, k4] = &self.slopes;
        for (i, y) in y.iter_mut().enumerate() {
            *y += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
        self.mechanism.project(y, &mut self.evaluator.workspace)
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
}
