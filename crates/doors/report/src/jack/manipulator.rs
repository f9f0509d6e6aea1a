//! A two-link manipulator with torques that are constant during each period of its controller.

use std::ops::ControlFlow;

use hemiola_integrate::{Counted, Doubling, Embedded, Explicit, Extras, Outcome, Run, System};
use hemiola_models::{Model, model};
use hemiola_tableau::library;

use crate::report::ReportError;

/// Sampling period of the listing's robot controller, in s.
pub(crate) const PERIOD: f64 = 0.01;
/// Duration of the motion, in s.
pub(crate) const END: f64 = 2.0;
/// Target angles, in rad, measured from hanging straight down.
const GOAL: [f64; 2] = [0.6, 0.9];
/// Gains on angles, in N m, and on angular velocities, in N m s.
const GAINS: [[f64; 2]; 2] = [[60.0, 15.0], [12.0, 1.5]];
/// Tolerance of reference solutions.
const EXACT: f64 = 1e-13;

/// Source of the torques.
pub(crate) enum Torques {
    /// Constant torques.
    Held([f64; 2]),
    /// Torques of each period in sequence.
    Planned(Vec<[f64; 2]>),
    /// Torques commanded by the controller for the current state.
    Fed,
}

/// The arm with arbitrary torques. The rates are affine in the torques, so three models with constant torques determine
/// them.
pub(crate) struct Arm {
    models: [Model; 3],
    /// Torques that carry the weight of the arm at the target.
    weights: [f64; 2],
    pub(crate) torques: Torques,
}

/// Step size control.
#[derive(Clone, Copy)]
pub(crate) enum ArmControl {
    Doubling,
    Pair { id: &'static str, order: usize },
}

pub(crate) const FIVE: ArmControl = ArmControl::Pair { id: "dormand-prince-5", order: 4 };
pub(crate) const EIGHT: ArmControl = ArmControl::Pair { id: "dormand-prince-8", order: 7 };

/// Result and cost of a run.
#[derive(Default)]
pub(crate) struct ArmRun {
    /// States at the ends of the periods.
    pub(crate) states: Vec<Vec<f64>>,
    /// Torques of the periods.
    pub(crate) torques: Vec<[f64; 2]>,
    pub(crate) steps: u64,
    pub(crate) rejected: u64,
    pub(crate) evaluations: u64,
}

impl Arm {
    pub(crate) fn new() -> Result<Self, ReportError> {
        let name = "two-link-manipulator";
        let with = |one: f64, two: f64| model(name, &[("torque-1", one), ("torque-2", two)]);
        let models = [with(0.0, 0.0)?, with(1.0, 0.0)?, with(0.0, 1.0)?];
        // At rest at the target, these torques cancel the accelerations of the free arm.
        let still = [GOAL[0], GOAL[1], 0.0, 0.0];
        let [free, one, two] = rates(&models, &still);
        let [a, b, c, d] = [one[2] - free[2], two[2] - free[2], one[3] - free[3], two[3] - free[3]];
        let determinant = a * d - b * c;
        let weights = [(b * free[3] - d * free[2]) / determinant, (c * free[2] - a * free[3]) / determinant];
        Ok(Self { models, weights, torques: Torques::Fed })
    }

    pub(crate) fn start(&self) -> Vec<f64> {
        self.models[0].initial.clone()
    }

    /// Returns the torques commanded by the controller.
    fn command(&self, y: &[f64]) -> [f64; 2] {
        let [stiffness, damping] = GAINS;
        [0, 1].map(|k| stiffness[k] * (GOAL[k] - y[k]) - damping[k] * y[2 + k] + self.weights[k])
    }

    /// Integrates period by period with constant torques; the driver restarts in each period.
    pub(crate) fn held(&mut self, way: ArmControl, tolerance: f64, periods: u32) -> Result<ArmRun, ReportError> {
        let (mut y, mut moved) = (self.start(), ArmRun::default());
        for k in 0..periods {
            let command = self.command(&y);
            self.torques = Torques::Held(command);
            let span = [k, k + 1].map(|k| END * f64::from(k) / f64::from(periods));
            moved.count(self.run(way, tolerance, span, &mut y)?);
            moved.torques.push(command);
            moved.states.push(y.clone());
        }
        Ok(moved)
    }

    /// Integrates with given torques of the periods; the driver restarts in each period.
    pub(crate) fn replayed(
        &mut self,
        way: ArmControl,
        tolerance: f64,
        torques: &[[f64; 2]],
    ) -> Result<ArmRun, ReportError> {
        let (mut y, mut moved) = (self.start(), ArmRun::default());
        for (k, torque) in torques.iter().enumerate() {
            self.torques = Torques::Held(*torque);
            let span = [k, k + 1].map(|k| END * k as f64 / torques.len() as f64);
            moved.count(self.run(way, tolerance, span, &mut y)?);
            moved.states.push(y.clone());
        }
        Ok(moved)
    }

    /// Integrates with given torques in a single run; the driver does not know the times of the jumps.
    pub(crate) fn planned(
        &mut self,
        way: ArmControl,
        tolerance: f64,
        torques: &[[f64; 2]],
    ) -> Result<ArmRun, ReportError> {
        self.torques = Torques::Planned(torques.to_vec());
        let (mut y, mut moved) = (self.start(), ArmRun::default());
        moved.count(self.run(way, tolerance, [0.0, END], &mut y)?);
        moved.states.push(y);
        Ok(moved)
    }

