//! Linearized implicit Runge–Kutta methods (Gerdts 2003), with a fixed number of Newton iterations per step.

use hemiola_tableau::Method;

use crate::error::{MethodMismatch, StepError};
use crate::linear_algebra::lu::Lu;
use crate::problem::system::{System, rates};
use crate::stages::equations::StepStages;
use crate::stages::partition_tableaus::Extras;
use crate::steppers::stepper::Stepper;

/// An implicit method with q Newton iterations for its stages from kᵢ⁽⁰⁾ = f(t, y). Every step has the same cost.
///
/// With Yᵢ = y + h Σ aᵢⱼ kⱼ and Jacobians at the current stages, an iteration solves
///
/// kᵢ⁺ = f(Yᵢ) + ∂f/∂y(Yᵢ) · h Σⱼ aᵢⱼ (kⱼ⁺ − kⱼ).
///
/// With q = 1 this is equation (9) of Gerdts, "On the convergence of linearized implicit Runge–Kutta methods". Equation
/// (10) prints the Jacobian inside the sum, at Yⱼ, which lowers the order to three. Orders are those of the method up
/// to 4, 10 and 22 for q = 1, 2 and 3. They require exact Jacobians: with differences, an error of 1e-8 in the
/// derivatives enters the order conditions.
///
/// Stages that depend on each other are solved simultaneously, the others one after another. Each partition has its own
/// coefficients if the method has more than one. Without iterations all slopes are f(t, y).
///
/// ```
/// use hemiola_integrate::{LinearizedStepper, Stepper, System};
/// /// y' = −y², solved by 1/(1 + t).
/// struct Square;
/// impl System for Square {
///     fn sizes(&self) -> &[usize] {
///         &[1]
///     }
///     fn rate(&self, _partition: usize, _t: f64, y: &[f64], rate: &mut [f64]) {
///         rate[0] = -y[0] * y[0];
///     }
///     fn jacobian(&self, _t: f64, y: &[f64], jacobian: &mut [f64]) {
///         jacobian[0] = -2.0 * y[0];
///     }
/// }
/// let gauss = hemiola_tableau::library::method("gauss-2").unwrap();
/// let error = |steps: u32| {
///     let (mut stepper, mut y, h) = (LinearizedStepper::new(&gauss, 1, &Square).unwrap(), [1.0], 1.0 / f64::from(steps));
///     (0..steps).for_each(|step| stepper.step(&Square, h * f64::from(step), h, &mut y).unwrap());
///     y[0] - 0.5
/// };
/// assert!(((error(20) / error(40)).log2() - 4.0).abs() < 0.1);
/// ```
#[derive(Clone, Debug)]
pub struct LinearizedStepper {
    stages: StepStages,
    iterations: usize,
    lu: Lu,
    /// ∂f/∂y at each stage.
    jacobians: Vec<f64>,
    scratch: Vec<f64>,
    /// f(Yᵢ) − kᵢ, then the changes of kᵢ, stage after stage.
    changes: Vec<f64>,
    /// The change of a stage argument, or f(t, y).
    shift: Vec<f64>,
    right: Vec<f64>,
}

impl LinearizedStepper {
    /// Prepares a method with q iterations for systems with the same partitions as `system`.
    ///
    /// # Errors
    /// [`MethodMismatch::Partitions`] if the method has neither one partition nor the number of the system.
    pub fn new<S: System + ?Sized>(method: &Method, iterations: usize, system: &S) -> Result<Self, MethodMismatch> {
        Self::with(method, iterations, system, Extras::default())
    }

    /// Prepares a method with an error estimate or dense output.
    ///
    /// # Errors
    /// See [`new`](Self::new); also if the method lacks a required extra.
    pub fn with<S: System + ?Sized>(
        method: &Method,
        iterations: usize,
        system: &S,
        extras: Extras,
    ) -> Result<Self, MethodMismatch> {
        let stages = StepStages::new(method, system.sizes(), extras)?;
        let (n, s) = (stages.n, method.stages());
        let unknowns = stages.blocks.iter().map(|block| block.unknowns).max().unwrap_or(0);
        let [jacobians, scratch] = [vec![0.0; s * n * n], vec![0.0; n * n]];
        let [changes, shift, right] = [vec![0.0; s * n], vec![0.0; n], vec![0.0; unknowns]];
        Ok(Self { stages, iterations, lu: Lu::new(unknowns), jacobians, scratch, changes, shift, right })
    }

