//! Implicit Runge–Kutta methods with stage equations solved to rounding.

use hemiola_tableau::Method;

use crate::error::{MethodMismatch, StepError};
use crate::linear_algebra::lu::Lu;
use crate::problem::system::System;
use crate::stages::equations::StepStages;
use crate::stages::newton::{CorrectionHistory, NewtonDecision};
use crate::stages::partition_tableaus::Extras;
use crate::steppers::stepper::Stepper;

/// Any Runge–Kutta method, with one partition that advances all variables or with the partitions of the system.
///
/// The unknowns are the slopes kᵢ. Stages that depend on each other are solved simultaneously and the others one after
/// another: n×n systems for a diagonally implicit method, sn×sn systems for a fully implicit one. A partition with
/// explicit coefficients, such as the explicit partition of an IMEX pair, is not among the unknowns and is evaluated
/// only where needed.
///
/// Newton iterations start with slopes of zero, Yᵢ = y, which is safe however stiff the system is. They use one
/// Jacobian, that at the beginning of the step. If this converges too slowly or not at all, they use a new one for each
/// stage in each iteration. They end when the observed contraction guarantees an error below the rounding of the
/// variables.
///
/// ```
/// use hemiola_integrate::{Implicit, Stepper, System};
/// /// Prothero & Robinson's problem y' = −10⁶(y − cos t) − sin t.
/// struct Stiff;
/// impl System for Stiff {
///     fn sizes(&self) -> &[usize] {
///         &[1]
///     }
///     fn rate(&self, _partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
///         rate[0] = -1e6 * (y[0] - t.cos()) - t.sin();
///     }
///     fn jacobian(&self, _t: f64, _y: &[f64], jacobian: &mut [f64]) {
///         jacobian[0] = -1e6;
///     }
/// }
/// let radau = hemiola_tableau::library::method("radau-iia-3").unwrap();
/// let (mut stepper, mut y) = (Implicit::new(&radau, &Stiff)?, [1.0]);
/// for step in 0..10 {
///     stepper.step(&Stiff, 0.1 * f64::from(step), 0.1, &mut y)?;
/// }
/// assert!((y[0] - 1.0f64.cos()).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Implicit {
    stages: StepStages,
    lu: Lu,
    /// The kind of block whose Newton matrix, with the Jacobian at the beginning of the step, is factorized.
    factorized: Option<usize>,
    /// ∂f/∂y at the beginning of the step.
    jacobian: Vec<f64>,
    /// ∂f/∂y at each stage of a block.
    jacobians: Vec<f64>,
    scratch: Vec<f64>,
    /// Residuals, then corrections.
    correction: Vec<f64>,
    /// The quantity, besides a slope's own size, to which the rounding of the slope is proportional.
    size: Vec<f64>,
}

impl Implicit {
    /// Prepares a method for systems with the same partitions as `system`.
    ///
    /// # Errors
    /// [`MethodMismatch::Partitions`] if the method has neither one partition nor the number of the system.
    pub fn new<S: System + ?Sized>(method: &Method, system: &S) -> Result<Self, MethodMismatch> {
        Self::with(method, system, Extras::default())
    }

    /// Prepares a method with an error estimate or dense output.
    ///
    /// # Errors
    /// See [`new`](Self::new); also if the method lacks a required extra.
    pub fn with<S: System + ?Sized>(method: &Method, system: &S, extras: Extras) -> Result<Self, MethodMismatch> {
        let stages = StepStages::new(method, system.sizes(), extras)?;
        let n = stages.n;
        let solved = stages.blocks.iter().filter(|block| block.unknowns > 0);
        let unknowns = solved.clone().map(|block| block.unknowns).max().unwrap_or(0);
        let (square, longest) = match solved.map(|block| block.stages.len()).max() {
            Some(longest) => (n * n, longest),
            None => (0, 0),
        };
        Ok(Self {
            stages,
            lu: Lu::new(unknowns),
            factorized: None,
            jacobian: vec![0.0; square],
            jacobians: vec![0.0; longest * square],
            scratch: vec![0.0; square],
            correction: vec![0.0; unknowns],
            size: vec![0.0; n],
        })
    }

    /// Returns the slopes of a stage in the last step.
    pub(crate) fn slopes(&self, stage: usize) -> &[f64] {
        &self.stages.slopes[stage * self.stages.n..][..self.stages.n]
    }

    /// Evaluates the Jacobian at the beginning of the step and the sizes relative to which corrections are measured.
    ///
    /// Rounded arguments limit the accuracy of a variable's rate to ε|∂f/∂y||y|. For a variable that is stiff by
    /// itself, the stage equations divide this by 1 + h|∂fᵢ/∂yᵢ|.
    fn linearize<S: System + ?Sized>(&mut self, system: &S) {
        if self.stages.blocks.iter().all(|block| block.unknowns == 0) {
            return;
        }
        let StepStages { n, t, h, ref start, .. } = self.stages;
        system.jacobian(t, start, &mut self.jacobian);
        for (i, row) in self.jacobian.chunks_exact(n).enumerate() {
            let rounding: f64 = row.iter().zip(start).map(|(derivative, y)| (h * derivative * y).abs()).sum();
            self.size[i] = start[i].abs() + rounding / (1.0 + (h * row[i]).abs());
        }
        // A variable that is zero to the rounding of the state, for example by symmetry, has no size of its own: its
        // rate is the rounding of cancelling forces and changes with every evaluation. Corrections below √ε of this
        // floor are noise; the variable is then as accurate as the largest one.
        let largest = self.size.iter().fold(0.0f64, |largest, size| largest.max(*size));
        let nothing = f64::EPSILON * largest;
        let floor = f64::EPSILON.sqrt() * largest;
        self.size.iter_mut().filter(|size| **size <= nothing).for_each(|size| *size = floor);
    }

