//! Integrations with their cost and trajectory, and assembly of reports.

use hemiola_integrate::{Counted, MethodMismatch, Observer, Outcome, Reference, Run, StepError, Track};
use hemiola_models::Model;
use rayon::prelude::*;

use crate::report::{Report, ReportError};

/// Result and cost of an integration from a model's initial state.
#[derive(Clone, Debug)]
pub(crate) struct MeasuredRun {
    /// Statistics and outcome of the run.
    pub(crate) run: Run,
    /// Final state.
    pub(crate) y: Vec<f64>,
    /// Number of evaluations of the rates of each partition.
    pub(crate) evaluations: Vec<u64>,
    /// Number of evaluations of the Jacobian.
    pub(crate) jacobians: u64,
    /// Recorded states.
    pub(crate) track: Track,
}

/// Integrates a model with the driver `go` and records states at least `spacing` apart.
pub(crate) fn integrate<'a>(
    model: &'a Model,
    spacing: f64,
    go: impl FnOnce(&Counted<&'a Model>, &mut [f64], &mut Observer<'_>) -> Result<Run, MethodMismatch>,
) -> Result<MeasuredRun, MethodMismatch> {
    let system = Counted::new(model);
    let (mut y, mut track) = (model.initial.clone(), Track::new(spacing));
    track.add(0.0, &y);
    let run = go(&system, &mut y, &mut |step| {
        track.add(step.t, step.y);
        std::ops::ControlFlow::Continue(())
    })?;
    Ok(MeasuredRun { run, y, evaluations: system.evaluations(), jacobians: system.jacobians(), track })
}

/// Returns the exact or computed solution at the end of a span, with its trajectory.
pub(crate) fn reference(model: &Model, end: f64, spacing: f64) -> Result<(Reference, Track), ReportError> {
    model.reference(end, spacing, &()).map_err(|outcome| ReportError::NoReference { model: model.name, outcome })
}

/// Computes the solution at the end of a span with a local error of about `tolerance` per step.
pub(crate) fn reference_to(tolerance: f64, model: &Model, end: f64) -> Result<Reference, ReportError> {
    let found = model.reference_to(tolerance, end, end, &());
    found.map(|(found, _)| found).map_err(|outcome| ReportError::NoReference { model: model.name, outcome })
}

/// Describes the outcome of a run in a few words.
pub(crate) fn describe_outcome(run: &Run) -> String {
    match run.outcome {
        Outcome::Finished => "finished".to_owned(),
        Outcome::Failed(StepError::NotFinite { t, .. }) => format!("not finite after {t:.2} s"),
        Outcome::Failed(StepError::NotConverged { t, .. }) => format!("stages not found at {t:.2} s"),
        outcome => format!("{outcome:?}"),
    }
}

/// Generator of an independent section of a report.
pub(crate) type Section<'a> = &'a (dyn Fn() -> Result<Report, ReportError> + Sync);

/// Assembles a head and sections, which are computed in parallel.
pub(crate) fn with_sections(head: &str, sections: &[Section<'_>]) -> Result<Report, ReportError> {
    let sections = sections.par_iter().map(|section| section()).collect::<Result<Vec<_>, _>>()?;
    Ok(joined(std::iter::once(Report { text: head.to_owned(), figures: Vec::new() }).chain(sections)))
}

/// Concatenates parts of a report.
pub(crate) fn joined(parts: impl IntoIterator<Item = Report>) -> Report {
    let mut whole = Report { text: String::new(), figures: Vec::new() };
    for part in parts {
        if !whole.text.is_empty() {
            whole.text.push('\n');
        }
        whole.text += &part.text;
        whole.figures.extend(part.figures);
    }
    whole
}