    /// Returns the states after equal parts of the motion with continuous feedback.
    pub(crate) fn fed(&mut self, parts: u32) -> Result<Vec<Vec<f64>>, ReportError> {
        self.torques = Torques::Fed;
        let mut y = self.start();
        let span = |k: u32| [k, k + 1].map(|k| END * f64::from(k) / f64::from(parts));
        let part = |k| self.run(EIGHT, EXACT, span(k), &mut y).map(|_| y.clone());
        (0..parts).map(part).collect()
    }

    fn run(&self, way: ArmControl, tolerance: f64, span: [f64; 2], y: &mut [f64]) -> Result<(Run, u64), ReportError> {
        let system = Counted::new(self);
        let watch = &mut |_: &hemiola_integrate::Accepted<'_>| ControlFlow::Continue(());
        let run = match way {
            ArmControl::Doubling => {
                // As in the listing: a twentieth of the controller's period.
                let control = Doubling { tolerance, ..Doubling::new(4, 0.05 * PERIOD) };
                let mut stepper = Explicit::new(&library::method("rk4")?, &system)?;
                control.run(&mut stepper, &system, span, y, watch)
            }
            ArmControl::Pair { id, order } => {
                let control = Embedded { relative: tolerance, absolute: tolerance, ..Embedded::new(order) };
                let extras = Extras { estimate: true, dense: false };
                let mut stepper = Explicit::with(&library::method(id)?, &system, extras)?;
                control.run(&mut stepper, &system, span, y, watch)
            }
        };
        match run.outcome {
            Outcome::Finished => Ok((run, system.evaluations()[0])),
            outcome => Err(ReportError::NoReference { model: self.models[0].name, outcome }),
        }
    }
}

impl ArmRun {
    fn count(&mut self, (run, evaluations): (Run, u64)) {
        self.steps += run.steps;
        self.rejected += run.rejected;
        self.evaluations += evaluations;
    }

    /// Returns the largest difference of any recorded state from another run, in rad and rad/s.
    pub(crate) fn apart(&self, other: &[Vec<f64>]) -> f64 {
        // The states of the shorter list belong to the ends of longer parts.
        let parts = self.states.len().min(other.len());
        let at = |states: &[Vec<f64>], k: usize| states[(k + 1) * states.len() / parts - 1].clone();
        let differences = (0..parts).flat_map(|k| at(&self.states, k).into_iter().zip(at(other, k)));
        differences.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    pub(crate) fn end(&self) -> &[f64] {
        self.states.last().map_or(&[], Vec::as_slice)
    }
}

fn rates(models: &[Model; 3], y: &[f64]) -> [Vec<f64>; 3] {
    [0, 1, 2].map(|k| {
        let mut rate = vec![0.0; y.len()];
        models[k].rate(0, 0.0, y, &mut rate);
        rate
    })
}

impl System for Arm {
    fn sizes(&self) -> &[usize] {
        &[4]
    }

    fn rate(&self, _partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        let torques = match &self.torques {
            Torques::Held(torques) => *torques,
            Torques::Planned(all) => {
                let period = (t / END * all.len() as f64).floor().max(0.0) as usize;
                all[period.min(all.len() - 1)]
            }
            Torques::Fed => self.command(y),
        };
        let [free, one, two] = rates(&self.models, y);
        for (k, rate) in rate.iter_mut().enumerate() {
            *rate = free[k] + torques[0] * (one[k] - free[k]) + torques[1] * (two[k] - free[k]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arm_comes_to_its_goal_and_rests_there() {
        let mut arm = Arm::new().unwrap();
        let end = arm.fed(1).unwrap().remove(0);
        assert!((end[0] - GOAL[0]).abs() < 0.05 && (end[1] - GOAL[1]).abs() < 0.05, "{end:?}");
        arm.torques = Torques::Fed;
        let mut rate = [1.0; 4];
        arm.rate(0, 0.0, &[GOAL[0], GOAL[1], 0.0, 0.0], &mut rate);
        assert!(rate.iter().all(|rate| rate.abs() < 1e-12), "{rate:?}");
    }

    #[test]
    fn rates_under_torques_are_those_of_the_model() {
        let mut arm = Arm::new().unwrap();
        arm.torques = Torques::Held([17.0, -3.0]);
        let y = [0.3, -0.8, 2.0, -1.0];
        let (mut ours, mut theirs) = ([0.0; 4], [0.0; 4]);
        arm.rate(0, 0.0, &y, &mut ours);
        let model = model("two-link-manipulator", &[("torque-1", 17.0), ("torque-2", -3.0)]).unwrap();
        model.rate(0, 0.0, &y, &mut theirs);
        assert!(ours.iter().zip(theirs).all(|(a, b)| (a - b).abs() < 1e-12 * 300.0), "{ours:?} {theirs:?}");
    }

    /// Checks that tolerances hold if the driver restarts with each torque, and that constant torques have order one in the period.
    #[test]
    fn tolerances_are_kept_and_holding_has_order_one() {
        let mut arm = Arm::new().unwrap();
        let exact = arm.held(EIGHT, EXACT, 200).unwrap();
        for tolerance in [1e-4, 1e-7, 1e-10] {
            let error = arm.held(ArmControl::Doubling, tolerance, 200).unwrap().apart(&exact.states);
            assert!(error < 100.0 * tolerance, "{tolerance}: {error}");
        }
        let fed = arm.fed(50).unwrap();
        let [rough, fine] = [400, 800].map(|periods| arm.held(EIGHT, 1e-12, periods).unwrap().apart(&fed));
        assert!(((rough / fine).log2() - 1.0).abs() < 0.1, "{rough} {fine}");
    }
}
