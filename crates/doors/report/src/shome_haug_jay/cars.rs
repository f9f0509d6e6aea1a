//! Table 7: the largest step sizes of a second-order method on three quarter cars.

use hemiola_integrate::{AnyStepper, Extras, largest_stable_step, neutral_growth};
use hemiola_models::{Model, Value, model_with, parameters};
use hemiola_number::Progress;
use hemiola_stability::BlockSystem;
use hemiola_tableau::{Method, library};

use crate::markdown::{digits, table};
use crate::report::{Report, ReportError, next};

/// The models of Fig. 2 with the step sizes of Table 7.
const TABLE_7: [(&str, &str, f64); 3] =
    [("A", "quarter-car-body", 0.1), ("B", "quarter-car", 0.01), ("C", "quarter-car-ring", 0.001)];

/// Largest stable step size of a method on a model in steady motion.
pub(crate) struct LargestStep {
    /// First exit: the step size at which the step matrix at the initial state first becomes unstable.
    pub(crate) exit: f64,
    /// First step size at which the spectral radius is large enough to be visible in a simulation.
    pub(crate) visible: f64,
    /// Largest step size by simulation from the initial state; zero if the run fails.
    pub(crate) simulation: f64,
}

/// Parameters that switch off the excitation: in steady motion there is a single step matrix.
const STEADY: [(&str, f64); 2] = [("torque-pulse", 0.0), ("road-amplitude", 0.0)];
/// Number of step sizes at which spectral radii are computed.
const CELLS: usize = 2000;

/// Returns the first exit of the step matrix at the initial state.
pub(crate) fn first_exit(method: &Method, model: &Model) -> Result<f64, ReportError> {
    let blocks = blocks(model)?;
    Ok(blocks.stable_steps_to_exit(&method.to_f64(), blocks.decoupled_limit(method)?, &())?.first_exit)
}

/// Returns the linearization of a model at its initial state.
pub(crate) fn blocks(model: &Model) -> Result<BlockSystem, ReportError> {
    Ok(BlockSystem::new(&model.jacobian_at(0.0, &model.initial), model.partition())?)
}

impl LargestStep {
    pub(crate) fn new(method: &Method, model: &Model) -> Result<Self, ReportError> {
        let (blocks, exit) = (blocks(model)?, first_exit(method, model)?);
        let steps: Vec<f64> = (1..=CELLS).map(|k| 2.0 * exit * k as f64 / CELLS as f64).collect();
        let radii = blocks.spectral_radii(&method.to_f64(), &steps)?;
        let grows = radii.iter().position(|radius| *radius > neutral_growth());
        let visible = grows.map_or(f64::INFINITY, |k| steps[k]);
        let stepper = AnyStepper::new(method, model, Extras::default())?;
        let simulation = largest_stable_step(&stepper, model, (0.0, &model.initial), 1.5 * visible.min(2.0 * exit));
        Ok(Self { exit, visible, simulation: simulation.unwrap_or(f64::INFINITY) })
    }
}

/// Creates a model in steady motion with changed parameters.
pub(crate) fn steady(name: &str, changes: &[(&str, Value<'_>)]) -> Result<Model, ReportError> {
    let known = parameters(name)?;
    let drives = STEADY
        .into_iter()
        .map(|(key, value)| (key, value.into()))
        .filter(|(key, _)| known.iter().any(|parameter| parameter.name == *key));
    Ok(model_with(name, &drives.chain(changes.iter().copied()).collect::<Vec<_>>())?)
}

pub(crate) fn part(progress: &dyn Progress) -> Result<Report, ReportError> {
    let method = library::method("heun-2")?;
    let mut rows = Vec::new();
    let mut steps = Vec::new();
    for (letter, name, printed) in TABLE_7 {
        next(progress, name)?;
        let model = steady(name, &[])?;
        let step = LargestStep::new(&method, &model)?;
        let title = model.title.rsplit(": ").next().unwrap_or(model.title).to_owned();
        rows.push(vec![
            letter.to_owned(),
            title,
            model.initial.len().to_string(),
            digits(printed, 3),
            digits(step.exit, 4),
            digits(step.visible, 4),
            digits(step.simulation, 4),
        ]);
        steps.push(step.exit);
    }
    let columns = ["model", "", ">variables", ">paper, s", ">step matrix, s", ">visible, s", ">simulation, s"];
    let text = format!(
        "\
## Table 7: largest steps of RK2 on quarter cars

By the step matrix of steady motion: its first exit, and the step beyond which its spectral radius exceeds 1.0003,
which is visible in a simulation; and by simulation: the largest step with which a small perturbation does not grow in
12 000 steps of the nonlinear model from that state.

{}
From model to model, steps decrease by factors of {} and {}; in the paper, by ten each. The rigid ring makes steps small, as the paper says.
",
        table(&columns, rows),
        digits(steps[0] / steps[1], 3),
        digits(steps[1] / steps[2], 3),
    );
    Ok(Report { text, figures: Vec::new() })
}
