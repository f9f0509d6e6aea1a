//! Outcome of a run in words.

use hemiola::integrate;

use crate::output::text;

/// Describes the outcome and the final time of a run in a few words.
pub(crate) fn outcome_text(outcome: integrate::Outcome, t: Option<f64>) -> String {
    use hemiola::integrate::Outcome as Ended;
    let place = t.map_or(String::new(), |t| format!(" at t = {}", text::rounded(t, 4)));
    match outcome {
        Ended::Finished => "finished".to_owned(),
        Ended::Stopped => format!("interrupted{place}"),
        Ended::StepTooSmall { h } => format!("step too small{place}: {h:.1e}"),
        Ended::TooManySteps { limit } => format!("more than {limit} steps{place}"),
        Ended::Failed(error) => error.to_string(),
        _ => format!("not finished{place}"),
    }
}
