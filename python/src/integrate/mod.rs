//! Integration of models and of user systems, whose rates are Python functions or addresses of compiled functions.
//!
//! `rates` contains user systems, `control` the choice of steps, `events` the event functions, and `track` the recorded
//! states of a run.

mod control;
mod events;
mod rates;
mod track;

use std::ops::ControlFlow;

use hemiola::integrate::{Accepted, AnyStepper, Counted, Integrator, Outcome, Run, System};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::errors::refused;
use crate::scheme::SchemeArgument;
use control::{stepper, steps};
use events::{Functions, Search};
use rates::{Compiled, Interpreted, Rate};
use track::Track;

pub(crate) use control::Control;
pub(crate) use events::EventArgument;
pub(crate) use track::RunResult;

/// Number of steps between checks for Ctrl-C in a run without Python functions.
const STEPS_BETWEEN_SIGNALS: u32 = 1024;

/// Runs a stepper from y; stops if `may_continue` returns false after a step.
fn run<'a>(
    system: &impl System,
    mut stepper: AnyStepper,
    control: &Control,
    span: [f64; 2],
    y: &mut [f64],
    functions: &'a Functions,
    goes_on: &mut dyn FnMut() -> bool,
) -> (Run, Track, Search<'a>) {
    let mut track = Track::new(span[0], y, control);
    let mut search = Search::new(functions, span[0], y);
    // If an event function has no value at the beginning, the search for events has failed.
    if search.has_failed() {
        let run = Run { outcome: Outcome::Stopped, t: span[0], steps: 0, rejected: 0 };
        return (run, track, search);
    }
    let mut room = vec![0.0; y.len()];
    let mut observer = |accepted: &Accepted<'_>| {
        let end = search.see(accepted);
        if search.has_failed() {
            return ControlFlow::Break(());
        }
        track.see(accepted, end.as_ref(), control, &mut room);
        if end.is_none() && goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let run = steps(system, &mut stepper, control, span, y, &mut observer);
    (run, track, search)
}

/// Runs a method on a system that does not need the interpreter. Event functions may need it, one call at a time.
pub(crate) fn integrate_released<'py>(
    py: Python<'py>,
    integrator: &Integrator,
    system: &(impl System + Sync),
    y: &[f64],
    span: [f64; 2],
    control: &Control,
    events: &[EventArgument<'py>],
) -> PyResult<RunResult<'py>> {
    control.check(y.len())?;
    let functions = Functions::new(events, system.sizes())?;
    let mut state = y.to_vec();
    let mut exception = None;
    let ended = py.detach(|| {
        let counted = Counted::new(system);
        let stepper = stepper(integrator, &counted, control, functions.are_some()).map_err(refused)?;
        let mut quiet = 0;
        let mut goes_on = || {
            quiet += 1;
            if quiet < STEPS_BETWEEN_SIGNALS {
                return true;
            }
            quiet = 0;
            exception = Python::attach(|py| py.check_signals().err());
            exception.is_none()
        };
        let (found, track, search) = run(&counted, stepper, control, span, &mut state, &functions, &mut goes_on);
        Ok::<_, PyErr>((found, track, search.found()?, counted.evaluations()))
    });
    if let Some(exception) = exception {
        return Err(exception);
    }
    let (found, track, zeros, evaluations) = ended?;
    track.kept(py, y.len(), control, &found, zeros, evaluations)
}

/// Runs a method on a user system. Each entry of `rates` and each event is a Python function or the address of a
/// compiled one.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a system, its initial state, and how it is run")]
fn integrate<'py>(
    py: Python<'py>,
    scheme: SchemeArgument<'py>,
    rates: Vec<Bound<'py, PyAny>>,
    sizes: Vec<usize>,
    y: PyReadonlyArray1<'py, f64>,
    span: [f64; 2],
    control: Control,
    events: Vec<EventArgument<'py>>,
    convert: Bound<'py, PyAny>,
) -> PyResult<RunResult<'py>> {
    let integrator = scheme.integrator()?;
    let y = y.as_slice()?;
    let rates = rates.iter().map(Rate::new).collect::<PyResult<Vec<_>>>()?;
    let compiled: Option<Vec<_>> = rates.iter().map(Rate::native).collect();
    if let Some(rates) = compiled {
        return integrate_released(py, &integrator, &Compiled { sizes, rates }, y, span, &control, &events);
    }
    control.check(y.len())?;
    let functions = Functions::new(&events, &sizes)?;
    let system = Interpreted::new(sizes, rates, convert);
    let counted = Counted::new(&system);
    let stepper = stepper(&integrator, &counted, &control, functions.are_some()).map_err(refused)?;
    let mut state = y.to_vec();
    let (found, track, search) =
        run(&counted, stepper, &control, span, &mut state, &functions, &mut || system.may_continue());
    let evaluations = counted.evaluations();
    let zeros = search.found();
    match system.exception() {
        Some(exception) => Err(exception),
        None => track.kept(py, y.len(), &control, &found, zeros?, evaluations),
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(integrate, module)?)
}
