//! Optima as text and JSON.

use hemiola::optimize::sqp::Status;
use hemiola::optimize::{Grid, Optimum};
use serde::Serialize;

use crate::failure::Outcome;
use crate::output::text;
use crate::output::text::counted;

/// What is printed of an optimum. Missing numbers are `null`.
#[derive(Serialize)]
pub(crate) struct Report<'a> {
    problem: &'a str,
    method: &'a str,
    points: usize,
    steps: usize,
    status: &'static str,
    objective: f64,
    duration: f64,
    parameters: &'a [f64],
    violation: f64,
    residual: f64,
    iterations: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    times: Vec<f64>,
    states: &'a [Vec<f64>],
    controls: &'a [Vec<f64>],
    /// Of all constraints, in the order of the program: a warm start takes them.
    multipliers: &'a [f64],
}

impl<'a> Report<'a> {
    pub(crate) fn new(
        problem: &'a str,
        method: &'a str,
        grid: Grid,
        optimum: &'a Optimum,
        seconds: Option<f64>,
    ) -> Self {
        let best = &optimum.solution.best;
        Self {
            problem,
            method,
            points: grid.points,
            steps: grid.steps,
            status: optimum.solution.status.text(),
            objective: best.objective,
            duration: optimum.found.duration,
            parameters: &optimum.found.parameters,
            violation: best.violation,
            residual: best.residual,
            iterations: optimum.solution.iterations.len() - 1,
            seconds,
            times: optimum.fractions.iter().map(|fraction| fraction * optimum.found.duration).collect(),
            states: &optimum.found.states,
            controls: &optimum.found.controls,
            multipliers: &optimum.solution.multipliers,
        }
    }

    /// The entries of the page; `more` are those of the problem.
    pub(crate) fn page(&self, more: &[(&str, String)]) -> String {
        let mut entries = vec![
            ("problem", self.problem.to_owned()),
            ("method", format!("{}, {} from point to point", self.method, counted(self.steps, "step"))),
            ("grid", counted(self.points, "point")),
            ("status", format!("{}, after {}", self.status, counted(self.iterations, "iteration"))),
            ("objective", text::number(self.objective)),
            ("violation", format!("{:.1e}", self.violation)),
            ("residual", format!("{:.1e}", self.residual)),
        ];
        entries.extend(more.iter().map(|(name, value)| (*name, value.clone())));
        entries.extend(self.seconds.map(|seconds| ("time", format!("{seconds:.2} s"))));
        text::entries(&entries)
    }
}

/// One line for each grid point: the time, states and controls.
pub(crate) fn csv(optimum: &Optimum, states: &[String], controls: &[String]) -> String {
    let names: String = states.iter().chain(controls).map(quoted).collect();
    let mut text = format!("t{names}\n");
    for (k, fraction) in optimum.fractions.iter().enumerate() {
        let values = optimum.found.states[k].iter().chain(&optimum.found.controls[k]);
        let values: String = values.map(|value| format!(",{value}")).collect();
        text += &format!("{}{values}\n", fraction * optimum.found.duration);
    }
    text
}

/// A field of the header, after its comma; in quotes if it has one itself.
fn quoted(name: &String) -> String {
    if name.contains(',') { format!(",\"{name}\"") } else { format!(",{name}") }
}

/// What the status means for the exit code.
pub(crate) fn outcome(status: Status) -> Outcome {
    match status {
        Status::Optimal => Outcome::Done,
        Status::Interrupted => Outcome::Interrupted,
        _ => Outcome::CheckFailed,
    }
}
