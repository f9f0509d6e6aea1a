//! Recorded states of a run: at steps or requested times, inside steps for dense output, and at zeros of events.

use hemiola::integrate::{Accepted, Outcome, Run, Zero};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use super::control::Control;
use super::events::EventResult;

/// Results of a run.
#[derive(IntoPyObject)]
pub(crate) struct RunResult<'py> {
    t: Bound<'py, PyArray1<f64>>,
    y: Bound<'py, PyArray2<f64>>,
    /// Ends of the steps, if dense output is requested.
    ends: Bound<'py, PyArray1<f64>>,
    /// States inside the steps: steps, fractions, variables.
    inside: Bound<'py, PyArray3<f64>>,
    /// Times of the zeros of each event, and the states there.
    t_events: Vec<Bound<'py, PyArray1<f64>>>,
    y_events: Vec<Bound<'py, PyArray2<f64>>>,
    evaluations: Vec<u64>,
    steps: u64,
    rejected: u64,
    status: &'static str,
    message: String,
}

/// Recorder of states.
pub(super) struct Track {
    /// The end of the last step.
    last: f64,
    times: Vec<f64>,
    states: Vec<f64>,
    ends: Vec<f64>,
    inside: Vec<f64>,
    /// Number of requested times that have passed.
    passed: usize,
}

impl Track {
    /// Starts with the initial state, if it is requested.
    pub(super) fn new(t: f64, y: &[f64], control: &Control) -> Self {
        let none = Vec::new;
        let mut track = Self { last: t, times: none(), states: none(), ends: none(), inside: none(), passed: 0 };
        match &control.times {
            None => track.add(t, y),
            Some(times) => {
                while times.get(track.passed) == Some(&t) {
                    track.passed += 1;
                    track.add(t, y);
                }
            }
        }
        track
    }

    fn add(&mut self, t: f64, y: &[f64]) {
        self.times.push(t);
        self.states.extend_from_slice(y);
    }

    /// Records a step, up to the zero of an event that ends the run.
    pub(super) fn see(&mut self, accepted: &Accepted<'_>, end: Option<&Zero>, control: &Control, room: &mut [f64]) {
        let (t, y) = end.map_or((accepted.t, accepted.y), |zero| (zero.t, &zero.y[..]));
        match &control.times {
            None if t == self.last => {}
            None => self.add(t, y),
            Some(times) => self.see_wanted(accepted, (t, y), times, room),
        }
        if !control.fractions.is_empty() && t != self.last {
            self.ends.push(t);
            for fraction in &control.fractions {
                // Cannot fail: the availability of dense output was checked before the run.
                let _ = accepted.at(t - (1.0 - fraction) * (t - self.last), room);
                self.inside.extend_from_slice(room);
            }
        }
        self.last = t;
    }

    /// Records the states at the requested times in a step that ends at t.
    fn see_wanted(&mut self, accepted: &Accepted<'_>, (t, y): (f64, &[f64]), times: &[f64], room: &mut [f64]) {
        let is_forward = accepted.h >= 0.0;
        while let Some(&wanted) = times.get(self.passed) {
            if (is_forward && wanted > t) || (!is_forward && wanted < t) {
                break;
            }
            self.passed += 1;
            if wanted == t {
                self.add(t, y);
            } else if accepted.at(wanted, room) {
                self.add(wanted, room);
            }
        }
    }

    pub(super) fn kept<'py>(
        self,
        py: Python<'py>,
        n: usize,
        control: &Control,
        run: &Run,
        found: EventResult,
        evaluations: Vec<u64>,
    ) -> PyResult<RunResult<'py>> {
        let (status, message) = match found.ending {
            Some(t) => ("event", format!("an event ended the run at t = {t}")),
            None => ending(run),
        };
        let steps = self.ends.len();
        let (mut t_events, mut y_events) = (Vec::new(), Vec::new());
        for zeros in &found.zeros {
            let states: Vec<f64> = zeros.iter().flat_map(|zero| zero.y.iter().copied()).collect();
            t_events.push(PyArray1::from_iter(py, zeros.iter().map(|zero| zero.t)));
            y_events.push(PyArray1::from_vec(py, states).reshape([zeros.len(), n])?);
        }
        Ok(RunResult {
            y: PyArray1::from_vec(py, self.states).reshape([self.times.len(), n])?,
            t: PyArray1::from_vec(py, self.times),
            ends: PyArray1::from_vec(py, self.ends),
            inside: PyArray1::from_vec(py, self.inside).reshape([steps, control.fractions.len(), n])?,
            t_events,
            y_events,
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
        Outcome::Finished => ("finished", "the end of the interval was reached".to_owned()),
        Outcome::Stopped => ("stopped", format!("stopped at t = {t}")),
        Outcome::StepTooSmall { h } => (
            "step too small",
            format!("at t = {t} the tolerance requires a step of {h:e}, which is smaller than allowed"),
        ),
        Outcome::TooManySteps { limit } => {
            ("too many steps", format!("the maximum of {limit} steps was reached at t = {t}"))
        }
        Outcome::Failed(error) => ("failed", error.to_string()),
        other => ("failed", format!("{other:?}")),
    }
}
