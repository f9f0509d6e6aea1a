//! Findings as text and in the formats of other programs.

mod github;
mod json;
mod sarif;

pub use github::github;
pub use json::to_json;
pub use sarif::sarif;

use crate::finding::{LintFinding, Severity};
use crate::lint::LintReport;

/// Formats findings as lines, in the style of compiler messages.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("euler.json");
/// std::fs::write(&file, "{}")?;
/// let text = hemiola_lint::formats::text(&hemiola_lint::lint(&[file]));
/// assert!(text.contains("euler.json:1: error[unreadable]: "), "{text}");
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn text(all: &[LintReport]) -> String {
    findings(all).map(|(file, finding)| line(file, finding)).collect()
}

/// Returns the number of findings of this severity.
#[must_use]
pub fn count(all: &[LintReport], severity: Severity) -> usize {
    findings(all).filter(|(_, finding)| finding.rule.severity() == severity).count()
}

fn line(file: &str, finding: &LintFinding) -> String {
    let LintFinding { rule, message, line, column, .. } = finding;
    let place: String = [line, column].into_iter().flatten().map(|number| format!(":{number}")).collect();
    format!("{file}{place}: {}[{}]: {message}\n", rule.severity().name(), rule.id())
}

/// Iterates over all findings with their files.
pub(crate) fn findings(all: &[LintReport]) -> impl Iterator<Item = (&str, &LintFinding)> {
    all.iter().flat_map(|linted| linted.findings.iter().map(|finding| (linted.file.as_str(), finding)))
}
