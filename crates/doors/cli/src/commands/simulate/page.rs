//! Runs as text.

use hemiola::report::results::outcome_text;
use hemiola::study::simulation::{SchemeRun, SimulationResults, StepChoice};
use hemiola::tableau::bound_text;

use crate::output::text::{self, Column, counted};

pub(crate) fn page(results: &SimulationResults<'_>) -> String {
    let study = &results.simulation;
    let steps = match study.steps {
        StepChoice::Equal(steps) => format!("{steps} equal steps of {}", text::number(study.end / steps as f64)),
        StepChoice::Adaptive { tolerance, .. } => format!("adaptive, tolerance {}", text::number(tolerance)),
    };
    let reference = match &results.reference {
        Some((reference, _)) => format!("accurate to {}", bound_text(reference.uncertainty, 2)),
        None => "none".to_owned(),
    };
    let entries = [
        ("model", study.name.to_owned()),
        ("variables", counted(study.model.initial.len(), "variable")),
        ("until", text::number(study.end)),
        ("steps", steps),
        ("reference", reference),
    ];
    let has = |value: fn(&SchemeRun) -> bool| results.runs.iter().any(value);
    let partitions = results.runs.iter().map(|row| row.evaluations.len()).max().unwrap_or(1);
    let (implicit, energy, timed) =
        (has(|row| row.jacobians > 0), has(|row| row.energy.is_some()), has(|row| row.seconds.is_some()));
    let right = Column::Right;
    let mut columns = text::columns("<Method|<Outcome|>Steps|>Rejected");
    columns.extend(
        if partitions == 2 { vec!["Slow", "Fast"] } else { vec!["Evaluations"] }.into_iter().map(|name| (name, right)),
    );
    columns.extend(implicit.then_some(("Jacobians", right)));
    // Trees without loops need no factorization.
    let factorized = has(|row| row.solved.is_some_and(|solved| solved.factorizations > 0));
    let refined = has(|row| row.solved.is_some_and(|solved| solved.refined > 0));
    columns.extend(factorized.then_some(("Factorizations", right)));
    columns.extend(refined.then_some(("Refinements", right)));
    columns.push(("Error", right));
    columns.extend(energy.then_some(("Energy gain", right)));
    columns.extend(timed.then_some(("Time in s", right)));
    let rows = results.runs.iter().map(|row| {
        let mut cells = vec![
            row.label.clone(),
            outcome_text(row.run.outcome, Some(row.run.t)),
            row.run.steps.to_string(),
            row.run.rejected.to_string(),
        ];
        match (&row.evaluations[..], partitions) {
            ([slow, fast], 2) => cells.extend([slow.to_string(), fast.to_string()]),
            (evaluations, _) => cells.push(evaluations.iter().sum::<u64>().to_string()),
        }
        cells.extend(implicit.then(|| row.jacobians.to_string()));
        let solved = row.solved.unwrap_or_default();
        cells.extend(factorized.then(|| solved.factorizations.to_string()));
        cells.extend(refined.then(|| solved.iterations.to_string()));
        let small = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.2e}"));
        cells.push(small(row.error));
        cells.extend(energy.then(|| small(row.energy)));
        cells.extend(timed.then(|| row.seconds.map_or("–".to_owned(), |seconds| format!("{seconds:.3}"))));
        cells
    });
    format!("{}\n{}", text::entries(&entries), text::table(&columns, rows))
}
