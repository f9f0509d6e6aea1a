//! Models of vehicles and test problems, machines, linear systems.

use std::path::Path;

use hemiola::integrate::System;
use hemiola::models::{self, Model, Output, Value, part_alone};
use hemiola::multibody::{Machine, MachineFileError, Mechanism};
use hemiola::stability::real_eigenvalues;
use num_complex::Complex64;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::errors::{of_method, refused};
use crate::integrate::{Control, EventArgument, RunResult, integrate_released};
use crate::running::released;
use crate::scheme::SchemeArgument;

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

/// Reads and builds the machine in a file.
fn mechanism(file: &str) -> PyResult<Mechanism> {
    let machine = Machine::read(Path::new(file)).map_err(|error| match error {
        MachineFileError::Text(error) => of_method(error),
        other => refused(other),
    })?;
    machine.build().map_err(|problem| refused(format!("{file}: {problem}")))
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
        let model = if Path::new(name).extension().is_some_and(|ending| ending == "json") {
            models::machine_with(mechanism(name)?, &values).map_err(refused)?
        } else {
            models::model_with(name, &values).map_err(refused)?
        };
        Ok(Self { model })
    }

    /// Creates the system y' = Jy with all variables initially one; slow variables are counted from 1.
    #[staticmethod]
    fn linear(jacobian: Vec<Vec<f64>>, slow: Vec<usize>) -> PyResult<Self> {
        Ok(Self { model: models::linear(&jacobian, &slow).map_err(refused)? })
    }

    /// Returns names and units of the outputs, which are functions of the state.
    fn outputs(&self) -> Vec<(String, &'static str)> {
        self.model.outputs().iter().map(|output: &Output| (output.name(), output.unit)).collect()
    }

    /// Computes the values of the outputs in a state.
    fn output_values<'py>(&self, py: Python<'py>, t: f64, y: Vec<f64>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.checked(&y)?;
        Ok(PyArray1::from_vec(py, self.model.output_values(t, &y)))
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

    /// Evaluates f(t, y).
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

    /// Evaluates ∂f/∂y.
    fn jacobian<'py>(&self, py: Python<'py>, t: f64, y: Vec<f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.checked(&y)?;
        Ok(PyArray2::from_vec2(py, &self.model.jacobian_at(t, &y))?)
    }

    /// Computes the eigenvalues of each part by itself, if they differ from those of its diagonal block: for models on meshes, those of
    /// a mesh of each width.
    fn parts_alone(&self, py: Python<'_>) -> PyResult<Option<Vec<Vec<Complex64>>>> {
        released(py, None, || {
            let partitions = 0..self.model.sizes().len();
            let parts: Option<Vec<Model>> = partitions.map(|partition| part_alone(&self.model, partition)).collect();
            let eigenvalues = |part: &Model| real_eigenvalues(&part.jacobian_at(0.0, &part.initial)).map_err(refused);
            parts.map(|parts| parts.iter().map(eigenvalues).collect()).transpose()
        })?
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
        scheme: SchemeArgument<'py>,
        y: Vec<f64>,
        span: [f64; 2],
        control: Control,
        events: Vec<EventArgument<'py>>,
    ) -> PyResult<RunResult<'py>> {
        self.checked(&y)?;
        let model = self.model.renewed();
        integrate_released(py, &scheme.integrator()?, &model, &y, span, &control, &events)
    }
}

#[pyfunction]
fn model_names() -> Vec<&'static str> {
    models::names().collect()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Equations>()?;
    module.add_function(wrap_pyfunction!(model_names, module)?)
}
