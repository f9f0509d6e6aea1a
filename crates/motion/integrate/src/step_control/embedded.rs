//! Adaptive steps by an embedded method's error estimate.
//!
//! E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I (1993), §II.4. The controller with
//! two errors is K. Gustafsson's (ACM TOMS 17, 1991); it prevents oscillation of steps that are limited by stability.

use crate::error::StepError;
use crate::problem::system::{System, dimension};
use crate::step_control::run::{Accepted, Observer, Outcome, Run};
use crate::step_control::span::Span;
use crate::steppers::stepper::Stepper;

/// Safety factor: ratio of a new step to the step that would just meet the tolerance.
const SAFETY: f64 = 0.9;
/// Smallest and largest ratio of a step to the previous one.
const CHANGES: [f64; 2] = [0.2, 5.0];
/// Exponents of the current and the previous error in Gustafsson's PI controller, times q + 1 for an estimate of order
/// q.
const EXPONENTS: [f64; 2] = [0.7, 0.4];

/// Adaptive steps by the error estimate of an embedded method.
///
/// The root mean square of the estimate over the variables, each relative to absolute + relative · max(|yₙ|, |yₙ₊₁|),
/// stays below one.
///
/// ```
/// use std::ops::ControlFlow;
/// use hemiola_integrate::{Embedded, Explicit, Extras, Outcome, System};
/// # struct Decay;
/// # impl System for Decay {
/// #     fn sizes(&self) -> &[usize] { &[1] }
/// #     fn rate(&self, _: usize, _: f64, y: &[f64], rate: &mut [f64]) { rate[0] = -y[0]; }
/// # }
/// let method = hemiola_tableau::library::method("dormand-prince-5").unwrap();
/// let mut stepper = Explicit::with(&method, &Decay, Extras { estimate: true, dense: false })?;
/// let control = Embedded { relative: 1e-8, absolute: 1e-10, ..Embedded::new(4) };
/// let mut y = [1.0];
/// let run = control.run(&mut stepper, &Decay, [0.0, 5.0], &mut y, &mut |_| ControlFlow::Continue(()));
/// assert_eq!(run.outcome, Outcome::Finished);
/// assert!((y[0] / f64::exp(-5.0) - 1.0).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Embedded {
    /// The lower of the orders of the method and the embedded method.
    pub order: usize,
    /// The relative tolerance.
    pub relative: f64,
    /// The absolute tolerance, which matters where variables are small.
    pub absolute: f64,
    /// The size of the first step; determined from the rates if `None`.
    pub first: Option<f64>,
    /// The smallest step allowed. The last step may be smaller.
    pub smallest: f64,
    /// The largest step allowed.
    pub largest: f64,
    /// The maximum number of attempted steps.
    pub limit: u64,
}

impl Embedded {
    /// Creates options for an estimate of order q: tolerances of 1e-6, steps of any size and at most a million of them.
    #[must_use]
    pub fn new(order: usize) -> Self {
        let tolerance = 1e-6;
        Self {
            order,
            relative: tolerance,
            absolute: tolerance,
            first: None,
            smallest: 0.0,
            largest: f64::INFINITY,
            limit: 1_000_000,
        }
    }

