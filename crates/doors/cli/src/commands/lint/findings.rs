//! Summaries over all files.

use hemiola::lint::{LintFinding, LintReport};

/// Iterates over all findings with their files.
pub(crate) fn findings(all: &[LintReport]) -> impl Iterator<Item = (&str, &LintFinding)> {
    all.iter().flat_map(|linted| linted.findings.iter().map(|finding| (linted.file.as_str(), finding)))
}
