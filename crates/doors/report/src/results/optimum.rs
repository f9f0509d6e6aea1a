//! Optima of control problems as JSON and as CSV.

use hemiola_optimize::{ControlGrid, ControlOptimum, Ringing};
use serde::Serialize;

use super::csv::field;

/// Printed results of an optimum. Missing numbers are `null`.
#[derive(Serialize)]
pub struct OptimumReport<'a> {
    /// Name of the problem.
    pub problem: &'a str,
    /// Name of the method.
    pub method: &'a str,
    /// Number of grid points.
    pub points: usize,
    /// Number of steps between grid points.
    pub steps: usize,
    /// Shape of the control between grid points.
    pub control: &'static str,
    /// Status of the solver.
    pub status: &'static str,
    /// Objective.
    pub objective: f64,
    duration: f64,
    parameters: &'a [f64],
    /// Largest violation of a constraint.
    pub violation: f64,
    /// Residual of the optimality conditions.
    pub residual: f64,
    /// Number of iterations.
    pub iterations: usize,
    /// Time of the solution in s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
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

impl<'a> OptimumReport<'a> {
    /// Collects the results of a problem that a method solved on a grid.
    #[must_use]
    pub fn new(
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
}

impl OptimumReport<'_> {
    /// Describes the interval with the largest amplitude in which a control is not resolved, with advice.
    #[must_use]
    pub fn unresolved(&self) -> Option<String> {
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
#[must_use]
pub fn csv(optimum: &ControlOptimum, states: &[String], controls: &[String]) -> String {
    let names: String = states.iter().chain(controls).map(|name| format!(",{}", field(name))).collect();
    let mut text = format!("t{names}\n");
    for (k, fraction) in optimum.fractions.iter().enumerate() {
        let values = optimum.found.states[k].iter().chain(&optimum.found.controls[k]);
        let values: String = values.map(|value| format!(",{value}")).collect();
        text += &format!("{}{values}\n", fraction * optimum.found.duration);
    }
    text
}
