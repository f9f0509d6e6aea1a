//! Summaries over all files.

use hemiola::lint::{Finding, Linted};

/// Iterates over all findings with their files.
pub(crate) fn findings(all: &[Linted]) -> impl Iterator<Item = (&str, &Finding)> {
    all.iter().flat_map(|linted| linted.findings.iter().map(|finding| (linted.file.as_str(), finding)))
}
