//! How errors fall with the step, and what they cost.

use std::ops::ControlFlow;

use crate::counted::Counted;
use crate::reference::Reference;
use crate::run::{Outcome, equal_steps};
use crate::stepper::Stepper;
use crate::system::System;

/// One run of a method with equal steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The number of steps.
    pub steps: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// The error at the end; infinite where that was not reached.
    pub error: f64,
    /// How often the rates of each partition were evaluated.
    pub evaluations: Vec<u64>,
    /// How often the Jacobian was evaluated.
    pub jacobians: u64,
}

/// Runs a method with so many equal steps and compares some variables at the end with a reference.
///
/// ```
/// # use hemiola_integrate::{Explicit, Reference, System, sample};
/// # struct Decay;
/// # impl System for Decay {
/// #     fn sizes(&self) -> &[usize] { &[1] }
/// #     fn rate(&self, _: usize, _: f64, y: &[f64], rate: &mut [f64]) { rate[0] = -y[0]; }
/// # }
/// let reference = Reference::exact(|t| vec![f64::exp(-t)], [0.0, 1.0], 10);
/// let rk4 = Explicit::new(&hemiola_tableau::library::method("rk4").unwrap(), &Decay)?;
/// let error = |steps| sample(&mut rk4.clone(), &Decay, [0.0, 1.0], &[1.0], &reference, &[0], steps).error;
/// assert!((f64::log2(error(10) / error(20)) - 4.0).abs() < 0.1);
/// # Ok::<(), hemiola_integrate::MethodMismatch>(())
/// ```
pub fn sample<'a, S: System + ?Sized, T: Stepper<Counted<&'a S>>>(
    stepper: &mut T,
    system: &'a S,
    span: [f64; 2],
    start: &[f64],
    reference: &Reference,
    variables: &[usize],
    steps: u64,
) -> Sample {
    let counted = Counted::new(system);
    let mut y = start.to_vec();
    let run = equal_steps(stepper, &counted, span, steps, &mut y, &mut |_| ControlFlow::Continue(()));
    let error = if run.outcome == Outcome::Finished { reference.error(&y, variables) } else { f64::INFINITY };
    Sample { steps, outcome: run.outcome, error, evaluations: counted.evaluations(), jacobians: counted.jacobians() }
}

/// The order that is observed: the slope of log error over log steps between the two last samples whose errors are small (below a
/// tenth of the scale) and well above what the reference is to be trusted; `None` where there are no two such samples.
#[must_use]
pub fn observed_order(samples: &[Sample], uncertainty: f64) -> Option<f64> {
    let shows = |sample: &&Sample| sample.error < 0.1 && sample.error > 20.0 * uncertainty;
    let shown: Vec<&Sample> = samples.iter().filter(shows).collect();
    let [.., coarse, fine] = shown[..] else { return None };
    Some((coarse.error / fine.error).ln() / (fine.steps as f64 / coarse.steps as f64).ln())
}

/// The fewest equal steps, to about one per cent, with which an error stays within `wanted`; errors are taken to fall with the steps.
/// `None` where more than `limit` were needed. `error` is the error of so many steps.
///
/// ```
/// let steps = hemiola_integrate::fewest_steps(|steps| (steps as f64).powi(-2), 1e-6, 1 << 20);
/// assert!(steps.is_some_and(|steps| (1000..=1010).contains(&steps)));
/// ```
pub fn fewest_steps(mut error: impl FnMut(u64) -> f64, wanted: f64, limit: u64) -> Option<u64> {
    let mut enough = 1;
    while error(enough) > wanted {
        enough *= 2;
        if enough > limit {
            return None;
        }
    }
    let mut too_few = enough / 2;
    while enough - too_few > (enough / 100).max(1) {
        let middle = too_few + (enough - too_few) / 2;
        if error(middle) > wanted {
            too_few = middle;
        } else {
            enough = middle;
        }
    }
    Some(enough)
}
