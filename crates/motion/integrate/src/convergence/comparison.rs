//! Convergence and cost of methods: runs with equal steps, and searches for the fewest steps.

use std::collections::BTreeMap;

use hemiola_number::{Counter, Progress};

use crate::convergence::reference::Reference;
use crate::problem::counted::Counted;
use crate::problem::system::System;
use crate::step_control::run::{Outcome, equal_steps};
use crate::steppers::stepper::Stepper;

/// One run of a method with equal steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The number of steps.
    pub steps: u64,
    /// The outcome of the run.
    pub outcome: Outcome,
    /// The error at the end, infinite if the end was not reached.
    pub error: f64,
    /// The number of evaluations of each partition's rates.
    pub evaluations: Vec<u64>,
    /// The number of evaluations of the Jacobian.
    pub jacobians: u64,
}

/// A problem on which methods are compared: system, reference solution and the variables whose errors count.
///
/// ```
/// # use hemiola_integrate::{Comparison, Explicit, Reference, System};
/// # struct Decay;
/// # impl System for Decay {
/// #     fn sizes(&self) -> &[usize] { &[1] }
/// #     fn rate(&self, _: usize, _: f64, y: &[f64], rate: &mut [f64]) { rate[0] = -y[0]; }
/// # }
/// let span = [0.0, 1.0];
/// let reference = Reference::exact(|t| vec![f64::exp(-t)], span, 10);
/// let comparison = Comparison { system: &Decay, span, start: &[1.0], reference: &reference, variables: &[0] };
/// let rk4 = Explicit::new(&hemiola_tableau::library::method("rk4").unwrap(), &Decay)?;
/// let error = |steps| comparison.sample(&mut rk4.clone(), steps, &()).error;
/// assert!((f64::log2(error(10) / error(20)) - 4.0).abs() < 0.1);
/// # Ok::<(), hemiola_integrate::MethodMismatch>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a, S: ?Sized> {
    /// The system.
    pub system: &'a S,
    /// The interval from t₀ to t₁.
    pub span: [f64; 2],
    /// The state at t₀.
    pub start: &'a [f64],
    /// The reference solution.
    pub reference: &'a Reference,
    /// The variables whose errors count.
    pub variables: &'a [usize],
}

impl<'a, S: System + ?Sized> Comparison<'a, S> {
    /// Runs a method with equal steps and returns its error and cost. `progress` counts the steps, and can stop the run.
    pub fn sample<T: Stepper<Counted<&'a S>>>(&self, stepper: &mut T, steps: u64, progress: &dyn Progress) -> Sample {
        let counted = Counted::new(self.system);
        let mut y = self.start.to_vec();
        let counter = Counter::new(progress, "steps", usize::try_from(steps).ok());
        let run = equal_steps(stepper, &counted, self.span, steps, &mut y, &mut |_| counter.advance(1));
        let is_finished = run.outcome == Outcome::Finished;
        Sample {
            steps,
            outcome: run.outcome,
            error: if is_finished { self.reference.error(&y, self.variables) } else { f64::INFINITY },
            evaluations: counted.evaluations(),
            jacobians: counted.jacobians(),
        }
    }
}

/// Caches the results of `run` by the number of steps, so that repeated searches make each run only once.
///
/// ```
/// let mut made = 0;
/// let mut run = hemiola_integrate::cached_runs(|steps| { made += 1; 1.0 / steps as f64 });
/// let steps = hemiola_integrate::fewest_steps(&mut run, 1e-2, 1 << 20).unwrap();
/// assert!(run(steps) <= 1e-2);
/// drop(run);
/// let mut again = 0;
/// hemiola_integrate::fewest_steps(|steps| { again += 1; 1.0 / steps as f64 }, 1e-2, 1 << 20);
/// assert_eq!(made, again);
/// ```
pub fn cached_runs<R: Clone>(mut run: impl FnMut(u64) -> R) -> impl FnMut(u64) -> R {
    let mut made = BTreeMap::new();
    move |steps| made.entry(steps).or_insert_with(|| run(steps)).clone()
}

