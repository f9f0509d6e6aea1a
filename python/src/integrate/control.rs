//! Step size control: selects the stepper and the steps of a run.

use hemiola::integrate::{
    AnyStepper, Doubling, Embedded, Extras, Integrator, MethodMismatch, Observer, Run, System, equal_steps,
};
use pyo3::prelude::*;

use crate::errors::refused;

/// Step size control.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Control {
    /// Kind of control: `equal`, `embedded` or `doubling`.
    kind: String,
    steps: u64,
    /// Order of the error estimate, or of the method in step doubling.
    order: usize,
    relative: f64,
    absolute: f64,
    first: Option<f64>,
    smallest: f64,
    largest: f64,
    limit: u64,
    /// Times for the output of states; `None` for all steps.
    pub(super) times: Option<Vec<f64>>,
    /// Fractions of each step at which states are recorded for dense output.
    pub(super) fractions: Vec<f64>,
}

/// Largest number of equal steps: more would take days, and rounding errors would dominate.
const MOST_STEPS: u64 = 1 << 40;
/// Largest number of values recorded in a run with equal steps: 800 MB.
const MOST_KEPT: u64 = 100_000_000;

impl Control {
    /// Checks the memory required for n variables before the first step.
    pub(super) fn check(&self, n: usize) -> PyResult<()> {
        if self.kind != "equal" {
            return Ok(());
        }
        if self.steps > MOST_STEPS {
            return Err(refused(format!("found {} steps; expected at most {MOST_STEPS}", self.steps)));
        }
        let n = n as u64;
        let in_steps = self.fractions.len() as u64 * n;
        let kept = (if self.times.is_none() { n + 1 } else { 0 }) + if in_steps > 0 { in_steps + 1 } else { 0 };
        if self.steps.saturating_mul(kept) > MOST_KEPT {
            let most = MOST_KEPT / kept;
            let steps = self.steps;
            return Err(refused(format!(
                "found {steps} steps, all of which are kept; expected at most {most}, or t_eval without dense_output"
            )));
        }
        Ok(())
    }
}

/// Creates the stepper for a control.
pub(super) fn stepper(
    integrator: &Integrator,
    system: &impl System,
    control: &Control,
    wants_events: bool,
) -> Result<AnyStepper, MethodMismatch> {
    let extras = Extras {
        estimate: control.kind == "embedded",
        dense: control.times.is_some() || !control.fractions.is_empty() || wants_events,
    };
    let tolerances = (control.kind != "equal").then_some([control.relative, control.absolute]);
    integrator.stepper(system, extras, tolerances)
}

/// Performs the steps from y with the given control.
pub(super) fn steps(
    system: &impl System,
    stepper: &mut AnyStepper,
    control: &Control,
    span: [f64; 2],
    y: &mut [f64],
    observer: &mut Observer<'_>,
) -> Run {
    let (relative, absolute) = (control.relative, control.absolute);
    match control.kind.as_str() {
        "equal" => equal_steps(stepper, system, span, control.steps, y, observer),
        "embedded" => {
            let embedded = Embedded {
                relative,
                absolute,
                first: control.first,
                smallest: control.smallest,
                largest: control.largest,
                limit: control.limit,
                ..Embedded::new(control.order)
            };
            embedded.run(stepper, system, span, y, observer)
        }
        _ => {
            let first = control.first.unwrap_or(1e-4 * (span[1] - span[0]).abs());
            let doubling = Doubling {
                tolerance: relative,
                least: absolute / relative,
                smallest: control.smallest,
                limit: control.limit,
                ..Doubling::new(control.order, first)
            };
            doubling.run(stepper, system, span, y, observer)
        }
    }
}
