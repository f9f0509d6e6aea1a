//! Models of vehicles and test problems, and methods run on them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use hemiola::integrate::{Outcome, System};
use hemiola::models::{self, Model, Value};
use hemiola::study::Progress;
use hemiola::study::simulation::{PARTS, SimulatedRun, Simulation, Steps};
use hemiola::tableau::Scheme;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::errors::{of_study, refused};
use crate::integrate::{Control, Kept, Wanted, integrate_released};
use crate::method::Core;
use crate::running::watched;
use crate::scheme::Given;

/// Equations with slow and fast variables.
#[pyclass(frozen, module = "hemiola._hemiola", name = "Equations")]
pub(crate) struct Equations {
    pub(crate) model: Model,
}

#[derive(FromPyObject)]
enum Number {
    Value(f64),
    Word(String),
}

#[derive(IntoPyObject)]
struct Parameter {
    name: &'static str,
    meaning: &'static str,
    value: f64,
    unit: &'static str,
    source: &'static str,
}

impl Equations {
    fn checked(&self, y: &[f64]) -> PyResult<()> {
        let (found, expected) = (y.len(), self.model.initial.len());
        if found == expected {
            return Ok(());
        }
        Err(refused(format!("{}: found {found} variables; expected {expected}", self.model.name)))
    }
}

#[pymethods]
impl Equations {
    #[new]
    fn new(name: &str, changes: Vec<(String, Number)>) -> PyResult<Self> {
        let value = |(key, number): &(String, Number)| match number {
            Number::Value(value) => (key.clone(), Value::Number(*value)),
            Number::Word(_) => (key.clone(), Value::Number(f64::NAN)),
        };
        let mut values: Vec<(String, Value<'_>)> = changes.iter().map(value).collect();
        for ((_, value), (_, number)) in values.iter_mut().zip(&changes) {
            if let Number::Word(word) = number {
                *value = Value::Word(word);
            }
        }
        let values: Vec<(&str, Value<'_>)> = values.iter().map(|(key, value)| (key.as_str(), *value)).collect();
        Ok(Self { model: models::model_with(name, &values).map_err(refused)? })
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.model.name
    }

    #[getter]
    fn title(&self) -> &'static str {
        self.model.title
    }

    #[getter]
    fn variables(&self) -> Vec<(String, &'static str)> {
        self.model.variables.iter().map(|variable| (variable.name.clone(), variable.unit)).collect()
    }

    #[getter]
    fn parameters(&self) -> Vec<Parameter> {
        let parameter = |known: &models::Parameter| {
            let &models::Parameter { name, meaning, value, unit, source, .. } = known;
            Parameter { name, meaning, value, unit, source }
        };
        self.model.parameters.iter().map(parameter).collect()
    }

    #[getter]
    fn initial<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.model.initial)
    }

    #[getter]
    fn duration(&self) -> f64 {
        self.model.duration
    }

    #[getter]
    fn sizes(&self) -> Vec<usize> {
        self.model.sizes().to_vec()
    }

    /// f(t, y).
    fn rates<'py>(&self, py: Python<'py>, t: f64, y: Vec<f64>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.checked(&y)?;
        let mut rates = Vec::with_capacity(y.len());
        for (partition, &size) in self.model.sizes().iter().enumerate() {
            let mut rate = vec![0.0; size];
            self.model.rate(partition, t, &y, &mut rate);
            rates.extend(rate);
        }
        Ok(PyArray1::from_vec(py, rates))
    }

    /// ∂f/∂y.
    fn jacobian<'py>(&self, py: Python<'py>, t: f64, y: Vec<f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.checked(&y)?;
        Ok(PyArray2::from_vec2(py, &self.model.jacobian_at(t, &y))?)
    }

    fn exact<'py>(&self, py: Python<'py>, t: f64) -> Option<Bound<'py, PyArray1<f64>>> {
        self.model.exact(t).map(|y| PyArray1::from_vec(py, y))
    }

    fn energy(&self, t: f64, y: Vec<f64>) -> PyResult<Option<f64>> {
        self.checked(&y)?;
        Ok(self.model.energy(t, &y))
    }

    fn integrate<'py>(
        &self,
        py: Python<'py>,
        core: &Core,
        y: Vec<f64>,
        span: [f64; 2],
        control: Control,
        events: Vec<Wanted<'py>>,
    ) -> PyResult<Kept<'py>> {
        self.checked(&y)?;
        let model = self.model.renewed();
        integrate_released(py, core, &model, &y, span, &control, &events)
    }
}

/// A method's run, compared with a reference solution.
#[derive(IntoPyObject)]
struct Simulated<'py> {
    scheme: String,
    finished: bool,
    steps: u64,
    rejected: u64,
    evaluations: Vec<u64>,
    error: Option<f64>,
    energy: Option<f64>,
    seconds: Option<f64>,
    t: Bound<'py, PyArray1<f64>>,
    y: Bound<'py, PyArray2<f64>>,
}

/// Progress told to Python.
struct Told<'a> {
    stop: &'a AtomicBool,
    done: &'a AtomicUsize,
}

impl Progress for Told<'_> {
    fn advance(&self, tasks: usize) {
        self.done.fetch_add(tasks, Relaxed);
    }

    fn is_interrupted(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

/// Runs schemes on a model: `steps` equal ones, or adaptive ones with a tolerance.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of a simulation")]
fn simulate<'py>(
    py: Python<'py>,
    equations: &Equations,
    schemes: Vec<Given<'py>>,
    steps: Option<u64>,
    tolerance: f64,
    doubling: bool,
    end: f64,
    variables: Option<Vec<usize>>,
    keeps_all: bool,
    compare: bool,
    timed: bool,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Vec<Simulated<'py>>> {
    let count = equations.model.initial.len();
    if let Some(found) = variables.iter().flatten().find(|&&variable| variable >= count) {
        return Err(refused(format!("found variable {found}; expected 0 to {}", count - 1)));
    }
    let schemes: Vec<Scheme> = schemes.iter().map(Given::scheme).collect::<PyResult<_>>()?;
    let steps = steps.map_or(Steps::Adaptive { tolerance, doubling }, Steps::Equal);
    let model = &equations.model;
    let simulation = Simulation { model, name: model.name, steps, end, variables, keeps_all };
    let done = AtomicUsize::new(0);
    let all = PARTS * (schemes.len() + usize::from(compare));
    let tell = |_: Python<'_>| match &progress {
        Some(progress) => progress.call1((done.load(Relaxed), all)).map(|_| ()),
        None => Ok(()),
    };
    let (found, exception) = watched(
        py,
        threads,
        |stop| simulation.run(&schemes, compare, timed, &Told { stop, done: &done }).map_err(of_study),
        tell,
    )?;
    if let Some(exception) = exception {
        return Err(exception);
    }
    let row = |run: SimulatedRun| {
        Ok(Simulated {
            finished: run.run.outcome == Outcome::Finished,
            scheme: run.label,
            steps: run.run.steps,
            rejected: run.run.rejected,
            evaluations: run.evaluations,
            error: run.error,
            energy: run.energy,
            seconds: run.seconds,
            t: PyArray1::from_vec(py, run.track.times),
            y: PyArray2::from_vec2(py, &run.track.states)?,
        })
    };
    found?.runs.into_iter().map(row).collect()
}

#[pyfunction]
fn model_names() -> Vec<&'static str> {
    models::names().collect()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Equations>()?;
    module.add_function(wrap_pyfunction!(simulate, module)?)?;
    module.add_function(wrap_pyfunction!(model_names, module)?)
}
