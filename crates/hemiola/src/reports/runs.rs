//! Integrations with what they cost and where they went, and the parts of a report.

use hemiola_integrate::{Counted, MethodMismatch, Observer, Outcome, Reference, Run, StepError};
use hemiola_models::Model;

use super::{Report, ReportError};

/// States at some times, the initial one first.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    pub(super) times: Vec<f64>,
    pub(super) states: Vec<Vec<f64>>,
}

impl Track {
    fn add(&mut self, t: f64, y: &[f64], spacing: f64) {
        if self.times.last().is_none_or(|last| t - last >= spacing) {
            self.times.push(t);
            self.states.push(y.to_vec());
        }
    }
}

/// An integration from a model's initial state.
#[derive(Clone, Debug)]
pub(super) struct Costed {
    /// How it went and ended.
    pub(super) run: Run,
    /// The last state.
    pub(super) y: Vec<f64>,
    /// How often the rates of each partition were evaluated.
    pub(super) evaluations: Vec<u64>,
    /// How often the Jacobian was evaluated.
    pub(super) jacobians: u64,
    /// The states that were kept.
    pub(super) track: Track,
}

/// Integrates a model as `go` says, and keeps states no nearer than `spacing`.
pub(super) fn integrate<'a>(
    model: &'a Model,
    spacing: f64,
    go: impl FnOnce(&Counted<&'a Model>, &mut [f64], &mut Observer<'_>) -> Result<Run, MethodMismatch>,
) -> Result<Costed, MethodMismatch> {
    let system = Counted::new(model);
    let (mut y, mut track) = (model.initial.clone(), Track::default());
    track.add(0.0, &y, spacing);
    let run = go(&system, &mut y, &mut |step| {
        track.add(step.t, step.y, spacing);
        std::ops::ControlFlow::Continue(())
    })?;
    Ok(Costed { run, y, evaluations: system.evaluations(), jacobians: system.jacobians(), track })
}

/// The solution at the end of a span, known or computed, with the way there.
pub(super) fn reference(model: &Model, end: f64, spacing: f64) -> Result<(Reference, Track), ReportError> {
    let mut track = Track::default();
    track.add(0.0, &model.initial, spacing);
    if model.exact(0.0).is_some() {
        let solution = |t| model.exact(t).unwrap_or_default();
        return Ok((Reference::exact(solution, [0.0, end], 1000), track));
    }
    let reference = Reference::computed(model, [0.0, end], &model.initial, &mut |step| {
        track.add(step.t, step.y, spacing);
        std::ops::ControlFlow::Continue(())
    });
    let reference = reference.map_err(|outcome| ReportError::NoReference { model: model.name, outcome })?;
    Ok((reference, track))
}

/// How a run ended, in few words.
pub(super) fn ending(run: &Run) -> String {
    match run.outcome {
        Outcome::Finished => "finished".to_owned(),
        Outcome::Failed(StepError::NotFinite { t, .. }) => format!("not finite after {t:.2} s"),
        Outcome::Failed(StepError::NotConverged { t, .. }) => format!("stages not found at {t:.2} s"),
        outcome => format!("{outcome:?}"),
    }
}

/// Parts of a report, one after the other.
pub(super) fn joined(parts: impl IntoIterator<Item = Report>) -> Report {
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
