//! Designs of dual-rate pairs, of families (`family`), and of SSP and low-storage methods (`special`).

mod family;
mod special;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use hemiola::atlas::wording;
use hemiola::design::findings::PairNumbers;
use hemiola::design::{
    Checkpoint, Compromise, Design, DesignError, DesignFile, Measure, STARTS, Search, SearchShare, Start, SweepFile,
    TuningLimits, pareto, tune,
};
use hemiola::models::Model;
use hemiola::number::{Counter, Progress, Update};
use hemiola::study::StudyError;
use hemiola::study::training::{Training, TrainingRun};
use hemiola::tableau::Tableau;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{of_design, of_study, refused};
use crate::method::Core;
use crate::models::Equations;
use crate::running::{LatestUpdate, SharedProgress, watched};

/// Message for a checkpoint of a different search.
const OTHER: &str = "the checkpoint belongs to another design; expected a checkpoint of the same search";

/// A finished design.
#[derive(IntoPyObject)]
struct DesignResult {
    method: Core,
    certificate: String,
    /// Statement that the certificate proves.
    proof: String,
    slow_stages: Vec<usize>,
    error_norm: f64,
    largest_coefficient: f64,
    tried: usize,
    solved: usize,
    interrupted: bool,
    converged: bool,
}

/// Id, text and order of a design file, with defaults for omitted values.
type DesignFileParts = (String, String, usize);

fn written(file: DesignFile) -> DesignFileParts {
    (file.id.clone(), file.to_json(), file.specification.order)
}

/// Parses a design file from a text; `origin` names it in errors.
#[pyfunction]
fn design_file(text: &str, origin: &str) -> PyResult<DesignFileParts> {
    DesignFile::from_json(text.as_bytes(), origin).map(written).map_err(of_design)
}

/// Reads the design file at a path.
#[pyfunction]
fn read_design_file(path: PathBuf) -> PyResult<DesignFileParts> {
    DesignFile::read(&path).map(written).map_err(of_design)
}

/// Labels and text of a design of a sweep.
type Labeled = (Vec<String>, String);

/// Returns the axes and the designs of a sweep file; `id` is the prefix of the design ids.
#[pyfunction]
fn sweep_designs(text: &str, id: &str, origin: &str) -> PyResult<(Vec<String>, Vec<Labeled>)> {
    let sweep = SweepFile::from_json(text.as_bytes(), id, origin).map_err(of_design)?;
    let designs = sweep.designs.into_iter().map(|one| (one.labels, one.file.to_json())).collect();
    Ok((sweep.axes, designs))
}

/// Returns the completed starts of a checkpoint, which must belong to this design.
fn starts(design: &DesignFile, checkpoint: Option<&str>) -> PyResult<Vec<Start>> {
    let Some(text) = checkpoint else { return Ok(Vec::new()) };
    let known = Checkpoint::from_json(text.as_bytes(), "the checkpoint").map_err(of_design)?;
    if known.design != *design {
        return Err(refused(OTHER));
    }
    Ok(known.done)
}

/// A model on which the errors of a pair are measured: its name, the duration of the run, and the variables that count.
type TrainingModel<'py> = (PyRef<'py, Equations>, String, f64, Vec<usize>);

/// Reason why a search ended without a result.
enum Ending {
    Design(DesignError),
    Study(StudyError),
}

impl From<DesignError> for Ending {
    fn from(error: DesignError) -> Self {
        Self::Design(error)
    }
}

impl From<StudyError> for Ending {
    fn from(error: StudyError) -> Self {
        Self::Study(error)
    }
}

impl From<Ending> for PyErr {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Design(error) => of_design(error),
            Ending::Study(error) => of_study(error),
        }
    }
}

/// Measures the errors of a pair in runs of models.
struct Runs(Training);

impl Measure for Runs {
    fn deviations(&self, tableau: &Tableau<f64>, step: f64) -> Option<Vec<f64>> {
        self.0.deviations(tableau, step)
    }

    fn growth(&self, tableau: &Tableau<f64>, step: f64) -> Option<Vec<f64>> {
        self.0.growth(tableau, step)
    }

    fn step_range(&self) -> [f64; 2] {
        self.0.step_range()
    }
}