/// Finds the fewest equal steps, to one percent, with an error of at most `wanted`.
///
/// `error` returns the error for a number of steps; it is assumed to decrease roughly like a power of the number of
/// steps. Returns `None` if more than `limit` steps are needed.
///
/// ```
/// let steps = hemiola_integrate::fewest_steps(|steps| (steps as f64).powi(-2), 1e-6, 1 << 20);
/// assert!(steps.is_some_and(|steps| (1000..=1010).contains(&steps)));
/// ```
pub fn fewest_steps(mut error: impl FnMut(u64) -> f64, wanted: f64, limit: u64) -> Option<u64> {
    let (mut enough, mut small) = (1, error(1));
    let (mut too_few, mut large) = (0, f64::INFINITY);
    while exceeds(small, wanted) {
        (too_few, large) = (enough, small);
        enough *= 2;
        if enough > limit {
            return None;
        }
        small = error(enough);
    }
    Some(narrow_bracket([(too_few, large), (enough, small)], error, wanted))
}

/// Finds the fewest equal steps like [`fewest_steps`], for errors that decrease with a known order.
///
/// Once doubling the steps shows the order, the search jumps to the predicted number of steps, so that its runs take
/// fewer steps in total.
///
/// ```
/// let mut taken = 0;
/// let steps = hemiola_integrate::fewest_steps_of_order(|n| { taken += n; 3.0 * (n as f64).powi(-2) }, 2, 1e-8, 1 << 20);
/// assert!(steps.is_some_and(|steps| (17_320..=17_500).contains(&steps)) && taken < 90_000);
/// ```
pub fn fewest_steps_of_order(mut error: impl FnMut(u64) -> f64, order: usize, wanted: f64, limit: u64) -> Option<u64> {
    let predicted = |n: u64, found: f64| n as f64 * (found / wanted).powf(1.0 / order as f64);
    let (mut too_few, mut large) = (0, f64::INFINITY);
    let (mut n, mut found, mut shown) = (1, error(1), false);
    while exceeds(found, wanted) {
        let slope = (large / found).ln() / (n as f64 / too_few as f64).ln();
        shown = shown || found < SMALL && (slope - order as f64).abs() < NEAR;
        (too_few, large) = (n, found);
        // Aim slightly beyond the prediction: one more run then usually suffices.
        n = if shown { (1.004 * predicted(n, found)).ceil() as u64 } else { 2 * n }.max(n + 1);
        if n > limit {
            return None;
        }
        found = error(n);
    }
    Some(narrow_bracket([(too_few, large), (n, found)], error, wanted))
}

/// Largest error at which the order is expected to show.
const SMALL: f64 = 0.1;
/// Largest distance of an observed slope from the order at which the order counts as shown.
const NEAR: f64 = 0.2;

/// Narrows the bracket between too few and enough steps, each with its error, and returns the fewest that suffice.
fn narrow_bracket(
    [(mut too_few, mut large), (mut enough, mut small)]: [(u64, f64); 2],
    mut error: impl FnMut(u64) -> f64,
    wanted: f64,
) -> u64 {
    let width = |enough: u64| (enough / 100).max(1);
    let mut beyond = false;
    while enough - too_few > width(enough) {
        // Aim where the power law through both ends meets `wanted`, then slightly to one side: two runs bracket the
        // result.
        let part = ((large / wanted).ln() / (large / small).ln()).clamp(0.05, 0.95);
        let part = if part.is_nan() { 0.5 } else { part };
        let ratio = enough as f64 / too_few.max(1) as f64;
        let guess = too_few.max(1) as f64 * ratio.powf(part) * if beyond { 1.004 } else { 0.997 };
        let middle = (guess.round() as u64).clamp(too_few + 1, enough - 1);
        let found = error(middle);
        beyond = exceeds(found, wanted);
        if beyond {
            (too_few, large) = (middle, found);
        } else {
            (enough, small) = (middle, found);
        }
    }
    enough
}

/// Returns whether an error is too large; NaN always is.
fn exceeds(error: f64, wanted: f64) -> bool {
    error.is_nan() || error > wanted
}
