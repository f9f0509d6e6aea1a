//! The fast system of an interval, solved by micro-steps of an inner method.

use std::ops::ControlFlow;

use hemiola_tableau::Method;

use crate::error::{MethodMismatch, StepError};
use crate::problem::system::System;
use crate::stages::partition_tableaus::Extras;
use crate::step_control::embedded::Embedded;
use crate::step_control::run::Outcome;
use crate::steppers::explicit::Explicit;
use crate::steppers::implicit::Implicit;
use crate::steppers::multirate::slow::Forced;
use crate::steppers::stepper::Stepper;

/// Maximum number of micro-steps in an interval; a step with more takes minutes.
const MOST_MICRO_STEPS: usize = 1_000_000;

/// The micro-steps of the inner method in each interval of a multirate step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MicroSteps {
    /// A number of equal steps.
    Equal(usize),
    /// Steps adapted by the embedded weights of the inner method.
    Adaptive {
        /// The relative tolerance of the error of a micro-step.
        relative: f64,
        /// The absolute tolerance.
        absolute: f64,
    },
}

/// A solver of the fast system.
#[derive(Clone, Debug)]
pub(super) struct FastSolver {
    inner: Inner,
    steps: Steps,
}

#[derive(Clone, Debug)]
enum Inner {
    Explicit(Explicit),
    Implicit(Implicit),
}

#[derive(Clone, Copy, Debug)]
enum Steps {
    Equal(usize),
    /// The control of adaptive steps; its first step is the last one of the previous interval.
    Adaptive(Embedded),
}

impl FastSolver {
    pub(super) fn new<S: System + ?Sized>(
        method: &Method,
        steps: MicroSteps,
        system: &S,
    ) -> Result<Self, MethodMismatch> {
        let id = || method.id().to_owned();
        if method.partitions().len() != 1 {
            return Err(MethodMismatch::InnerPartitions { method: id(), found: method.partitions().len() });
        }
        let (steps, estimate) = match steps {
            MicroSteps::Equal(found) if !(1..=MOST_MICRO_STEPS).contains(&found) => {
                return Err(MethodMismatch::MicroSteps { found, most: MOST_MICRO_STEPS });
            }
            MicroSteps::Equal(count) => (Steps::Equal(count), false),
            MicroSteps::Adaptive { relative, absolute } => {
                let claims = method.claims();
                let order = claims.order.zip(claims.embedded_order).map(|(order, embedded)| order.min(embedded));
                let order = order.ok_or_else(|| MethodMismatch::NoEstimate { method: id() })?;
                let limit = MOST_MICRO_STEPS as u64;
                (Steps::Adaptive(Embedded { relative, absolute, limit, ..Embedded::new(order) }), true)
            }
        };
        let extras = Extras { estimate, dense: false };
        let inner = if method.to_f64().is_explicit() {
            Inner::Explicit(Explicit::with(method, system, extras)?)
        } else {
            Inner::Implicit(Implicit::with(method, system, extras)?)
        };
        Ok(Self { inner, steps })
    }

    /// Advances v over an interval.
    pub(super) fn solve<S: System + ?Sized>(&mut self, forced: &Forced<'_, S>, v: &mut [f64]) -> Result<(), StepError> {
        match &mut self.inner {
            Inner::Explicit(explicit) => {
                // The fast slope at the end of the previous interval equals that at the beginning of this one unless
                // there are drifts.
                let forgotten = forced.places.len() - usize::from(forced.is_simple);
                (0..forgotten).for_each(|partition| explicit.forget(partition));
                advance(explicit, &mut self.steps, forced, v)
            }
            Inner::Implicit(implicit) => advance(implicit, &mut self.steps, forced, v),
        }
    }
}

fn advance<'a, S: System + ?Sized>(
    stepper: &mut impl Stepper<Forced<'a, S>>,
    steps: &mut Steps,
    forced: &Forced<'a, S>,
    v: &mut [f64],
) -> Result<(), StepError> {
    let Forced { start, length, .. } = *forced;
    match steps {
        Steps::Equal(count) => {
            let h = length / *count as f64;
            (0..*count).try_for_each(|k| stepper.step(forced, start + k as f64 * h, h, v))
        }
        Steps::Adaptive(control) => {
            let mut largest = 0.0f64;
            let run = control.run(stepper, forced, [start, start + length], v, &mut |step| {
                largest = largest.max(step.h.abs());
                ControlFlow::Continue(())
            });
            // An interval covered in one step does not show how much longer the step could have been.
            let known = control.first.filter(|_| run.steps == 1 && run.rejected == 0).unwrap_or(0.0);
            control.first = Some(largest.max(known)).filter(|first| *first > 0.0);
            match run.outcome {
                Outcome::Finished => Ok(()),
                Outcome::Failed(error) => Err(error),
                _ => Err(StepError::MicroSteps { t: start, h: length }),
            }
        }
    }
}
