//! The ways in which steps are chosen.

use hemiola_integrate::{Doubling, Embedded, Explicit, Extras, MethodMismatch, Observer, Outcome, Run, System};
use hemiola_models::Model;
use hemiola_tableau::{Method, library};

use crate::ReportError;
use crate::runs::{Costed, integrate};

/// The listing's first step.
pub(crate) const FIRST: f64 = 0.01 * 0.05;

/// What chooses the steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    /// Step doubling with a method of order four, restarted for each of a number of equal parts of the interval.
    Doubling { id: &'static str, samples: u32 },
    /// A pair with an estimate of an order, whose absolute tolerance is the relative one times a scale.
    Pair { id: &'static str, order: usize, scale: f64 },
}

impl Way {
    /// The listing's treatment of a model, called for a number of samples.
    pub(crate) fn listing(samples: u32) -> Self {
        Self::Doubling { id: "rk4", samples }
    }

    /// Integrates a model from its initial state with a tolerance, and keeps states no nearer than `spacing`.
    pub(crate) fn run(self, model: &Model, end: f64, tolerance: f64, spacing: f64) -> Result<Costed, ReportError> {
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

/// RK4 with errors relative to ranges of the variables, called for a number of samples.
pub(crate) fn ranged(
    model: &Model,
    [end, samples]: [f64; 2],
    tolerance: f64,
    ranges: &[f64],
) -> Result<Costed, ReportError> {
    let method = library::method("rk4")?;
    let control = Doubling { tolerance, ..Doubling::new(4, FIRST) };
    Ok(integrate(model, 0.0, |system, y, observer| {
        sampled(&control, &method, system, [end, samples], Some(ranges), y, observer)
    })?)
}

/// Step doubling, called for one equal part of the span after the other.
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