    /// Integrates from t₀ to t₁. On return y is the state at [`Run::t`].
    ///
    /// The run fails with [`StepError::NoEstimate`] if the stepper has no error estimate.
    pub fn run<S: System + ?Sized, T: Stepper<S> + ?Sized>(
        &self,
        stepper: &mut T,
        system: &S,
        span: [f64; 2],
        y: &mut [f64],
        observer: &mut Observer<'_>,
    ) -> Run {
        let (mut next, mut error) = (vec![0.0; y.len()], vec![0.0; y.len()]);
        let span = Span::new(span);
        let mut run = Run::at(span.start);
        if span.is_empty() {
            return run;
        }
        let mut h = span.first(self.first.unwrap_or_else(|| self.first_step(stepper, system, span, y)));
        let (mut before, mut was_rejected) = (1.0, false);
        let exponents = EXPONENTS.map(|exponent| exponent / (self.order + 1) as f64);
        while run.steps + run.rejected < self.limit {
            let (step, is_last) = span.fit(run.t, h.abs().min(self.largest).copysign(h));
            if !is_last && step.abs() < self.smallest || run.t + step == run.t {
                return run.ended(Outcome::StepTooSmall { h: step });
            }
            next.copy_from_slice(y);
            let made = stepper.step(system, run.t, step, &mut next);
            let excess = match made {
                Ok(()) if stepper.estimate(&mut error) => self.norm(&error, y, &next),
                Ok(()) => return run.ended(Outcome::Failed(StepError::NoEstimate)),
                Err(_) if span.can_shrink(run.t, step) => f64::INFINITY,
                Err(error) => return run.ended(Outcome::Failed(error)),
            };
            if excess > 1.0 {
                run.rejected += 1;
                was_rejected = true;
                let factor = SAFETY * excess.powf(-1.0 / (self.order + 1) as f64);
                h = step * factor.max(CHANGES[0]);
                continue;
            }
            y.copy_from_slice(&next);
            run.steps += 1;
            run.t = if is_last { span.end } else { run.t + step };
            let dense = |theta: f64, y: &mut [f64]| stepper.interpolate(theta, y);
            let stopped = observer(&Accepted { t: run.t, h: step, y, dense: &dense }).is_break();
            if stopped || is_last {
                return run.ended(if stopped { Outcome::Stopped } else { Outcome::Finished });
            }
            // A zero error must not make the previous-error factor of the next step vanish.
            let excess = excess.max(1e-10);
            let factor = SAFETY * excess.powf(-exponents[0]) * f64::powf(before, exponents[1]);
            // A larger step after a rejection would be rejected again.
            let largest = if was_rejected { 1.0 } else { CHANGES[1] };
            h = step * factor.clamp(CHANGES[0], largest);
            (before, was_rejected) = (excess, false);
        }
        run.ended(Outcome::TooManySteps { limit: self.limit })
    }

    /// Returns the root mean square of the scaled error, infinite in place of NaN.
    fn norm(&self, error: &[f64], y: &[f64], next: &[f64]) -> f64 {
        let scaled = error
            .iter()
            .zip(y.iter().zip(next))
            .map(|(error, (y, next))| error / (self.absolute + self.relative * y.abs().max(next.abs())));
        let norm = (scaled.map(|x| x * x).sum::<f64>() / error.len() as f64).sqrt();
        if norm.is_nan() { f64::INFINITY } else { norm }
    }

    /// Estimates a first step for which an Euler step and its error are small (Hairer, Nørsett & Wanner 1993, §II.4,
    /// algorithm 4.14).
    fn first_step<S: System + ?Sized, T: Stepper<S> + ?Sized>(
        &self,
        stepper: &mut T,
        system: &S,
        span: Span,
        y: &[f64],
    ) -> f64 {
        let n = dimension(system);
        let (mut here, mut there, mut euler) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        stepper.slope(system, span.start, y, &mut here);
        let [d0, d1] = [y, &here].map(|vector| self.norm(vector, y, y));
        let length = (span.end - span.start).abs();
        let h0 = if d0 < 1e-5 || d1 < 1e-5 { 1e-6 } else { 0.01 * d0 / d1 }.min(length);
        let h = span.first(h0);
        for i in 0..n {
            euler[i] = y[i] + h * here[i];
        }
        crate::problem::system::rates(system, span.start + h, &euler, &mut there);
        for (there, here) in there.iter_mut().zip(&here) {
            *there -= here;
        }
        let d2 = self.norm(&there, y, y) / h0;
        let steepest = d1.max(d2);
        let exponent = 1.0 / (self.order + 1) as f64;
        let h1 = if steepest <= 1e-15 { (h0 * 1e-3).max(1e-6) } else { (0.01 / steepest).powf(exponent) };
        (100.0 * h0).min(h1).min(length)
    }
}
