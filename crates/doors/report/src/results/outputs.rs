//! Forces and energies of runs, as curves and as summaries.

use hemiola_models::Output;
use hemiola_plot::{OutputPanel, Series};
use hemiola_study::simulation::{SchemeRun, SimulationResults};
use serde::Serialize;

/// Quantities that are drawn over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownQuantities {
    /// Variables, and their errors if there is a reference
    Variables,
    /// Forces of the road on the wheels
    Forces,
    /// Changes of the energies, and the power of all forces that the energies do not include
    Energy,
}

impl ShownQuantities {
    /// Returns the name of the quantities.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Variables => "variables",
            Self::Forces => "forces",
            Self::Energy => "energy",
        }
    }

    /// Returns whether an output is of this kind.
    #[must_use]
    pub fn has(self, output: &Output) -> bool {
        let is_energy = matches!(output.what, "energy" | "power");
        match self {
            Self::Variables => false,
            Self::Forces => !is_energy,
            Self::Energy => is_energy,
        }
    }
}

/// Builds a panel for each kind of quantity, with a curve for each quantity and run.
pub(super) fn panels(simulated: &SimulationResults<'_>, show: ShownQuantities) -> Vec<OutputPanel> {
    let model = simulated.simulation.model;
    let outputs = model.outputs();
    let mut panels: Vec<OutputPanel> = Vec::new();
    for run in &simulated.runs {
        let track = run.track.thinned(simulated.simulation.spacing());
        let states = track.times.iter().zip(&track.states);
        let values: Vec<Vec<f64>> = states.map(|(&t, y)| model.output_values(t, y)).collect();
        for (k, output) in outputs.iter().enumerate().filter(|(_, output)| show.has(output)) {
            // Energies have an arbitrary zero level and include that of a constant speed, so their changes are shown.
            let is_change = output.what == "energy";
            let start = values.first().filter(|_| is_change).map_or(0.0, |first| first[k]);
            let values = values.iter().map(|values| values[k] - start).collect();
            let of = if output.of.is_empty() { "total" } else { output.of.as_str() };
            let label = if simulated.runs.len() == 1 { of.to_owned() } else { format!("{of}, {}", run.label) };
            let series = Series { label, times: track.times.clone(), values: vec![values] };
            let label = if is_change { "change of energy" } else { output.what };
            match panels.iter_mut().find(|panel| panel.label == label) {
                Some(panel) => panel.series.push(series),
                None => {
                    let (label, unit) = (label.to_owned(), output.unit.to_owned());
                    panels.push(OutputPanel { label, unit, series: vec![series] });
                }
            }
        }
    }
    panels
}

/// Force or energy over a run.
#[derive(Serialize)]
pub(super) struct OutputReport {
    name: String,
    unit: &'static str,
    least: Option<f64>,
    most: Option<f64>,
    last: Option<f64>,
}

/// Summarizes the forces and energies of the recorded states of a run.
pub(super) fn reports(simulated: &SimulationResults<'_>, run: &SchemeRun) -> Vec<OutputReport> {
    let model = simulated.simulation.model;
    let track = &run.track;
    let values: Vec<Vec<f64>> =
        track.times.iter().zip(&track.states).map(|(&t, y)| model.output_values(t, y)).collect();
    let report = |(k, output): (usize, Output)| {
        let known = || values.iter().map(|values| values[k]).filter(|value| value.is_finite());
        OutputReport {
            name: output.name(),
            unit: output.unit,
            least: known().reduce(f64::min),
            most: known().reduce(f64::max),
            last: values.last().map(|values| values[k]).filter(|value| value.is_finite()),
        }
    };
    model.outputs().into_iter().enumerate().map(report).collect()
}
