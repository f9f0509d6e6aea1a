//! Step size controls.

use hemiola_integrate::{Doubling, Embedded, Explicit, Extras, MethodMismatch, Observer, Outcome, Run, System};
use hemiola_models::Model;
use hemiola_tableau::{Method, library};

use crate::report::ReportError;
use crate::runs::{MeasuredRun, integrate};

/// First step of the listing.
pub(crate) const FIRST: f64 = 0.01 * 0.05;

/// Step size control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StepControl {
    /// Step doubling with a method of order four, restarted on each of a number of equal parts of the interval.
    Doubling { id: &'static str, samples: u32 },
    /// Embedded pair with the given order of its error estimate. The absolute tolerance is `scale` times the relative
    /// one.
    Pair { id: &'static str, order: usize, scale: f64 },
}

impl StepControl {
    /// Returns the control of the listing, called for a number of samples.
    pub(crate) fn listing(samples: u32) -> Self {
        Self::Doubling { id: "rk4", samples }
    }

    /// Integrates a model from its initial state with a tolerance, and records states at least `spacing` apart.
    pub(crate) fn run(self, model: &Model, end: f64, tolerance: f64, spacing: f64) -> Result<MeasuredRun, ReportError> {
        let (Self::Doubling { id, .. } | Self::Pair { id, .. }) = self;
        let method = library::method(id)?;
        let costed = integrate(model, spacing, |system, y, observer| match self {
            Self::Doubling { samples, .. } => {
                let control = Doubling { tolerance, ..Doubling::new(4, FIRST) };
                sampled(&control, &method, system, [end, f64::from(samples)], None, y, observer)
            }
            Self::Pair { order, scale, .. } => {
                let mut stepper = Explicit::with(&method, system, Extras { estimate: true, dense: false })?;
                let control = Embedded { relative: tolerance, absolute: tolerance * scale, ..Embedded::new(order) };
                Ok(control.run(&mut stepper, system, [0.0, end], y, observer))
            }
        })?;
        Ok(costed)
    }
}

/// Integrates with RK4 and errors relative to the ranges of the variables, called for a number of samples.
pub(crate) fn ranged(
    model: &Model,
    [end, samples]: [f64; 2],
    tolerance: f64,
    ranges: &[f64],
) -> Result<MeasuredRun, ReportError> {
    let method = library::method("rk4")?;
    let control = Doubling { tolerance, ..Doubling::new(4, FIRST) };
    Ok(integrate(model, 0.0, |system, y, observer| {
        sampled(&control, &method, system, [end, samples], Some(ranges), y, observer)
    })?)
}

/// Applies step doubling to each of the equal parts of the span in turn.
fn sampled<S: System>(
    control: &Doubling,
    method: &Method,
    system: &S,
    [end, samples]: [f64; 2],
    ranges: Option<&[f64]>,
    y: &mut [f64],
    observer: &mut Observer<'_>,
) -> Result<Run, MethodMismatch> {
    let mut stepper = Explicit::new(method, system)?;
    let mut whole = Run { outcome: Outcome::Finished, t: 0.0, steps: 0, rejected: 0 };
    let mut sample = 0.0;
    while sample < samples && whole.outcome == Outcome::Finished {
        let span = [sample, sample + 1.0].map(|k| end * k / samples);
        let run = match ranges {
            Some(ranges) => control.run_with_ranges(&mut stepper, system, span, y, ranges, observer),
            None => control.run(&mut stepper, system, span, y, observer),
        };
        whole = Run { steps: whole.steps + run.steps, rejected: whole.rejected + run.rejected, ..run };
        sample += 1.0;
    }
    Ok(whole)
}
