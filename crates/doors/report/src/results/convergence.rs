//! Convergence studies as JSON and as CSV.

use hemiola_integrate::Sample;
use hemiola_study::convergence::{ConvergenceResults, ConvergenceSeries, StopReason};
use serde::Serialize;

use super::csv::field;
use super::simulation::outcome_text;

/// Results of a convergence study; missing numbers are `null`.
#[derive(Serialize)]
pub struct ConvergenceReport<'a> {
    model: &'a str,
    end: f64,
    reference_uncertainty: f64,
    methods: Vec<RowReport<'a>>,
}

#[derive(Serialize)]
struct RowReport<'a> {
    id: &'a str,
    claimed_order: Option<usize>,
    observed_order: Option<f64>,
    /// Smallest and largest number of steps of the runs to which the order is fitted.
    order_from_steps: Option<[u64; 2]>,
    order_slopes: Option<[f64; 2]>,
    /// Whether these slopes agree.
    is_asymptotic: bool,
    runs: Vec<SampleReport<'a>>,
    ended: &'static str,
    /// Outcome of the last run if all results were not finite or no solutions.
    #[serde(skip_serializing_if = "Option::is_none")]
    unstable: Option<String>,
    /// Number of steps of the first run that was skipped.
    next_steps: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    wanted: Option<SampleReport<'a>>,
}

#[derive(Serialize)]
struct SampleReport<'a> {
    steps: u64,
    error: f64,
    evaluations: &'a [u64],
    jacobians: u64,
}

impl<'a> From<&'a Sample> for SampleReport<'a> {
    fn from(sample: &'a Sample) -> Self {
        let Sample { steps, error, ref evaluations, jacobians, .. } = *sample;
        Self { steps, error, evaluations, jacobians }
    }
}

impl<'a> From<&'a ConvergenceSeries> for RowReport<'a> {
    fn from(row: &'a ConvergenceSeries) -> Self {
        Self {
            id: &row.label,
            claimed_order: row.claimed,
            observed_order: row.order,
            order_from_steps: row.fit.as_ref().map(|fit| fit.steps),
            order_slopes: row.fit.as_ref().map(|fit| fit.slopes),
            is_asymptotic: row.fit.as_ref().is_some_and(|fit| fit.is_asymptotic),
            runs: row.samples.iter().map(SampleReport::from).collect(),
            ended: ended(row.ended),
            unstable: row.unstable.as_ref().map(|sample| outcome_text(sample.outcome, None)),
            next_steps: row.next,
            wanted: row.wanted.as_ref().map(SampleReport::from),
        }
    }
}

impl<'a> ConvergenceReport<'a> {
    /// Collects the results of a convergence study.
    #[must_use]
    pub fn new(converged: &'a ConvergenceResults<'_>) -> Self {
        Self {
            model: converged.convergence.name,
            end: converged.convergence.end,
            reference_uncertainty: converged.reference.uncertainty,
            methods: converged.ladders.iter().map(RowReport::from).collect(),
        }
    }
}

/// Writes one line per run.
#[must_use]
pub fn csv(converged: &ConvergenceResults<'_>) -> String {
    let partitions = converged.ladders.iter().flat_map(|row| &row.samples).map(|sample| sample.evaluations.len()).max();
    let names: String = (1..=partitions.unwrap_or(1)).map(|r| format!(",evaluations {r}")).collect();
    let mut text = format!("method,steps,h,error{names},jacobians\n");
    for (row, sample) in converged.ladders.iter().flat_map(|row| row.samples.iter().map(move |sample| (row, sample))) {
        let counts: String = sample.evaluations.iter().map(|count| format!(",{count}")).collect();
        let h = converged.convergence.end / sample.steps as f64;
        let (label, steps, error) = (field(&row.label), sample.steps, sample.error);
        text += &format!("{label},{steps},{h},{error}{counts},{}\n", sample.jacobians);
    }
    text
}

/// Returns the reason why no further runs were made, as a keyword.
fn ended(ended: StopReason) -> &'static str {
    match ended {
        StopReason::Levels => "levels",
        StopReason::Hidden => "hidden",
        StopReason::MostSteps => "most-steps",
        StopReason::TimeLimit => "time-limit",
        StopReason::Interrupted => "interrupted",
    }
}
