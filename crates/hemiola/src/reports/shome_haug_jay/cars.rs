//! Table 7: the largest steps of a method of order two on three quarter cars.

use hemiola_integrate::{AnyStepper, Extras, largest_stable_step};
use hemiola_models::{Model, model};
use hemiola_stability::BlockSystem;
use hemiola_tableau::{Method, library};

use super::super::markdown::{digits, table};
use super::super::{Report, ReportError, Watcher, next};

/// The models of Fig. 2 with the steps of Table 7.
const TABLE_7: [(&str, &str, f64); 3] =
    [("A", "quarter-car-body", 0.1), ("B", "quarter-car", 0.01), ("C", "quarter-car-ring", 0.001)];

/// The largest stable step of a method on a model, by its step matrix at the model's initial state and by simulation from there.
pub(super) struct LargestStep {
    pub(super) analysis: f64,
    pub(super) simulation: f64,
}

impl LargestStep {
    pub(super) fn new(method: &Method, model: &Model) -> Result<Self, ReportError> {
        let blocks = BlockSystem::new(&model.jacobian_at(0.0, &model.initial), model.partition())?;
        let range = blocks.range(method)?;
        let analysis = blocks.stable_steps(&method.to_f64(), range)?.first_exit;
        let stepper = AnyStepper::new(method, model, Extras::default())?;
        let simulation = largest_stable_step(&stepper, model, (0.0, &model.initial), 1.5 * analysis);
        Ok(Self { analysis, simulation: simulation.unwrap_or(f64::INFINITY) })
    }
}

pub(super) fn part(watcher: &Watcher<'_>) -> Result<Report, ReportError> {
    let method = library::method("heun-2")?;
    let mut rows = Vec::new();
    let mut steps = Vec::new();
    for (letter, name, printed) in TABLE_7 {
        next(watcher, name)?;
        let model = model(name, &[])?;
        let step = LargestStep::new(&method, &model)?;
        let title = model.title.rsplit(": ").next().unwrap_or(model.title).to_owned();
        rows.push(vec![
            letter.to_owned(),
            title,
            model.initial.len().to_string(),
            digits(printed, 3),
            digits(step.analysis, 4),
            digits(step.simulation, 4),
        ]);
        steps.push(step.analysis);
    }
    let columns = ["model", "", ">variables", ">paper, s", ">step matrix, s", ">simulation, s"];
    let text = format!(
        "\
## Table 7: largest steps of RK2 on quarter cars

By the spectral radius of the step matrix at rest, and by simulation: the largest step with which a small perturbation does not grow in \
3000 steps.

{}
From model to model steps fall by factors of {} and {}; in the paper by ten each. It is the rigid ring that makes steps small, as the paper \
says.
",
        table(&columns, rows),
        digits(steps[0] / steps[1], 3),
        digits(steps[1] / steps[2], 3),
    );
    Ok(Report { text, figures: Vec::new() })
}
