//! Stable steps as JSON and as CSV.

use hemiola_study::stable_steps::{Curves, MethodSteps, StableStepStudy};
use serde::Serialize;

/// Stable steps of methods on a system.
#[derive(Serialize)]
pub struct StableStepsReport<'a> {
    system: &'a str,
    variables: &'a [String],
    partition: &'a [usize],
    /// Real and imaginary parts of the eigenvalues, by increasing modulus.
    eigenvalues: Vec<[f64; 2]>,
    farthest: f64,
    methods: Vec<RowReport<'a>>,
}

/// Results of one method; `null` if there is no exit or no limit.
#[derive(Serialize)]
struct RowReport<'a> {
    id: &'a str,
    first_exit: Option<f64>,
    decoupled: Option<f64>,
    /// Eigenvalue of a diagonal block that limits the decoupled step.
    decoupled_by: Option<BoundReport>,
    /// Largest step size examined for this method.
    farthest: f64,
    gaps: &'a [(f64, f64)],
    last_stable: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<f64>,
}

#[derive(Serialize)]
struct BoundReport {
    partition: usize,
    eigenvalue: [f64; 2],
}

impl<'a> StableStepsReport<'a> {
    /// Collects the results of a study of a system with these variables.
    #[must_use]
    pub fn new(system: &'a str, variables: &'a [String], study: &'a StableStepStudy<'a>) -> Self {
        let finite = |value: f64| value.is_finite().then_some(value);
        let row = |row: &'a MethodSteps| RowReport {
            id: &row.id,
            first_exit: finite(row.steps.first_exit),
            decoupled: finite(row.decoupled.value()),
            decoupled_by: row.bound.map(|bound| BoundReport {
                partition: bound.partition,
                eigenvalue: [bound.eigenvalue.re, bound.eigenvalue.im],
            }),
            farthest: row.steps.farthest,
            gaps: &row.steps.gaps,
            last_stable: row.steps.last,
            simulated: row.simulated,
        };
        let blocks = study.blocks;
        Self {
            system,
            variables,
            partition: blocks.partition_of(),
            eigenvalues: blocks.eigenvalues().iter().map(|value| [value.re, value.im]).collect(),
            farthest: study.farthest,
            methods: study.methods.iter().map(row).collect(),
        }
    }
}

/// Writes one line per step size: h and ρ(M) for each method, `inf` if a stage equation is singular.
#[must_use]
pub fn csv(study: &StableStepStudy<'_>, curves: &Curves) -> String {
    let mut text = format!("h{}\n", study.methods.iter().map(|row| format!(",{}", row.id)).collect::<String>());
    for (k, step) in curves.steps.iter().enumerate() {
        let values: String = curves.radii.iter().map(|radii| format!(",{}", radii[k])).collect();
        text += &format!("{step}{values}\n");
    }
    text
}
