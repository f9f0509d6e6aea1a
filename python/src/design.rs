//! Designs of dual-rate pairs.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use hemiola::design::findings::PairNumbers;
use hemiola::design::{Checkpoint, DesignError, DesignFile, Part, Phase, Progress, Search, Start};
use pyo3::prelude::*;

use crate::errors::{of_design, refused};
use crate::method::Core;
use crate::running::watched;

/// A finished design.
#[derive(IntoPyObject)]
struct Designed {
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

/// A design file as it is written: what is left out has its default.
#[pyfunction]
fn design_file(text: &str, origin: &str) -> PyResult<(String, String, usize)> {
    let file = DesignFile::from_json(text.as_bytes(), origin).map_err(of_design)?;
    Ok((file.id.clone(), file.to_json(), file.specification.order))
}

/// What a search has done, under the design that is asked for.
fn starts(design: &DesignFile, checkpoint: Option<&str>) -> PyResult<Vec<Start>> {
    let Some(text) = checkpoint else { return Ok(Vec::new()) };
    let known = Checkpoint::from_json(text.as_bytes(), "the checkpoint").map_err(of_design)?;
    if known.design != *design {
        return Err(refused(
            "the checkpoint belongs to another design; expected one of the same design, starts and seed",
        ));
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

/// Searches. Returns the design, the checkpoint of the starts that are done, and the exception that stopped it; with a part K/N
/// it tries the starts of that share alone, and returns no design.
#[pyfunction]
#[pyo3(name = "design")]
fn run_design(
    py: Python<'_>,
    text: &str,
    origin: &str,
    checkpoint: Option<&str>,
    part: Option<&str>,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(Option<Designed>, String, Option<PyErr>)> {
    let file = DesignFile::from_json(text.as_bytes(), origin).map_err(of_design)?;
    if file.specification.made_for.is_some() {
        return Err(refused(format!(
            "{origin}: found \"for\"; pairs made to measure are designed by the command line"
        )));
    }
    let part: Option<Part> = part.map(|part| part.parse().map_err(refused)).transpose()?;
    let search = Search::new(&file.specification, starts(&file, checkpoint)?).map_err(of_design)?;
    let seen: Mutex<Option<Progress>> = Mutex::new(None);
    let tell = |_: Python<'_>| {
        let Some(progress) = &progress else { return Ok(()) };
        let latest = seen.lock().unwrap_or_else(PoisonError::into_inner).take();
        match latest {
            Some(at) => progress.call1((phase(at.phase), at.done, at.all, at.best)).map(|_| ()),
            None => Ok(()),
        }
    };
    let work = |stop: &AtomicBool| {
        let see = |at: Progress| {
            *seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(at);
            if stop.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        match part {
            Some(part) => {
                search.run_part(part, see);
                Ok(None)
            }
            None => {
                let mut design = search.run(see)?;
                file.sign(&mut design)?;
                Ok::<_, DesignError>(Some(design))
            }
        }
    };
    let (found, exception) = watched(py, threads, work, tell)?;
    let checkpoint = Checkpoint { done: search.done(), design: file.clone() }.to_json();
    let designed = match (found, &exception) {
        (Ok(design), _) => design,
        // Stopped before anything was found.
        (Err(DesignError::NotFound { .. }), Some(_)) => None,
        (Err(error), _) => return Err(of_design(error)),
    };
    let designed = designed.map(|design| Designed {
        certificate: format!("{:#}\n", design.certificate.to_json()),
        slow_stages: design.slow_stages,
        error_norm: design.error_norm,
        largest_coefficient: design.largest_coefficient,
        tried: design.tried,
        solved: design.solved,
        interrupted: design.interrupted,
        converged: design.converged,
        method: Core::new(design.method),
    });
    Ok((designed, checkpoint, exception))
}

/// One search out of its shares' checkpoints; starts that several shares have done must agree.
#[pyfunction]
fn merge_checkpoints(texts: Vec<String>) -> PyResult<String> {
    let mut whole: Option<Checkpoint> = None;
    for text in &texts {
        let share = Checkpoint::from_json(text.as_bytes(), "a share").map_err(of_design)?;
        let Some(merged) = &mut whole else {
            whole = Some(share);
            continue;
        };
        if merged.design != share.design {
            return Err(refused("found shares of different designs; expected the same design, starts and seed"));
        }
        for start in share.done {
            match merged.done.iter().find(|known| known.number == start.number) {
                None => merged.done.push(start),
                Some(known) if *known == start => {}
                Some(_) => {
                    return Err(refused(format!(
                        "start {} has different results in two shares; repeat one of them",
                        start.number
                    )));
                }
            }
        }
    }
    let mut merged = whole.ok_or_else(|| refused("found no share; expected at least 1"))?;
    merged.done.sort_by_key(|start| start.number);
    Ok(merged.to_json())
}

/// What comparisons of pairs show: the principal error norm, and the limits of the fast partition on the imaginary and the negative
/// real axis.
#[pyfunction]
fn pair_numbers(py: Python<'_>, core: &Core, order: usize) -> PyResult<(f64, [f64; 2])> {
    let numbers = py.detach(|| PairNumbers::new(&core.method, order)).map_err(of_design)?;
    Ok((numbers.error_norm, numbers.fast_limits))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(design_file, module)?)?;
    module.add_function(wrap_pyfunction!(run_design, module)?)?;
    module.add_function(wrap_pyfunction!(merge_checkpoints, module)?)?;
    module.add_function(wrap_pyfunction!(pair_numbers, module)?)
}
