//! Explicit methods with any number of partitions.

mod narrow;
mod prepared;

pub use prepared::Explicit;
use prepared::is_finite;

use crate::error::StepError;
use crate::problem::system::System;
use crate::steppers::stepper::Stepper;

impl Explicit {
    /// Evaluates the slopes of all stages.
    fn evaluate<S: System + ?Sized>(&mut self, system: &S, h: f64) {
        for stage in &self.stages {
            let y: &[f64] = if stage.sums.is_empty() {
                &self.begin.y
            } else {
                stage.sums.add(&self.begin.y, h, &self.slopes, &mut self.argument);
                &self.argument
            };
            let is_first = stage.number == 0;
            for evaluation in &stage.evaluations {
                let r = evaluation.partition;
                if is_first && self.known[r] {
                    continue;
                }
                let slope = &mut self.slopes[evaluation.first..evaluation.first + evaluation.size];
                system.rate(r, self.begin.t + evaluation.abscissa * h, y, slope);
                // The slope of a first stage at another time depends on h and cannot be reused.
                self.known[r] |= is_first && evaluation.abscissa == 0.0;
            }
        }
    }

    /// Takes a step with any number of variables and partitions.
    fn wide_step<S: System + ?Sized>(&mut self, system: &S, t: f64, h: f64, y: &mut [f64]) -> Result<(), StepError> {
        self.move_to(t, h, y);
        self.is_made = false;
        self.evaluate(system, h);
        self.result.add(&self.begin.y, h, &self.slopes, y);
        if !is_finite(y) {
            y.copy_from_slice(&self.begin.y);
            // The last slope no longer belongs to the previous end.
            self.end.t = f64::NAN;
            return Err(StepError::NotFinite { t, h });
        }
        if self.same_as_last.contains(&true) {
            self.end.set(t + h, y);
        }
        self.changed.fill(false);
        (self.h, self.is_made) = (h, true);
        Ok(())
    }
}

impl<S: System + ?Sized> Stepper<S> for Explicit {
    #[inline]
    fn step(&mut self, system: &S, t: f64, h: f64, y: &mut [f64]) -> Result<(), StepError> {
        match self.narrow {
            Some(1) => self.narrow_step::<1, S>(system, t, h, y),
            Some(2) => self.narrow_step::<2, S>(system, t, h, y),
            Some(3) => self.narrow_step::<3, S>(system, t, h, y),
            Some(4) => self.narrow_step::<4, S>(system, t, h, y),
            _ => self.wide_step(system, t, h, y),
        }
    }

    fn slope(&mut self, system: &S, t: f64, y: &[f64], slope: &mut [f64]) {
        self.move_to(t, 0.0, y);
        let first = self.stages.first().filter(|stage| stage.number == 0);
        for (r, place) in self.places.iter().enumerate() {
            if !self.known[r] {
                system.rate(r, t, y, &mut self.slopes[place.clone()]);
                self.is_made = false;
                let evaluation = first.and_then(|first| first.evaluations.iter().find(|one| one.partition == r));
                self.known[r] = evaluation.is_some_and(|evaluation| evaluation.abscissa == 0.0);
            }
        }
        slope.copy_from_slice(&self.slopes[..y.len()]);
    }

    fn estimate(&self, error: &mut [f64]) -> bool {
        let Some(sums) = self.estimate.as_ref().filter(|_| self.is_made) else { return false };
        sums.write(self.h, &self.slopes, error);
        true
    }

    fn interpolate(&self, theta: f64, y: &mut [f64]) -> bool {
        let Some(dense) = self.dense.as_ref().filter(|_| self.is_made) else { return false };
        y.copy_from_slice(&self.begin.y);
        let n = y.len();
        for (rows, place) in dense.iter().zip(&self.places) {
            for (j, row) in rows.iter().enumerate() {
                let weight = row.iter().rev().fold(0.0, |sum, d| (sum + d) * theta);
                let slope = &self.slopes[j * n..][place.clone()];
                for (y, k) in y[place.clone()].iter_mut().zip(slope) {
                    *y += self.h * weight * k;
                }
            }
        }
        true
    }
}
