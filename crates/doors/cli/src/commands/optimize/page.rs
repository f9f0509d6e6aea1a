//! Optima as text and JSON.

use hemiola::optimize::sqp::Status;
use hemiola::optimize::{ControlGrid, ControlOptimum, Ringing};
use serde::Serialize;

use crate::failure::CommandOutcome;
use crate::output::text::{self, counted};

/// Printed results of an optimum. Missing numbers are `null`.
#[derive(Serialize)]
pub(crate) struct Report<'a> {
    problem: &'a str,
    method: &'a str,
    points: usize,
    steps: usize,
    /// Shape of the control between grid points.
    control: &'static str,
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
    /// Intervals in which controls alternate from point to point; empty if the grid resolves them.
    ringing: Vec<RingingInterval<'a>>,
    /// Orders of the active state constraints.
    constraint_orders: &'a [usize],
    /// Multipliers of all constraints, in the order of the program, for warm starts.
    multipliers: &'a [f64],
}

/// Interval in which a control alternates.
#[derive(Serialize)]
struct RingingInterval<'a> {
    control: &'a str,
    from: f64,
    to: f64,
    amplitude: f64,
}

impl<'a> Report<'a> {
    pub(crate) fn new(
        [problem, method]: [&'a str; 2],
        controls: &'a [String],
        grid: ControlGrid,
        optimum: &'a ControlOptimum,
        seconds: Option<f64>,
    ) -> Self {
        let best = &optimum.solution.best;
        let time = |point: usize| optimum.fractions[point] * optimum.found.duration;
        let stretch = |ringing: &Ringing| RingingInterval {
            control: &controls[ringing.control],
            from: time(ringing.points[0]),
            to: time(ringing.points[1]),
            amplitude: ringing.amplitude,
        };
        Self {
            problem,
            method,
            points: grid.points,
            steps: grid.steps,
            control: if grid.is_linear { "linear" } else { "constant" },
            status: optimum.solution.status.text(),
            objective: best.objective,
            duration: optimum.found.duration,
            parameters: &optimum.found.parameters,
            violation: best.violation,
            residual: best.residual,
            iterations: optimum.solution.iterations.len() - 1,
            seconds,
            times: (0..optimum.fractions.len()).map(time).collect(),
            states: &optimum.found.states,
            controls: &optimum.found.controls,
            ringing: optimum.ringing.iter().map(stretch).collect(),
            constraint_orders: &optimum.orders,
            multipliers: &optimum.solution.multipliers,
        }
    }

    /// Formats the page; `more` are entries specific to the problem.
    pub(crate) fn page(&self, more: &[(&str, String)]) -> String {
        let mut entries = vec![
            ("problem", self.problem.to_owned()),
            ("method", format!("{}, {} from point to point", self.method, counted(self.steps, "step"))),
            ("grid", format!("{}, {} control", counted(self.points, "point"), self.control)),
            ("status", format!("{}, after {}", self.status, counted(self.iterations, "iteration"))),
            ("objective", text::number(self.objective)),
            ("violation", format!("{:.1e}", self.violation)),
            ("residual", format!("{:.1e}", self.residual)),
        ];
        entries.extend(self.unresolved().map(|text| ("unresolved", text)));
        entries.extend(more.iter().map(|(name, value)| (*name, value.clone())));
        entries.extend(self.seconds.map(|seconds| ("time", format!("{seconds:.2} s"))));
        text::entries(&entries)
    }
}

impl Report<'_> {
    /// Describes the interval with the largest amplitude in which a control is not resolved, with advice.
    fn unresolved(&self) -> Option<String> {
        let worst = self.ringing.iter().max_by(|a, b| a.amplitude.total_cmp(&b.amplitude))?;
        let RingingInterval { control, from, to, amplitude } = worst;
        let others = match self.ringing.len() - 1 {
            0 => String::new(),
            1 => ", and in another interval".to_owned(),
            count => format!(", and in {count} other intervals"),
        };
        let (degree, other) = if self.control == "linear" { (1, "constant") } else { (0, "linear") };
        // For these orders −1 is a sampling zero, whose mode does not decay.
        let advice = match self.constraint_orders.iter().find(|&&order| order > 0 && (order + degree) % 2 == 0) {
            Some(order) => {
                format!("a constraint of order {order} makes a {} control ring: try --control {other}", self.control)
            }
            None => "try more --points".to_owned(),
        };
        Some(format!(
            "{control} alternates from point to point by {amplitude:.1e} for t = {from:.2}…{to:.2}{others}; {advice}"
        ))
    }
}

/// Writes one line per grid point: time, states and controls.
pub(crate) fn csv(optimum: &ControlOptimum, states: &[String], controls: &[String]) -> String {
    let names: String = states.iter().chain(controls).map(quoted).collect();
    let mut text = format!("t{names}\n");
    for (k, fraction) in optimum.fractions.iter().enumerate() {
        let values = optimum.found.states[k].iter().chain(&optimum.found.controls[k]);
        let values: String = values.map(|value| format!(",{value}")).collect();
        text += &format!("{}{values}\n", fraction * optimum.found.duration);
    }
    text
}

/// Writes a field of the header after a comma, quoted if it contains one.
fn quoted(name: &String) -> String {
    if name.contains(',') { format!(",\"{name}\"") } else { format!(",{name}") }
}

/// Returns the exit code of a status.
pub(crate) fn outcome(status: Status) -> CommandOutcome {
    match status {
        Status::Optimal => CommandOutcome::Done,
        Status::Interrupted => CommandOutcome::Interrupted,
        _ => CommandOutcome::CheckFailed,
    }
}