/// Reports the phase, the completed and the total number of units, and the best value so far to Python.
fn tell(progress: Option<&Bound<'_, PyAny>>, latest: LatestUpdate) -> PyResult<()> {
    let Some(progress) = progress else { return Ok(()) };
    progress.call1((latest.phase, latest.done, latest.total, latest.value)).map(|_| ())
}

fn designed(design: Design) -> DesignResult {
    DesignResult {
        certificate: format!("{:#}\n", design.certificate.to_json()),
        proof: wording::certificate(&design.certificate),
        slow_stages: design.slow_stages,
        error_norm: design.error_norm,
        largest_coefficient: design.largest_coefficient,
        tried: design.tried,
        solved: design.solved,
        interrupted: design.interrupted,
        converged: design.converged,
        method: Core::new(design.method),
    }
}

/// Runs a search. Returns the design, the checkpoint of the completed starts, and the exception that stopped it. With a part K/N, only the
/// starts of that share are tried, and no design is returned. In a hurry, the best of the completed starts is used. The errors of a design
/// for models are measured on these models.
#[pyfunction]
#[pyo3(name = "design")]
#[expect(clippy::too_many_arguments, reason = "the options of a search")]
fn run_design<'py>(
    py: Python<'py>,
    text: &str,
    origin: &str,
    checkpoint: Option<&str>,
    part: Option<&str>,
    hurried: bool,
    measured: Vec<TrainingModel<'py>>,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<(Option<DesignResult>, String, Option<PyErr>)> {
    let file = DesignFile::from_json(text.as_bytes(), origin).map_err(of_design)?;
    let part: Option<SearchShare> = part.map(|part| part.parse().map_err(refused)).transpose()?;
    let search = Search::new(&file.specification, starts(&file, checkpoint)?).map_err(of_design)?;
    let measured: Vec<(Model, String, f64, Vec<usize>)> = (measured.into_iter())
        .map(|(equations, name, end, variables)| (equations.model.renewed(), name, end, variables))
        .collect();
    let work = |shared: &SharedProgress| -> Result<Option<Design>, Ending> {
        let see = |update: Update<'_>| match shared.report(update) {
            ControlFlow::Continue(()) if hurried && update.phase == STARTS => ControlFlow::Break(()),
            flow => flow,
        };
        if let Some(part) = part {
            search.run_part(part, &see);
            return Ok(None);
        }
        let mut design = match &file.specification.made_for {
            None => search.run(&see)?,
            Some(made_for) => {
                let counter = Counter::new(shared, "references", Some(measured.len()));
                let run = |(model, name, end, variables): (Model, String, f64, Vec<usize>)| {
                    let run = TrainingRun::new(model, &name, end, variables, &counter);
                    // The next run checks again whether to continue.
                    let _ = counter.advance(1);
                    run
                };
                let runs = measured.into_iter().map(run).collect::<Result<Vec<_>, _>>()?;
                search.run_for(&Runs(Training::new(runs, made_for.error)), &see)?
            }
        };
        file.sign(&mut design)?;
        Ok(Some(design))
    };
    let (found, exception) = watched(py, threads, work, |latest| tell(progress.as_ref(), latest))?;
    let checkpoint = Checkpoint { done: search.done(), design: file.clone() }.to_json();
    let found = match (found, &exception) {
        (Ok(design), _) => design,
        // Stopped before a design was found.
        (Err(Ending::Design(DesignError::NotFound { .. }) | Ending::Study(_)), Some(_)) => None,
        (Err(ending), _) => return Err(ending.into()),
    };
    Ok((found.map(designed), checkpoint, exception))
}

/// A pair on a Pareto front, with the text of its design file.
#[derive(IntoPyObject)]
struct ParetoPoint {
    file: String,
    emphasis: f64,
    error: f64,
    others: f64,
    design: DesignResult,
}