    /// Sets kᵢ⁽⁰⁾ = f(t, y) for all needed slopes.
    fn start<S: System + ?Sized>(&mut self, system: &S) {
        rates(system, self.stages.t, &self.stages.start, &mut self.shift);
        let StepStages { n, ref parts, ref mut slopes, .. } = self.stages;
        for (stage, slope) in slopes.chunks_exact_mut(n.max(1)).enumerate() {
            for part in parts.iter().filter(|part| part.is_evaluated[stage]) {
                slope[part.range.clone()].copy_from_slice(&self.shift[part.range.clone()]);
            }
        }
    }

    fn iterate<S: System + ?Sized>(&mut self, system: &S) -> Result<(), StepError> {
        self.linearize(system);
        for block in 0..self.stages.blocks.len() {
            self.solve(block)?;
            self.substitute(block);
        }
        self.stages.slopes.iter_mut().zip(&self.changes).for_each(|(slope, change)| *slope += change);
        Ok(())
    }

    /// Evaluates f(Yᵢ) − kᵢ and ∂f/∂y(Yᵢ) at all stages.
    fn linearize<S: System + ?Sized>(&mut self, system: &S) {
        self.changes.fill(0.0);
        let square = self.scratch.len();
        for block in 0..self.stages.blocks.len() {
            for stage in self.stages.blocks[block].stages.clone() {
                self.stages.set_argument(stage);
                let jacobian = &mut self.jacobians[stage * square..(stage + 1) * square];
                self.stages.jacobian(system, stage, &mut self.scratch, jacobian);
                let Self { ref stages, ref mut changes, .. } = *self;
                let rates = stages.blocks[block].implicit.iter().chain(&stages.blocks[block].explicit);
                for &rate in rates.filter(|rate| rate.stage == stage) {
                    let variables = stages.slopes_of(rate);
                    let change = &mut changes[variables.clone()];
                    stages.evaluate(system, rate, change);
                    change.iter_mut().zip(&stages.slopes[variables]).for_each(|(rate, slope)| *rate -= slope);
                }
            }
        }
    }

    /// Solves for the changes of a block's unknown slopes, with those of the previous blocks known.
    fn solve(&mut self, block: usize) -> Result<(), StepError> {
        let Self { ref stages, ref jacobians, ref mut lu, ref mut changes, ref mut shift, ref mut right, .. } = *self;
        let block = &stages.blocks[block];
        if block.unknowns == 0 {
            return Ok(());
        }
        let square = stages.n * stages.n;
        stages.factorize(block, |stage| &jacobians[stage * square..(stage + 1) * square], lu)?;
        let right = &mut right[..block.unknowns];
        let mut position = 0;
        for &rate in &block.implicit {
            stages.shift(rate.stage, false, changes, shift);
            for variable in stages.slopes_of(rate) {
                right[position] = changes[variable] + slope_along(stages, jacobians, variable, shift);
                position += 1;
            }
        }
        lu.solve(right);
        let mut solution = right.iter();
        for &rate in &block.implicit {
            let variables = stages.slopes_of(rate);
            changes[variables].iter_mut().zip(&mut solution).for_each(|(change, value)| *change = *value);
        }
        Ok(())
    }

    /// Computes the changes of a block's other slopes.
    fn substitute(&mut self, block: usize) {
        let Self { ref stages, ref jacobians, ref mut changes, ref mut shift, .. } = *self;
        let block = &stages.blocks[block];
        for &rate in &block.explicit {
            stages.shift(rate.stage, true, changes, shift);
            for variable in stages.slopes_of(rate) {
                changes[variable] += slope_along(stages, jacobians, variable, shift);
            }
        }
    }
}

/// Returns the directional derivative of a slope along a shift of its stage.
fn slope_along(stages: &StepStages, jacobians: &[f64], slope: usize, shift: &[f64]) -> f64 {
    jacobians[slope * stages.n..(slope + 1) * stages.n].iter().zip(shift).map(|(derivative, x)| derivative * x).sum()
}

impl<S: System + ?Sized> Stepper<S> for LinearizedStepper {
    /// # Errors
    /// [`StepError::Singular`] if a matrix of the linear systems is singular to rounding, [`StepError::NotFinite`].
    fn step(&mut self, system: &S, t: f64, h: f64, y: &mut [f64]) -> Result<(), StepError> {
        self.stages.begin(t, h, y);
        self.start(system);
        for _ in 0..self.iterations {
            self.iterate(system)?;
        }
        self.stages.end(y)
    }

    fn estimate(&self, error: &mut [f64]) -> bool {
        self.stages.estimate(error)
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) -> bool {
        self.stages.interpolate(theta, y)
    }
}