    /// Solves for the unknown slopes of a block.
    fn solve<S: System + ?Sized>(&mut self, system: &S, block: usize) -> Result<(), StepError> {
        let mut contraction = CorrectionHistory::new(false);
        let mut is_renewed = false;
        let mut iterations = 0;
        loop {
            self.prepare(system, block, is_renewed)?;
            let correction = self.correct(system, block);
            iterations += 1;
            match contraction.decide(correction) {
                NewtonDecision::Converged => return Ok(()),
                NewtonDecision::Continue => {}
                NewtonDecision::Failed if is_renewed => {
                    return Err(StepError::NotConverged { t: self.stages.t, h: self.stages.h, iterations });
                }
                verdict => {
                    if verdict == NewtonDecision::Failed {
                        self.forget(block);
                    }
                    is_renewed = true;
                    contraction = CorrectionHistory::new(is_renewed);
                }
            }
        }
    }

    /// Factorizes the Newton matrix of a block unless it already is.
    fn prepare<S: System + ?Sized>(&mut self, system: &S, block: usize, is_renewed: bool) -> Result<(), StepError> {
        let kind = Some(self.stages.blocks[block].kind);
        let square = self.jacobian.len();
        if !is_renewed && self.factorized == kind {
            return Ok(());
        }
        self.factorized = None;
        if !is_renewed {
            let jacobian = &self.jacobian;
            self.stages.factorize(&self.stages.blocks[block], |_| jacobian, &mut self.lu)?;
            self.factorized = kind;
            return Ok(());
        }
        let range = self.stages.blocks[block].stages.clone();
        for (stage, jacobian) in range.clone().zip(self.jacobians.chunks_exact_mut(square)) {
            self.stages.set_argument(stage);
            self.stages.jacobian(system, stage, &mut self.scratch, jacobian);
        }
        let jacobians = &self.jacobians;
        let of_stage = |stage: usize| &jacobians[(stage - range.start) * square..(stage - range.start + 1) * square];
        self.stages.factorize(&self.stages.blocks[block], of_stage, &mut self.lu)
    }

    /// Performs one iteration, k ← k + (I − hA ∂f/∂y)⁻¹(f(Y) − k), and returns the relative size of the correction.
    fn correct<S: System + ?Sized>(&mut self, system: &S, block: usize) -> f64 {
        let unknowns = self.stages.blocks[block].unknowns;
        let mut stage = None;
        for index in 0..self.stages.blocks[block].implicit.len() {
            let rate = self.stages.blocks[block].implicit[index];
            if stage.replace(rate.stage) != Some(rate.stage) {
                self.stages.set_argument(rate.stage);
            }
            let slopes = self.stages.slopes_of(rate);
            let residual = &mut self.correction[rate.row..rate.row + slopes.len()];
            self.stages.evaluate(system, rate, residual);
            residual.iter_mut().zip(&self.stages.slopes[slopes]).for_each(|(rate, slope)| *rate -= slope);
        }
        self.lu.solve(&mut self.correction[..unknowns]);
        self.apply(block)
    }

    fn apply(&mut self, block: usize) -> f64 {
        let (mut largest, h) = (0.0f64, self.stages.h);
        for index in 0..self.stages.blocks[block].implicit.len() {
            let rate = self.stages.blocks[block].implicit[index];
            let slopes = self.stages.slopes_of(rate);
            let sizes = &self.size[self.stages.parts[rate.part].range.clone()];
            let corrections = &self.correction[rate.row..rate.row + slopes.len()];
            for ((slope, correction), size) in self.stages.slopes[slopes].iter_mut().zip(corrections).zip(sizes) {
                *slope += correction;
                let relative = (h * correction).abs() / (size + (h * *slope).abs());
                if !correction.is_finite() {
                    return f64::NAN;
                }
                // Avoids 0/0 for a zero correction of a zero variable.
                if *correction != 0.0 {
                    largest = largest.max(relative);
                }
            }
        }
        largest
    }

    /// Resets the unknown slopes of a block to the start of the iterations.
    fn forget(&mut self, block: usize) {
        for index in 0..self.stages.blocks[block].implicit.len() {
            let slopes = self.stages.slopes_of(self.stages.blocks[block].implicit[index]);
            self.stages.slopes[slopes].fill(0.0);
        }
    }
}

impl<S: System + ?Sized> Stepper<S> for Implicit {
    /// # Errors
    /// [`StepError::NotConverged`] if the Newton iterations do not converge, [`StepError::Singular`] if their matrix is
    /// singular to rounding, [`StepError::NotFinite`].
    fn step(&mut self, system: &S, t: f64, h: f64, y: &mut [f64]) -> Result<(), StepError> {
        self.stages.begin(t, h, y);
        self.factorized = None;
        self.linearize(system);
        for block in 0..self.stages.blocks.len() {
            if self.stages.blocks[block].unknowns > 0 {
                self.solve(system, block)?;
            }
            self.stages.evaluate_explicit(system, block);
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
