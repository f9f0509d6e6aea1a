//! Studies of methods on models: simulations compared with a reference solution, and observed orders.

use hemiola::integrate::{Integrator, Outcome, Sample};
use hemiola::plot::{PrecisionCurve, precision_figure};
use hemiola::report::results::outcome_text;
use hemiola::study::convergence::{Convergence, ConvergenceSeries, RunLimits};
use hemiola::study::simulation::{SchemeRun, Simulation, StepChoice};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::errors::{of_study, refused};
use crate::models::Equations;
use crate::pictures::Picture;
use crate::running::{LatestUpdate, SharedProgress, watched};
use crate::scheme::SchemeArgument;

/// Run of a method, compared with a reference solution.
#[derive(IntoPyObject)]
struct Simulated<'py> {
    scheme: String,
    finished: bool,
    outcome: String,
    steps: u64,
    rejected: u64,
    evaluations: Vec<u64>,
    error: Option<f64>,
    energy: Option<f64>,
    seconds: Option<f64>,
    t: Bound<'py, PyArray1<f64>>,
    y: Bound<'py, PyArray2<f64>>,
}

/// Reports the number of completed tasks and the total to Python.
fn tell(progress: Option<&Bound<'_, PyAny>>, latest: &LatestUpdate) -> PyResult<()> {
    progress.map_or(Ok(()), |progress| progress.call1((latest.done, latest.total)).map(|_| ()))
}

/// Runs schemes on a model, with `steps` equal steps or with adaptive steps for a tolerance.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of a simulation")]
fn simulate<'py>(
    py: Python<'py>,
    equations: &Equations,
    schemes: Vec<SchemeArgument<'py>>,
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
    check_variables(equations, variables.as_deref().unwrap_or_default())?;
    let schemes: Vec<Integrator> = schemes.iter().map(SchemeArgument::integrator).collect::<PyResult<_>>()?;
    let steps = steps.map_or(StepChoice::Adaptive { tolerance, doubling }, StepChoice::Equal);
    let model = &equations.model;
    let simulation = Simulation { model, name: model.name, steps, end, variables, keeps_all };
    let (found, exception) = watched(
        py,
        threads,
        |shared| simulation.run(&schemes, compare, timed, shared).map_err(of_study),
        |latest| tell(progress.as_ref(), &latest),
    )?;
    if let Some(exception) = exception {
        return Err(exception);
    }
    let row = |run: SchemeRun| {
        Ok(Simulated {
            finished: run.run.outcome == Outcome::Finished,
            outcome: outcome_text(run.run.outcome, Some(run.run.t)),
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

fn check_variables(equations: &Equations, variables: &[usize]) -> PyResult<()> {
    let count = equations.model.initial.len();
    match variables.iter().find(|&&variable| variable >= count) {
        Some(found) => Err(refused(format!("variables: found {found}; expected 0 to {}", count - 1))),
        None => Ok(()),
    }
}

/// Runs of one scheme with increasing numbers of steps.
#[derive(IntoPyObject)]
struct Observed {
    scheme: String,
    claimed: Option<usize>,
    order: Option<f64>,
    steps: Vec<u64>,
    errors: Vec<f64>,
    evaluations: Vec<Vec<u64>>,
    /// Smallest number of steps that attains the requested error, and the error attained.
    wanted: Option<(u64, f64)>,
    /// Outcome of the last run if all results were not finite or no solutions.
    unstable: Option<String>,
}

fn observed(ladder: &ConvergenceSeries) -> Observed {
    let samples = || ladder.samples.iter();
    Observed {
        scheme: ladder.label.clone(),
        claimed: ladder.claimed,
        order: ladder.order,
        steps: samples().map(|sample| sample.steps).collect(),
        errors: samples().map(|sample| sample.error).collect(),
        evaluations: samples().map(|sample| sample.evaluations.clone()).collect(),
        wanted: ladder.wanted.as_ref().map(|sample: &Sample| (sample.steps, sample.error)),
        unstable: ladder.unstable.as_ref().map(|sample| outcome_text(sample.outcome, None)),
    }
}

/// Runs schemes on a model with increasing numbers of equal steps. Returns the uncertainty of the reference, the runs,
/// and a figure of errors over steps.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of a study")]
fn converge<'py>(
    py: Python<'py>,
    equations: &Equations,
    schemes: Vec<SchemeArgument<'py>>,
    end: f64,
    variables: Vec<usize>,
    wanted: Option<f64>,
    caps: (usize, u64, f64),
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<(f64, Vec<Observed>, Picture)> {
    check_variables(equations, &variables)?;
    let schemes: Vec<Integrator> = schemes.iter().map(SchemeArgument::integrator).collect::<PyResult<_>>()?;
    let (levels, most_steps, seconds) = caps;
    let model = &equations.model;
    let caps = RunLimits { levels: u32::try_from(levels).unwrap_or(u32::MAX), most_steps, seconds };
    let study = Convergence { model, name: model.name, end, variables, wanted, caps };
    let work = |shared: &SharedProgress| study.run(&schemes, shared).map_err(of_study);
    let (found, exception) = watched(py, threads, work, |latest| tell(progress.as_ref(), &latest))?;
    if let Some(exception) = exception {
        return Err(exception);
    }
    let found = found?;
    let curve = |ladder: &ConvergenceSeries| PrecisionCurve {
        label: ladder.label.clone(),
        points: ladder.samples.iter().map(|sample| [sample.steps as f64, sample.error]).collect(),
        order: ladder.order,
    };
    let curves: Vec<PrecisionCurve> = found.ladders.iter().map(curve).collect();
    let drawn = precision_figure("steps", &curves, wanted, &format!("Errors on {} over steps", model.title));
    Ok((found.reference.uncertainty, found.ladders.iter().map(observed).collect(), drawn.into()))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(simulate, module)?)?;
    module.add_function(wrap_pyfunction!(converge, module)?)
}
