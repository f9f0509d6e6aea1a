//! Runs of methods on systems: those of users, whose rates are Python functions or addresses of compiled ones, and models.

use std::cell::{Cell, RefCell};
use std::ops::{ControlFlow, Range};

use hemiola::integrate::{
    Accepted, AnyStepper, Doubling, Embedded, Extras, MethodMismatch, Outcome, Run, System, equal_steps,
};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::errors::refused;
use crate::method::Core;

/// A compiled function `void rate(double t, const double *y, double *rate)`; y holds all variables, slow ones first.
type Native = unsafe extern "C" fn(f64, *const f64, *mut f64);

/// How many steps a run without Python functions makes between looks for Ctrl-C.
const STEPS_BETWEEN_SIGNALS: u32 = 1024;

/// How steps are chosen.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Control {
    /// `equal`, `embedded` or `doubling`.
    kind: String,
    steps: u64,
    /// The order of the error estimate, or that of the method in step doubling.
    order: usize,
    relative: f64,
    absolute: f64,
    first: Option<f64>,
    smallest: f64,
    largest: f64,
    limit: u64,
    /// The times at which states are wanted; none stands for all steps.
    times: Option<Vec<f64>>,
    /// Fractions of each step at which states are kept for dense output.
    fractions: Vec<f64>,
}

/// What a run leaves.
#[derive(IntoPyObject)]
pub(crate) struct Kept<'py> {
    t: Bound<'py, PyArray1<f64>>,
    y: Bound<'py, PyArray2<f64>>,
    /// The ends of the steps, where dense output is wanted.
    ends: Bound<'py, PyArray1<f64>>,
    /// The states in them: steps, fractions, variables.
    inside: Bound<'py, PyArray3<f64>>,
    evaluations: Vec<u64>,
    steps: u64,
    rejected: u64,
    status: &'static str,
    message: String,
}

/// States as they come.
#[derive(Default)]
struct Track {
    times: Vec<f64>,
    states: Vec<f64>,
    ends: Vec<f64>,
    inside: Vec<f64>,
    /// How many of the wanted times have passed.
    passed: usize,
}

impl Track {
    fn add(&mut self, t: f64, y: &[f64]) {
        self.times.push(t);
        self.states.extend_from_slice(y);
    }

    fn see(&mut self, accepted: &Accepted<'_>, control: &Control, room: &mut [f64]) {
        match &control.times {
            None => self.add(accepted.t, accepted.y),
            Some(times) => {
                let forwards = accepted.h >= 0.0;
                while let Some(&t) = times.get(self.passed) {
                    if (forwards && t > accepted.t) || (!forwards && t < accepted.t) {
                        break;
                    }
                    self.passed += 1;
                    if t == accepted.t {
                        self.add(t, accepted.y);
                    } else if accepted.at(t, room) {
                        self.add(t, room);
                    }
                }
            }
        }
        if control.fractions.is_empty() {
            return;
        }
        self.ends.push(accepted.t);
        for fraction in &control.fractions {
            // Whether there is dense output was asked before the run.
            let _ = accepted.at(accepted.t - (1.0 - fraction) * accepted.h, room);
            self.inside.extend_from_slice(room);
        }
    }

    fn kept<'py>(
        self,
        py: Python<'py>,
        n: usize,
        control: &Control,
        run: &Run,
        evaluations: Vec<u64>,
    ) -> PyResult<Kept<'py>> {
        let (status, message) = ending(run);
        let steps = self.ends.len();
        Ok(Kept {
            y: PyArray1::from_vec(py, self.states).reshape([self.times.len(), n])?,
            t: PyArray1::from_vec(py, self.times),
            ends: PyArray1::from_vec(py, self.ends),
            inside: PyArray1::from_vec(py, self.inside).reshape([steps, control.fractions.len(), n])?,
            evaluations,
            steps: run.steps,
            rejected: run.rejected,
            status,
            message,
        })
    }
}

fn ending(run: &Run) -> (&'static str, String) {
    let t = run.t;
    match run.outcome {
        Outcome::Finished => ("finished", "the end was reached".to_owned()),
        Outcome::Stopped => ("stopped", format!("stopped at t = {t}")),
        Outcome::StepTooSmall { h } => {
            ("step too small", format!("at t = {t} the tolerance requires a step of {h:e}, smaller than is allowed"))
        }
        Outcome::TooManySteps { limit } => {
            ("too many steps", format!("the maximum of {limit} steps was reached at t = {t}"))
        }
        Outcome::Failed(error) => ("failed", error.to_string()),
        other => ("failed", format!("{other:?}")),
    }
}

