//! Optima as text.

use hemiola::optimize::sqp::Status;
use hemiola::report::results::OptimumReport;

use crate::failure::CommandOutcome;
use crate::output::text::{self, counted};

/// Formats the page; `more` are entries specific to the problem.
pub(crate) fn page(report: &OptimumReport<'_>, more: &[(&str, String)]) -> String {
    let mut entries = vec![
        ("problem", report.problem.to_owned()),
        ("method", format!("{}, {} from point to point", report.method, counted(report.steps, "step"))),
        ("grid", format!("{}, {} control", counted(report.points, "point"), report.control)),
        ("status", format!("{}, after {}", report.status, counted(report.iterations, "iteration"))),
        ("objective", text::number(report.objective)),
        ("violation", format!("{:.1e}", report.violation)),
        ("residual", format!("{:.1e}", report.residual)),
    ];
    entries.extend(report.unresolved().map(|text| ("unresolved", text)));
    entries.extend(more.iter().map(|(name, value)| (*name, value.clone())));
    entries.extend(report.seconds.map(|seconds| ("time", format!("{seconds:.2} s"))));
    text::entries(&entries)
}

/// Returns the exit code of a status.
pub(crate) fn outcome(status: Status) -> CommandOutcome {
    match status {
        Status::Optimal => CommandOutcome::Done,
        Status::Interrupted => CommandOutcome::Interrupted,
        _ => CommandOutcome::CheckFailed,
    }
}
