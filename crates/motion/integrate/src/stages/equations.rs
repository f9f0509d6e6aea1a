//! Stages of a Runge–Kutta step, shared by steppers that solve them in different ways.

use std::ops::Range;

use hemiola_tableau::Method;

use crate::error::{MethodMismatch, StepError};
use crate::linear_algebra::lu::Lu;
use crate::linear_algebra::sums::Sums;
use crate::problem::system::System;
use crate::stages::blocks::{StageBlock, StageRate, blocks};
use crate::stages::partition_tableaus::Extras;
use crate::stages::placed::{PartitionCoefficients, partition_coefficients};

/// The slopes kᵢ of a step and the sums that give the result, the estimate and the dense output.
#[derive(Clone, Debug)]
pub(crate) struct StepStages {
    pub(crate) parts: Vec<PartitionCoefficients>,
    pub(crate) blocks: Vec<StageBlock>,
    /// The number of variables.
    pub(crate) n: usize,
    pub(crate) t: f64,
    pub(crate) h: f64,
    /// y at the beginning of the step.
    pub(crate) start: Vec<f64>,
    /// The slopes kᵢ, stage after stage.
    pub(crate) slopes: Vec<f64>,
    /// The argument Yᵢ of the stage being evaluated.
    pub(crate) argument: Vec<f64>,
    /// h Σⱼ aᵢⱼ kⱼ of each stage: over all stages, and over the blocks before its own.
    whole: Vec<Sums>,
    before: Vec<Sums>,
    result: Sums,
    estimate: Option<Sums>,
    /// Whether the slopes belong to a completed step.
    is_made: bool,
}

impl StepStages {
    pub(crate) fn new(method: &Method, sizes: &[usize], extras: Extras) -> Result<Self, MethodMismatch> {
        let parts = partition_coefficients(method, sizes, extras)?;
        let blocks = blocks(&parts);
        let (n, s) = (sizes.iter().sum(), method.stages());
        let sums = |row: &dyn Fn(&PartitionCoefficients) -> Vec<f64>| {
            Sums::new(parts.iter().map(|part| (row(part), part.range.clone())), n)
        };
        // The stages before `end` only.
        let row = |i: usize, end: usize| sums(&|part| part.part.butcher.a[i][..end].to_vec());
        let before = |i: usize| {
            let block = blocks.iter().find(|block| block.stages.contains(&i));
            row(i, block.map_or(0, |block| block.stages.start))
        };
        let difference = |part: &PartitionCoefficients| part.part.difference.clone().unwrap_or_default();
        Ok(Self {
            whole: (0..s).map(|i| row(i, s)).collect(),
            before: (0..s).map(before).collect(),
            result: sums(&|part| part.part.butcher.b.clone()),
            estimate: extras.estimate.then(|| sums(&difference)),
            blocks,
            parts,
            n,
            t: 0.0,
            h: 0.0,
            start: vec![0.0; n],
            slopes: vec![0.0; s * n],
            argument: vec![0.0; n],
            is_made: false,
        })
    }

    /// Begins a step with all slopes zero.
    pub(crate) fn begin(&mut self, t: f64, h: f64, y: &[f64]) {
        (self.t, self.h, self.is_made) = (t, h, false);
        self.start.copy_from_slice(y);
        self.slopes.fill(0.0);
    }

    /// Sets Yᵢ = y + h Σⱼ aᵢⱼ kⱼ, with each partition's own coefficients.
    pub(crate) fn set_argument(&mut self, stage: usize) {
        self.whole[stage].add(&self.start, self.h, &self.slopes, &mut self.argument);
    }

    /// Computes the change of Yᵢ due to changes of the slopes: of all of them, or of those in the blocks before its
    /// own.
    pub(crate) fn shift(&self, stage: usize, is_whole: bool, changes: &[f64], shift: &mut [f64]) {
        let sums = if is_whole { &self.whole[stage] } else { &self.before[stage] };
        sums.write(self.h, changes, shift);
    }

    /// Evaluates the rates of a partition at a stage. [`Self::set_argument`] must have been called for it.
    pub(crate) fn evaluate<S: System + ?Sized>(&self, system: &S, rate: StageRate, out: &mut [f64]) {
        system.rate(rate.part, self.time(rate), &self.argument, out);
    }

    fn time(&self, rate: StageRate) -> f64 {
        self.t + self.parts[rate.part].part.butcher.c[rate.stage] * self.h
    }

