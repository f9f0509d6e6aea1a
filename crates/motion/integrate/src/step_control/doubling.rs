//! Adaptive steps by step doubling.
//!
//! Every step is taken as a whole and in two halves. The difference estimates the error and, added to the result,
//! raises the order by one. W. H. Press, B. P. Flannery, S. A. Teukolsky, W. T. Vetterling, Numerical Recipes (1986),
//! §15.2; in C by H. Jack (1990) for RK4.

use std::ops::ControlFlow;

use crate::error::StepError;
use crate::problem::system::System;
use crate::step_control::run::{Accepted, Observer, Outcome, Run};
use crate::step_control::span::Span;
use crate::steppers::stepper::Stepper;

/// Safety factor: ratio of a new step to the step that would just meet the tolerance.
const SAFETY: f64 = 0.9;
/// Largest ratio of a step to the previous one.
const GROWTH: f64 = 4.0;
/// Smallest ratio of a repeated step to the rejected one.
const SHRINKAGE: f64 = 0.1;
/// Scale of a variable that is zero and at rest.
const TINY: f64 = 1e-30;

/// Adaptive steps by step doubling, with the error of each variable relative to |y| + |h y'| + [`least`](Self::least).
///
/// With h the step as first tried, ε the tolerance, Δ the largest scaled difference over ε and p the order, a step is
/// accepted if Δ ≤ 1. The next step is 0.9 h Δ^(−1/(p+1)), at most 4 h; a rejected step is repeated with 0.9 h
/// Δ^(−1/p).
///
/// ```
/// use std::ops::ControlFlow;
/// use hemiola_integrate::{Doubling, Explicit, Outcome, System};
/// # struct Decay;
/// # impl System for Decay {
/// #     fn sizes(&self) -> &[usize] { &[1] }
/// #     fn rate(&self, _: usize, _: f64, y: &[f64], rate: &mut [f64]) { rate[0] = -y[0]; }
/// # }
/// let rk4 = hemiola_tableau::library::method("rk4").unwrap();
/// let control = Doubling { tolerance: 1e-9, ..Doubling::new(4, 0.01) };
/// let mut y = [1.0];
/// let mut stepper = Explicit::new(&rk4, &Decay)?;
/// let run = control.run(&mut stepper, &Decay, [0.0, 5.0], &mut y, &mut |_| ControlFlow::Continue(()));
/// assert_eq!(run.outcome, Outcome::Finished);
/// assert!((y[0] / f64::exp(-5.0) - 1.0).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Doubling {
    /// The order p of the method.
    pub order: usize,
    /// The tolerance ε.
    pub tolerance: f64,
    /// Added to the scale of each variable. Without it, variables that are zero except for rounding make every step too
    /// small.
    pub least: f64,
    /// The size of the first step.
    pub first: f64,
    /// The smallest step allowed. The last step may be smaller.
    pub smallest: f64,
    /// The maximum number of attempted steps.
    pub limit: u64,
}

/// Storage for a step.
struct DoublingStorage {
    scale: Vec<f64>,
    whole: Vec<f64>,
    halves: Vec<f64>,
}

impl Doubling {
    /// Creates options for a method of order p with a given first step: a tolerance of 1e-6, no smallest step and at
    /// most a million steps.
    #[must_use]
    pub fn new(order: usize, first: f64) -> Self {
        Self { order, tolerance: 1e-6, least: 0.0, first, smallest: 0.0, limit: 1_000_000 }
    }

    /// Integrates from t₀ to t₁. On return y is the state at [`Run::t`].
    pub fn run<S: System + ?Sized, T: Stepper<S> + Clone>(
        &self,
        stepper: &mut T,
        system: &S,
        span: [f64; 2],
        y: &mut [f64],
        observer: &mut Observer<'_>,
    ) -> Run {
        self.run_scaled(stepper, system, span, y, None, observer)
    }

