//! Course and outcome of an integration.

use std::ops::ControlFlow;

use crate::error::StepError;
use crate::problem::system::System;
use crate::steppers::stepper::Stepper;

/// Outcome of an integration. Only [`Finished`](Self::Finished) gives a solution up to the end.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The end was reached.
    Finished,
    /// The observer stopped the integration.
    Stopped,
    /// The tolerance requires a step below the smallest allowed, or too small to change the time.
    StepTooSmall {
        /// The required step.
        h: f64,
    },
    /// The maximum number of steps was attempted.
    TooManySteps {
        /// The maximum number of steps.
        limit: u64,
    },
    /// A step failed.
    Failed(StepError),
    /// The end was reached, but the error is more than 10⁶ times the size of the solution.
    Unstable {
        /// The error, relative to the size of the solution.
        error: f64,
    },
}

/// Error, relative to the size of the solution, beyond which a result is none.
const ABSURD: f64 = 1e6;

impl Outcome {
    /// Returns the outcome of a run whose error at the end, relative to the size of the solution, is known.
    ///
    /// ```
    /// use hemiola_integrate::Outcome;
    /// assert_eq!(Outcome::Finished.judged(2.0), Outcome::Finished);
    /// assert_eq!(Outcome::Finished.judged(1e7), Outcome::Unstable { error: 1e7 });
    /// assert_eq!(Outcome::Stopped.judged(f64::INFINITY), Outcome::Stopped);
    /// ```
    #[must_use]
    pub fn judged(self, error: f64) -> Self {
        match self {
            Self::Finished if error.is_nan() || error > ABSURD => Self::Unstable { error },
            outcome => outcome,
        }
    }
}

/// The result of an integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// The outcome.
    pub outcome: Outcome,
    /// The time of the final state: the end of the last accepted step.
    pub t: f64,
    /// The number of accepted steps.
    pub steps: u64,
    /// The number of rejected steps.
    pub rejected: u64,
}

/// An accepted step, as passed to an observer.
pub struct Accepted<'a> {
    /// The time at the end of the step.
    pub t: f64,
    /// The step size.
    pub h: f64,
    /// The state at the end of the step.
    pub y: &'a [f64],
    pub(crate) dense: &'a dyn Fn(f64, &mut [f64]) -> bool,
}

impl Accepted<'_> {
    /// Writes the dense output at a time within the step. Returns false if the stepper has none.
    #[must_use]
    pub fn at(&self, t: f64, y: &mut [f64]) -> bool {
        (self.dense)(1.0 - (self.t - t) / self.h, y)
    }
}

/// Callback after each accepted step; `Break` stops the integration.
pub type Observer<'a> = dyn FnMut(&Accepted<'_>) -> ControlFlow<()> + 'a;

impl Run {
    /// Creates the record of a run about to begin.
    pub(crate) fn at(t: f64) -> Self {
        Self { outcome: Outcome::Finished, t, steps: 0, rejected: 0 }
    }

    pub(crate) fn ended(self, outcome: Outcome) -> Self {
        Self { outcome, ..self }
    }
}

/// Integrates from t₀ to t₁ in equal steps. On return y is the state at [`Run::t`].
///
/// With zero steps the outcome is [`Outcome::TooManySteps`] unless the interval is empty.
///
/// ```
/// use std::ops::ControlFlow;
/// use hemiola_integrate::{Explicit, Outcome, System, equal_steps};
/// # struct Decay;
/// # impl System for Decay {
/// #     fn sizes(&self) -> &[usize] { &[1] }
/// #     fn rate(&self, _: usize, _: f64, y: &[f64], rate: &mut [f64]) { rate[0] = -y[0]; }
/// # }
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap();
/// let mut y = [1.0];
/// let run = equal_steps(&mut Explicit::new(&rk4, &Decay)?, &Decay, [0.0, 2.0], 20, &mut y, &mut |_| ControlFlow::Continue(()));
/// assert_eq!((run.outcome, run.steps), (Outcome::Finished, 20));
/// assert!((y[0] - f64::exp(-2.0)).abs() < 2e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn equal_steps<S: System + ?Sized, T: Stepper<S> + ?Sized>(
    stepper: &mut T,
    system: &S,
    [start, end]: [f64; 2],
    steps: u64,
    y: &mut [f64],
    observer: &mut Observer<'_>,
) -> Run {
    let mut run = Run::at(start);
    if steps == 0 && start != end {
        return run.ended(Outcome::TooManySteps { limit: 0 });
    }
    // Times as products, since sums of steps would drift.
    let h = (end - start) / steps as f64;
    for k in 1..=steps {
        if let Err(error) = stepper.step(system, run.t, h, y) {
            return run.ended(Outcome::Failed(error));
        }
        run.t = if k == steps { end } else { start + k as f64 * h };
        run.steps = k;
        let dense = |theta: f64, y: &mut [f64]| stepper.interpolate(theta, y);
        if observer(&Accepted { t: run.t, h, y, dense: &dense }).is_break() {
            return run.ended(Outcome::Stopped);
        }
    }
    run
}