    /// Evaluates the slopes of a block that are not unknowns, partition by partition.
    pub(crate) fn evaluate_explicit<S: System + ?Sized>(&mut self, system: &S, block: usize) {
        let mut stage = None;
        for index in 0..self.blocks[block].explicit.len() {
            let rate = self.blocks[block].explicit[index];
            if stage.replace(rate.stage) != Some(rate.stage) {
                self.set_argument(rate.stage);
            }
            let time = self.time(rate);
            let variables = self.slopes_of(rate);
            system.rate(rate.part, time, &self.argument, &mut self.slopes[variables]);
        }
    }

    /// Returns the positions of a partition's slopes at a stage.
    pub(crate) fn slopes_of(&self, rate: StageRate) -> Range<usize> {
        let range = &self.parts[rate.part].range;
        rate.stage * self.n + range.start..rate.stage * self.n + range.end
    }

    /// Evaluates ∂f/∂y at a stage, each partition's rows at its own time. [`Self::set_argument`] must have been called
    /// for it.
    pub(crate) fn jacobian<S: System + ?Sized>(&self, system: &S, stage: usize, scratch: &mut [f64], out: &mut [f64]) {
        let mut evaluated = None;
        for (index, part) in self.parts.iter().enumerate().filter(|(_, part)| part.is_evaluated[stage]) {
            let time = self.time(StageRate { stage, part: index, row: 0 });
            if evaluated != Some(time) {
                system.jacobian(time, &self.argument, scratch);
                evaluated = Some(time);
            }
            let rows = part.range.start * self.n..part.range.end * self.n;
            out[rows.clone()].copy_from_slice(&scratch[rows]);
        }
    }

    /// Factorizes the Newton matrix δ − h aᵢⱼ ∂f/∂y of a block, with the Jacobian of each stage.
    pub(crate) fn factorize<'a>(
        &self,
        block: &StageBlock,
        jacobian: impl Fn(usize) -> &'a [f64],
        lu: &mut Lu,
    ) -> Result<(), StepError> {
        let matrix = lu.matrix(block.unknowns);
        for row in &block.implicit {
            let jacobian = jacobian(row.stage);
            for column in &block.implicit {
                let (here, there) = (&self.parts[row.part].range, &self.parts[column.part].range);
                let factor = self.h * self.parts[column.part].a(row.stage, column.stage);
                for (i, variable) in here.clone().enumerate() {
                    let derivatives = &jacobian[variable * self.n + there.start..variable * self.n + there.end];
                    let start = (row.row + i) * block.unknowns + column.row;
                    let entries = &mut matrix[start..start + there.len()];
                    entries.iter_mut().zip(derivatives).for_each(|(entry, derivative)| *entry = -factor * derivative);
                    if row == column {
                        entries[i] += 1.0;
                    }
                }
            }
        }
        if matrix.iter().any(|entry| !entry.is_finite()) {
            return Err(StepError::NotFinite { t: self.t, h: self.h });
        }
        if lu.factorize() { Ok(()) } else { Err(StepError::Singular { t: self.t, h: self.h }) }
    }

    /// Completes the step: y⁺ = y + h Σ bᵢ kᵢ.
    pub(crate) fn end(&mut self, y: &mut [f64]) -> Result<(), StepError> {
        self.result.add(&self.start, self.h, &self.slopes, &mut self.argument);
        if self.argument.iter().any(|value| !value.is_finite()) {
            return Err(StepError::NotFinite { t: self.t, h: self.h });
        }
        y.copy_from_slice(&self.argument);
        self.is_made = true;
        Ok(())
    }

    /// Writes h Σ (bᵢ − b̂ᵢ) kᵢ; returns false if it is not available.
    pub(crate) fn estimate(&self, error: &mut [f64]) -> bool {
        let Some(sums) = self.estimate.as_ref().filter(|_| self.is_made) else { return false };
        sums.write(self.h, &self.slopes, error);
        true
    }

    /// Writes y + h Σ bᵢ(θ) kᵢ; returns false if it is not available.
    pub(crate) fn interpolate(&self, theta: f64, y: &mut [f64]) -> bool {
        if !self.is_made || self.parts.iter().any(|part| part.part.dense.is_none()) {
            return false;
        }
        y.copy_from_slice(&self.start);
        for part in &self.parts {
            let rows = part.part.dense.iter().flatten();
            for (row, slope) in rows.zip(self.slopes.chunks_exact(self.n.max(1))) {
                let weight = self.h * row.iter().rev().fold(0.0, |sum, d| (sum + d) * theta);
                let variables = part.range.clone();
                y[variables.clone()].iter_mut().zip(&slope[variables]).for_each(|(y, slope)| *y += weight * slope);
            }
        }
        true
    }
}