    /// Integrates like [`run`](Self::run), with the error of each variable relative to its known range over the whole
    /// run: Δ₀ = ε y_range (Jack 1990, D.4). A variable without a range does not limit the step.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use hemiola_integrate::{Doubling, Explicit, System};
    /// # struct Oscillator;
    /// # impl System for Oscillator {
    /// #     fn sizes(&self) -> &[usize] { &[2] }
    /// #     fn rate(&self, _: usize, _: f64, y: &[f64], rate: &mut [f64]) { (rate[0], rate[1]) = (y[1], -y[0]); }
    /// # }
    /// let rk4 = hemiola_tableau::library::method("rk4").unwrap();
    /// let control = Doubling { tolerance: 1e-8, ..Doubling::new(4, 0.1) };
    /// let mut steps = |ranges: Option<&[f64]>| {
    ///     let (mut y, mut stepper) = ([0.0, 1.0], Explicit::new(&rk4, &Oscillator)?);
    ///     let watch = &mut |_: &hemiola_integrate::Accepted<'_>| ControlFlow::Continue(());
    ///     Ok::<_, Box<dyn std::error::Error>>(match ranges {
    ///         Some(ranges) => control.run_with_ranges(&mut stepper, &Oscillator, [0.0, 20.0], &mut y, ranges, watch),
    ///         None => control.run(&mut stepper, &Oscillator, [0.0, 20.0], &mut y, watch),
    ///     }.steps)
    /// };
    /// // Both go through zero, where a range makes no step smaller.
    /// assert!(steps(Some(&[2.0, 2.0]))? < steps(None)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_with_ranges<S: System + ?Sized, T: Stepper<S> + Clone>(
        &self,
        stepper: &mut T,
        system: &S,
        span: [f64; 2],
        y: &mut [f64],
        ranges: &[f64],
        observer: &mut Observer<'_>,
    ) -> Run {
        self.run_scaled(stepper, system, span, y, Some(ranges), observer)
    }

    fn run_scaled<S: System + ?Sized, T: Stepper<S> + Clone>(
        &self,
        stepper: &mut T,
        system: &S,
        span: [f64; 2],
        y: &mut [f64],
        ranges: Option<&[f64]>,
        observer: &mut Observer<'_>,
    ) -> Run {
        let room = || vec![0.0; y.len()];
        let mut room = DoublingStorage { scale: room(), whole: room(), halves: room() };
        // A stepper remembers the slopes at one point, and the second half begins at another.
        let mut second = stepper.clone();
        let span = Span::new(span);
        let mut run = Run::at(span.start);
        if span.is_empty() {
            return run;
        }
        let (mut h, mut is_repeated) = (span.first(self.first), false);
        while run.steps + run.rejected < self.limit {
            let (step, is_last) = span.fit(run.t, h);
            if !is_last && step.abs() < self.smallest || run.t + step == run.t {
                return run.ended(Outcome::StepTooSmall { h: step });
            }
            // A repeated step keeps the scale of its first attempt.
            if !is_repeated {
                stepper.slope(system, run.t, y, &mut room.scale);
                for (k, (scale, y)) in room.scale.iter_mut().zip(&*y).enumerate() {
                    let range = ranges.map(|ranges| ranges.get(k).copied().unwrap_or(0.0));
                    *scale = match range {
                        // A variable that does not move has no error either.
                        Some(0.0) => f64::INFINITY,
                        Some(range) => range,
                        None => y.abs() + (h * *scale).abs() + self.least + TINY,
                    };
                }
            }
            let excess = match self.attempt(stepper, &mut second, system, [run.t, step], y, &mut room) {
                Ok(excess) => excess,
                // An overflow is far beyond the tolerance. A smaller step may also avoid other failures.
                Err(_) if span.can_shrink(run.t, step) => f64::INFINITY,
                Err(error) => return run.ended(Outcome::Failed(error)),
            };
            is_repeated = excess > 1.0;
            if is_repeated {
                run.rejected += 1;
                h = step * (SAFETY * excess.powf(-1.0 / self.order as f64)).max(SHRINKAGE);
                continue;
            }
            y.copy_from_slice(&room.halves);
            run.steps += 1;
            run.t = if is_last { span.end } else { run.t + step };
            let stopped = observer(&Accepted { t: run.t, h: step, y, dense: &|_, _| false }) == ControlFlow::Break(());
            if stopped || is_last {
                return run.ended(if stopped { Outcome::Stopped } else { Outcome::Finished });
            }
            h = step * (SAFETY * excess.powf(-1.0 / (self.order + 1) as f64)).min(GROWTH);
        }
        run.ended(Outcome::TooManySteps { limit: self.limit })
    }

    /// Takes the step whole and in halves, leaves the extrapolated state in `halves`, and returns Δ.
    fn attempt<S: System + ?Sized, T: Stepper<S>>(
        &self,
        stepper: &mut T,
        second: &mut T,
        system: &S,
        [t, h]: [f64; 2],
        y: &[f64],
        room: &mut DoublingStorage,
    ) -> Result<f64, StepError> {
        let DoublingStorage { scale, whole, halves } = room;
        whole.copy_from_slice(y);
        stepper.step(system, t, h, whole)?;
        halves.copy_from_slice(y);
        stepper.step(system, t, 0.5 * h, halves)?;
        second.step(system, t + 0.5 * h, 0.5 * h, halves)?;
        let gain = 1.0 / (f64::exp2(self.order as f64) - 1.0);
        let mut excess = 0.0f64;
        for ((whole, halves), scale) in whole.iter().zip(halves).zip(scale) {
            let difference = *halves - whole;
            let scaled = (difference / *scale).abs();
            excess = if scaled.is_nan() { f64::INFINITY } else { excess.max(scaled) };
            *halves += gain * difference;
        }
        let excess = excess / self.tolerance;
        // An invalid tolerance is never met.
        Ok(if excess >= 0.0 { excess } else { f64::INFINITY })
    }
}