/// The stepper that a control needs.
pub(crate) fn stepper(core: &Core, system: &impl System, control: &Control) -> Result<AnyStepper, MethodMismatch> {
    let extras = Extras {
        estimate: control.kind == "embedded",
        dense: control.times.is_some() || !control.fractions.is_empty(),
    };
    AnyStepper::new(&core.method, system, extras)
}

/// Runs a stepper from y; `goes_on` is asked after each step.
fn run(
    system: &impl System,
    mut stepper: AnyStepper,
    control: &Control,
    span: [f64; 2],
    y: &mut [f64],
    goes_on: &mut dyn FnMut() -> bool,
) -> (Run, Track) {
    let mut track = Track::default();
    let mut room = vec![0.0; y.len()];
    match &control.times {
        None => track.add(span[0], y),
        Some(times) => {
            while times.get(track.passed) == Some(&span[0]) {
                track.passed += 1;
                track.add(span[0], y);
            }
        }
    }
    let mut observer = |accepted: &Accepted<'_>| {
        track.see(accepted, control, &mut room);
        if goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let (relative, absolute) = (control.relative, control.absolute);
    let run = match control.kind.as_str() {
        "equal" => equal_steps(&mut stepper, system, span, control.steps, y, &mut observer),
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
            embedded.run(&mut stepper, system, span, y, &mut observer)
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
            doubling.run(&mut stepper, system, span, y, &mut observer)
        }
    };
    (run, track)
}

/// A system, with its evaluations counted.
struct Counted<'a, S> {
    system: &'a S,
    evaluations: RefCell<Vec<u64>>,
}

impl<'a, S: System> Counted<'a, S> {
    fn new(system: &'a S) -> Self {
        Self { system, evaluations: RefCell::new(vec![0; system.sizes().len()]) }
    }
}

impl<S: System> System for Counted<'_, S> {
    fn sizes(&self) -> &[usize] {
        self.system.sizes()
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        self.evaluations.borrow_mut()[partition] += 1;
        self.system.rate(partition, t, y, rate);
    }

    fn jacobian(&self, t: f64, y: &[f64], jacobian: &mut [f64]) {
        self.system.jacobian(t, y, jacobian);
    }
}

/// Runs a method on a system that needs no interpreter.
pub(crate) fn integrate_released<'py>(
    py: Python<'py>,
    core: &Core,
    system: &(impl System + Sync),
    y: &[f64],
    span: [f64; 2],
    control: &Control,
) -> PyResult<Kept<'py>> {
    let mut state = y.to_vec();
    let mut exception = None;
    let (found, track, evaluations) = py.detach(|| {
        let counted = Counted::new(system);
        let stepper = stepper(core, &counted, control).map_err(refused)?;
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
        let (found, track) = run(&counted, stepper, control, span, &mut state, &mut goes_on);
        Ok::<_, PyErr>((found, track, counted.evaluations.into_inner()))
    })?;
    match exception {
        Some(exception) => Err(exception),
        None => track.kept(py, y.len(), control, &found, evaluations),
    }
}

/// Compiled functions.
struct Compiled {
    sizes: Vec<usize>,
    rates: Vec<Native>,
}

impl System for Compiled {
    fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        // SAFETY: whoever gave the address says that it is such a function; y and rate have the lengths it was told.
        #[allow(unsafe_code, reason = "a call of a compiled function by its address")]
        unsafe {
            self.rates[partition](t, y.as_ptr(), rate.as_mut_ptr());
        }
    }
}

/// The rates of a partition.
enum Rate<'py> {
    Python(Bound<'py, PyAny>),
    Native(Native),
}

/// Functions some of which are Python's. The first exception ends the run; from then on rates are not numbers.
struct Interpreted<'py> {
    py: Python<'py>,
    sizes: Vec<usize>,
    ranges: Vec<Range<usize>>,
    rates: Vec<Rate<'py>>,
    /// Takes what a function returns, the partition and its size to an array of doubles of that size.
    convert: Bound<'py, PyAny>,
    exception: RefCell<Option<PyErr>>,
    has_failed: Cell<bool>,
}