/// Computes the Pareto front of errors and all other terms; also returns the exception that stopped the search.
#[pyfunction]
#[pyo3(name = "pareto")]
fn run_pareto(
    py: Python<'_>,
    text: &str,
    points: usize,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(Vec<ParetoPoint>, Option<PyErr>)> {
    let file = DesignFile::from_json(text.as_bytes(), "the design").map_err(of_design)?;
    let work = |shared: &SharedProgress| -> Result<Vec<(DesignFile, Compromise)>, DesignError> {
        let front = pareto(&file.specification, points, shared)?;
        front.into_iter().enumerate().map(|(k, one)| file.compromise(points, k + 1, one)).collect()
    };
    let (found, exception) = watched(py, threads, work, |latest| tell(progress.as_ref(), latest))?;
    let row = |(file, one): (DesignFile, Compromise)| ParetoPoint {
        file: file.to_json(),
        emphasis: one.emphasis,
        error: one.error,
        others: one.others,
        design: designed(one.design),
    };
    let front = match (found, &exception) {
        // Stopped before a design was found.
        (Err(DesignError::NotFound { .. }), Some(_)) => Vec::new(),
        (found, _) => found.map_err(of_design)?,
    };
    Ok((front.into_iter().map(row).collect(), exception))
}

/// Searches for the damping and the profile that lead to the best coupled profile. Returns a design file, the
/// checkpoint, and the exception that stopped the search.
#[pyfunction]
#[pyo3(name = "tune")]
fn run_tune<'py>(
    py: Python<'py>,
    text: &str,
    price: f64,
    iterations: u64,
    checkpoint: Option<Vec<u8>>,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<(String, Bound<'py, PyBytes>, Option<PyErr>)> {
    let file = DesignFile::from_json(text.as_bytes(), "the design").map_err(of_design)?;
    let tuning = TuningLimits { price, iterations };
    let state = |bytes: &Vec<u8>| file.outer_state(tuning, bytes).map(<[u8]>::to_vec).ok_or_else(|| refused(OTHER));
    let earlier = checkpoint.as_ref().map(state).transpose()?;
    let latest = Mutex::new(checkpoint.unwrap_or_default());
    let work = |shared: &SharedProgress| {
        let save = |state: &[u8]| {
            *latest.lock().unwrap_or_else(PoisonError::into_inner) = file.outer_search(tuning, state);
        };
        tune(&file.specification, tuning, earlier.as_deref(), &save, shared)
    };
    let (found, exception) = watched(py, threads, work, |latest| tell(progress.as_ref(), latest))?;
    let specification = match (found, &exception) {
        (Err(DesignError::NotFound { .. }), Some(_)) => file.specification.clone(),
        (found, _) => found.map_err(of_design)?,
    };
    let tuned = DesignFile { specification, ..file.clone() };
    let checkpoint = PyBytes::new(py, &latest.into_inner().unwrap_or_else(PoisonError::into_inner));
    Ok((tuned.to_json(), checkpoint, exception))
}

/// Merges the checkpoints of the shares of a search. Starts completed in several shares must agree.
#[pyfunction]
fn merge_checkpoints(texts: Vec<String>) -> PyResult<String> {
    let mut design: Option<DesignFile> = None;
    let mut done: BTreeMap<usize, Start> = BTreeMap::new();
    for text in &texts {
        let share = Checkpoint::from_json(text.as_bytes(), "a share").map_err(of_design)?;
        if *design.get_or_insert_with(|| share.design.clone()) != share.design {
            return Err(refused("found shares of different designs; expected the same design, starts and seed"));
        }
        for start in share.done {
            let number = start.number;
            if done.insert(number, start.clone()).is_some_and(|known| known != start) {
                return Err(refused(format!(
                    "start {number} has different results in two shares; recompute one of them"
                )));
            }
        }
    }
    let design = design.ok_or_else(|| refused("found no share; expected at least 1"))?;
    Ok(Checkpoint { design, done: done.into_values().collect() }.to_json())
}

/// Returns quantities that compare pairs: the principal error norm, and the limits of the fast partition on the imaginary and the
/// negative real axis.
#[pyfunction]
fn pair_numbers(py: Python<'_>, core: &Core, order: usize) -> PyResult<(f64, [f64; 2])> {
    let numbers = py.detach(|| PairNumbers::new(&core.method, order)).map_err(of_design)?;
    Ok((numbers.error_norm, numbers.fast_limits))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(design_file, module)?)?;
    module.add_function(wrap_pyfunction!(read_design_file, module)?)?;
    module.add_function(wrap_pyfunction!(sweep_designs, module)?)?;
    module.add_function(wrap_pyfunction!(run_design, module)?)?;
    module.add_function(wrap_pyfunction!(run_pareto, module)?)?;
    module.add_function(wrap_pyfunction!(run_tune, module)?)?;
    module.add_function(wrap_pyfunction!(merge_checkpoints, module)?)?;
    module.add_function(wrap_pyfunction!(pair_numbers, module)?)?;
    family::register(module)?;
    special::register(module)
}
