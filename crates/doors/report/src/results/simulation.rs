//! Simulations as JSON, as CSV and as figures.

use hemiola_export::describe;
use hemiola_figure::Figure;
use hemiola_integrate::{Outcome, Track};
use hemiola_models::Output;
use hemiola_plot::{Series, outputs_figure, solution_figure};
use hemiola_study::simulation::{SchemeRun, SimulationResults};
use serde::Serialize;

use super::csv::field;
use super::outputs::{self, OutputReport, ShownQuantities};

/// Results of runs; missing numbers are `null`.
#[derive(Serialize)]
pub struct SimulationReport<'a> {
    model: &'a str,
    end: f64,
    reference_uncertainty: Option<f64>,
    methods: Vec<RowReport<'a>>,
}

#[derive(Serialize)]
struct RowReport<'a> {
    id: &'a str,
    outcome: String,
    t: f64,
    steps: u64,
    rejected: u64,
    evaluations: &'a [u64],
    jacobians: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    factorizations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refinements: Option<u64>,
    error: Option<f64>,
    energy_change: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outputs: Vec<OutputReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

impl<'a> RowReport<'a> {
    fn new(simulated: &SimulationResults<'_>, row: &'a SchemeRun) -> Self {
        Self {
            id: &row.label,
            outcome: outcome_text(row.run.outcome, Some(row.run.t)),
            t: row.run.t,
            steps: row.run.steps,
            rejected: row.run.rejected,
            evaluations: &row.evaluations,
            jacobians: row.jacobians,
            factorizations: row.solved.map(|solved| solved.factorizations),
            refinements: row.solved.map(|solved| solved.iterations),
            error: row.error,
            energy_change: row.energy,
            outputs: outputs::reports(simulated, row),
            seconds: row.seconds,
        }
    }
}

/// Returns the names of the variables drawn, with units.
fn labels(simulated: &SimulationResults<'_>) -> Vec<String> {
    let label = |&i: &usize| {
        let variable = &simulated.simulation.model.variables[i];
        if has_unit(variable.unit) { format!("{} in {}", variable.name, variable.unit) } else { variable.name.clone() }
    };
    simulated.drawn().iter().map(label).collect()
}

fn has_unit(unit: &str) -> bool {
    !matches!(unit, "" | "1")
}

/// Returns the unit of time: seconds if a variable has a unit, none for dimensionless models.
fn time_unit(simulated: &SimulationResults<'_>) -> &'static str {
    let has_units = simulated.simulation.model.variables.iter().any(|variable| has_unit(variable.unit));
    if has_units { "s" } else { "" }
}

/// Returns the errors of the methods over time.
fn errors(simulated: &SimulationResults<'_>) -> Vec<Series> {
    let series = |run: &SchemeRun| {
        let (times, errors) = simulated.errors(run).into_iter().unzip();
        Series { label: run.label.clone(), times, values: vec![errors] }
    };
    if simulated.reference.is_none() { Vec::new() } else { simulated.runs.iter().map(series).collect() }
}

/// Returns the reference solution, followed by those of the methods.
fn series(simulated: &SimulationResults<'_>) -> Vec<Series> {
    let spacing = simulated.simulation.spacing();
    let series = |label: &str, track: &Track| Series::new(label, &track.thinned(spacing), simulated.drawn());
    let reference = simulated.reference.iter().map(|(_, track)| series("reference", track));
    reference.chain(simulated.runs.iter().map(|row| series(&row.label, &row.track))).collect()
}

impl<'a> SimulationReport<'a> {
    /// Collects the results of a simulation.
    #[must_use]
    pub fn new(simulated: &'a SimulationResults<'_>) -> Self {
        Self {
            model: simulated.simulation.name,
            end: simulated.simulation.end,
            reference_uncertainty: simulated.reference.as_ref().map(|(reference, _)| reference.uncertainty),
            methods: simulated.runs.iter().map(|row| RowReport::new(simulated, row)).collect(),
        }
    }
}

/// Writes one line per step of the first method: the time, all variables, and the output quantities.
#[must_use]
pub fn csv(simulated: &SimulationResults<'_>) -> String {
    let model = simulated.simulation.model;
    let names = model.variables.iter().map(|variable| variable.name.clone());
    let outputs = model.outputs();
    let names = names.chain(outputs.iter().map(Output::name));
    let mut text = format!("t{}\n", names.map(|name| format!(",{}", field(&name))).collect::<String>());
    for (t, state) in simulated.runs.iter().take(1).flat_map(|row| row.track.times.iter().zip(&row.track.states)) {
        let outputs = model.output_values(*t, state);
        let values: String = state.iter().chain(&outputs).map(|value| format!(",{value}")).collect();
        text += &format!("{t}{values}\n");
    }
    text
}

/// Draws the solutions of a simulation and their errors, or its forces or energies, over time.
#[must_use]
pub fn drawn(simulated: &SimulationResults<'_>, show: ShownQuantities) -> Figure {
    let (title, unit) = (simulated.simulation.model.title, time_unit(simulated));
    if show != ShownQuantities::Variables {
        return outputs_figure(&outputs::panels(simulated, show), unit, &format!("{} of {title}", show.word()));
    }
    let labels = labels(simulated);
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let (series, errors) = (series(simulated), errors(simulated));
    solution_figure(&labels, &series, &errors, unit, &format!("Solutions of {title}"))
}

/// Draws the solutions up to a time over the whole reference solution, or over the whole first run without one.
pub(super) fn drawn_until(simulated: &SimulationResults<'_>, time: f64) -> Figure {
    let (labels, unit) = (labels(simulated), time_unit(simulated));
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let mut all = series(simulated);
    if simulated.reference.is_none()
        && let Some(run) = all.first().cloned()
    {
        all.insert(0, Series { label: "whole run".to_owned(), ..run });
    }
    for series in all.iter_mut().skip(1) {
        *series = series.until(time);
    }
    let figure =
        solution_figure(&labels, &all, &[], unit, &format!("Solutions of {}", simulated.simulation.model.title));
    figure.title(format!("*t* = {} {unit}", describe::rounded(time, 3)).trim_end())
}

/// Describes the outcome and the final time of a run in a few words.
#[must_use]
pub fn outcome_text(outcome: Outcome, t: Option<f64>) -> String {
    let place = t.map_or(String::new(), |t| format!(" at t = {}", describe::rounded(t, 4)));
    match outcome {
        Outcome::Finished => "finished".to_owned(),
        Outcome::Stopped => format!("interrupted{place}"),
        Outcome::StepTooSmall { h } => format!("step too small{place}: {h:.1e}"),
        Outcome::TooManySteps { limit } => format!("more than {limit} steps{place}"),
        Outcome::Failed(error) => error.to_string(),
        Outcome::Unstable { error } => format!("unstable: {error:.1e} times the solution"),
        _ => format!("not finished{place}"),
    }
}