impl Interpreted<'_> {
    fn call(&self, function: &Bound<'_, PyAny>, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) -> PyResult<()> {
        let part = |range: &Range<usize>| PyArray1::from_slice(self.py, &y[range.clone()]);
        let returned = match &self.ranges[..] {
            [one] => function.call1((t, part(one)))?,
            [slow, fast] => function.call1((t, part(slow), part(fast)))?,
            parts => {
                let states = pyo3::types::PyList::new(self.py, parts.iter().map(part))?;
                let arguments = std::iter::once(t.into_pyobject(self.py)?.into_any()).chain(states.iter());
                function.call1(pyo3::types::PyTuple::new(self.py, arguments.collect::<Vec<_>>())?)?
            }
        };
        let copied = returned.cast::<PyArray1<f64>>().ok().and_then(|array| {
            let values = array.try_readonly().ok()?;
            let values = values.as_slice().ok()?;
            (values.len() == rate.len()).then(|| rate.copy_from_slice(values))
        });
        if copied.is_none() {
            let array = self.convert.call1((returned, partition, rate.len()))?;
            rate.copy_from_slice(array.cast::<PyArray1<f64>>()?.readonly().as_slice()?);
        }
        Ok(())
    }
}

impl System for Interpreted<'_> {
    fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    fn rate(&self, partition: usize, t: f64, y: &[f64], rate: &mut [f64]) {
        if self.has_failed.get() {
            rate.fill(f64::NAN);
            return;
        }
        match &self.rates[partition] {
            Rate::Python(function) => {
                if let Err(error) = self.call(function, partition, t, y, rate) {
                    self.exception.replace(Some(error));
                    self.has_failed.set(true);
                    rate.fill(f64::NAN);
                }
            }
            // SAFETY: as for `Compiled`.
            #[allow(unsafe_code, reason = "a call of a compiled function by its address")]
            Rate::Native(function) => unsafe { function(t, y.as_ptr(), rate.as_mut_ptr()) },
        }
    }
}

/// The function at an address.
fn native(address: usize) -> PyResult<Native> {
    if address == 0 {
        return Err(refused("found the address 0; expected that of a compiled function"));
    }
    // SAFETY: whoever gave the address says that it is that of such a function.
    #[allow(unsafe_code, reason = "an address is all that ctypes and Numba know of a function")]
    Ok(unsafe { std::mem::transmute::<usize, Native>(address) })
}

/// Runs a method on a user's system. An entry of `rates` is a Python function or the address of a compiled one.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a system, its initial state, and how it is run")]
fn integrate<'py>(
    py: Python<'py>,
    core: &Core,
    rates: Vec<Bound<'py, PyAny>>,
    sizes: Vec<usize>,
    y: PyReadonlyArray1<'py, f64>,
    span: [f64; 2],
    control: Control,
    convert: Bound<'py, PyAny>,
) -> PyResult<Kept<'py>> {
    let y = y.as_slice()?;
    let rate = |rate: &Bound<'py, PyAny>| {
        let Ok(address) = rate.extract::<usize>() else { return Ok(Rate::Python(rate.clone())) };
        native(address).map(Rate::Native)
    };
    let rates = rates.iter().map(rate).collect::<PyResult<Vec<_>>>()?;
    let compiled: Vec<Native> = rates
        .iter()
        .filter_map(|rate| if let Rate::Native(function) = rate { Some(*function) } else { None })
        .collect();
    if compiled.len() == rates.len() {
        return integrate_released(py, core, &Compiled { sizes, rates: compiled }, y, span, &control);
    }
    let mut end = 0;
    let mut range = |size: &usize| {
        end += size;
        end - size..end
    };
    let ranges = sizes.iter().map(&mut range).collect();
    let exception = RefCell::new(None);
    let system = Interpreted { py, sizes, ranges, rates, convert, exception, has_failed: Cell::new(false) };
    let counted = Counted::new(&system);
    let stepper = stepper(core, &counted, &control).map_err(refused)?;
    let mut state = y.to_vec();
    let mut goes_on = || {
        !system.has_failed.get() && py.check_signals().map_err(|error| system.exception.replace(Some(error))).is_ok()
    };
    let (found, track) = run(&counted, stepper, &control, span, &mut state, &mut goes_on);
    match system.exception.take() {
        Some(exception) => Err(exception),
        None => track.kept(py, y.len(), &control, &found, counted.evaluations.into_inner()),
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(integrate, module)?)
}
