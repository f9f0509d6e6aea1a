//! Designs of dual-rate pairs.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use hemiola::design::findings::PairNumbers;
use hemiola::design::{
    Checkpoint, Compromise, Design, DesignError, DesignFile, Measure, Phase, Progress, Search, SearchShare, Start,
    SweepFile, TuningLimits, TuningProgress, pareto, tune,
};
use hemiola::models::Model;
use hemiola::study::StudyError;
use hemiola::study::training::{Training, TrainingRun};
use hemiola::tableau::Tableau;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{of_design, of_study, refused};
use crate::method::Core;
use crate::models::Equations;
use crate::running::watched;

/// Message for a checkpoint of a different search.
const OTHER: &str = "the checkpoint belongs to another design; expected a checkpoint of the same search";

/// A finished design.
#[derive(IntoPyObject)]
struct DesignResult {
    method: Core,
    certificate: String,
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

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Starts => "starts",
        Phase::Descents => "descents",
        Phase::Measured => "measured",
    }
}

/// A model on which a pair is measured: its name, the duration of the run, and the variables whose errors count.
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

/// Measure of a pair by runs of models.
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

/// Reports progress of reference solutions and whether to stop.
struct References<'a>(&'a AtomicBool);

impl hemiola::study::Progress for References<'_> {
    fn advance(&self, _tasks: usize) {}

    fn is_interrupted(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// Latest progress of a search, stored until the interpreter polls it.
#[derive(Default)]
struct LatestProgress(Mutex<Option<Progress>>);

impl LatestProgress {
    fn see(&self, at: Progress, stop: &AtomicBool) -> ControlFlow<()> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(at);
        if stop.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn tell(&self, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let latest = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (Some(progress), Some(at)) = (progress, latest) else { return Ok(()) };
        progress.call1((phase(at.phase), at.done, at.all, at.best)).map(|_| ())
    }
}

fn designed(design: Design) -> DesignResult {
    DesignResult {
        certificate: format!("{:#}\n", design.certificate.to_json()),
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

/// Runs a search. Returns the design, the checkpoint of the completed starts, and the exception that stopped it. With a
/// part K/N, only the starts of that share are tried, and no design is returned. In a hurry, the best of the completed
/// starts is used. A design for models is measured on them.
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
    let told = LatestProgress::default();
    let work = |stop: &Arc<AtomicBool>| -> Result<Option<Design>, Ending> {
        let see = |at: Progress| match told.see(at, stop) {
            ControlFlow::Continue(()) if hurried && at.phase == Phase::Starts => ControlFlow::Break(()),
            flow => flow,
        };
        if let Some(part) = part {
            search.run_part(part, see);
            return Ok(None);
        }
        let mut design = match &file.specification.made_for {
            None => search.run(see)?,
            Some(made_for) => {
                let references = References(stop);
                let run = |(model, name, end, variables): (Model, String, f64, Vec<usize>)| {
                    TrainingRun::new(model, &name, end, variables, &references)
                };
                let runs = measured.into_iter().map(run).collect::<Result<Vec<_>, _>>()?;
                search.run_for(&Runs(Training::new(runs, made_for.error)), see)?
            }
        };
        file.sign(&mut design)?;
        Ok(Some(design))
    };
    let (found, exception) = watched(py, threads, work, |_| told.tell(progress.as_ref()))?;
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
    let told = LatestProgress::default();
    let work = |stop: &Arc<AtomicBool>| -> Result<Vec<(DesignFile, Compromise)>, DesignError> {
        let front = pareto(&file.specification, points, &|at| told.see(at, stop))?;
        front.into_iter().enumerate().map(|(k, one)| file.compromise(points, k + 1, one)).collect()
    };
    let (found, exception) = watched(py, threads, work, |_| told.tell(progress.as_ref()))?;
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

/// Latest progress of an outer search, and its checkpoint.
#[derive(Default)]
struct TuneProgress {
    latest: Option<TuningProgress>,
    checkpoint: Vec<u8>,
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
    let told = LatestProgress::default();
    let outer = Arc::new(Mutex::new(TuneProgress { latest: None, checkpoint: checkpoint.unwrap_or_default() }));
    let heard = Arc::clone(&outer);
    let work = |stop: &Arc<AtomicBool>| {
        let (halt, begun) = (Arc::clone(stop), file.clone());
        let watch = move |tuned: TuningProgress, state: &[u8]| {
            let mut outer = heard.lock().unwrap_or_else(PoisonError::into_inner);
            outer.latest = Some(tuned);
            if !state.is_empty() {
                outer.checkpoint = begun.outer_search(tuning, state);
            }
            if halt.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        tune(&file.specification, tuning, earlier.as_deref(), &|at| told.see(at, stop), watch)
    };
    let tell = |_: Python<'_>| {
        told.tell(progress.as_ref())?;
        let latest = outer.lock().unwrap_or_else(PoisonError::into_inner).latest.take();
        let (Some(progress), Some(at)) = (&progress, latest) else { return Ok(()) };
        progress.call1(("tuning", at.done, iterations, at.best)).map(|_| ())
    };
    let (found, exception) = watched(py, threads, work, tell)?;
    let specification = match (found, &exception) {
        (Err(DesignError::NotFound { .. }), Some(_)) => file.specification.clone(),
        (found, _) => found.map_err(of_design)?,
    };
    let tuned = DesignFile { specification, ..file.clone() };
    let checkpoint = PyBytes::new(py, &outer.lock().unwrap_or_else(PoisonError::into_inner).checkpoint);
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

/// Returns numbers for comparisons of pairs: the principal error norm, and the limits of the fast partition on the
/// imaginary and the negative real axis.
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
    module.add_function(wrap_pyfunction!(pair_numbers, module)?)
}
