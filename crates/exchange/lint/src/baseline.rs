//! Baselines: known findings, which no longer count.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::finding::LintFinding;
use crate::formats::findings;
use crate::lint::LintReport;

/// Format and version of baselines.
pub const BASELINE_FORMAT: &str = "hemiola-lint-baseline/1";

/// Reason why a text is not a baseline.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// The text is not JSON, or has other fields.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The text names another format.
    #[error("found format {0:?}; expected {BASELINE_FORMAT:?}")]
    Format(String),
}

/// Known findings. A finding is known by its file, its rule and its message, but not by its position, which other changes of
/// the file move.
///
/// ```
/// use hemiola_lint::{Baseline, lint};
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("euler.json");
/// std::fs::write(&file, "{}")?;
/// let mut reports = lint(&[file]);
/// let baseline = Baseline::of(&reports);
/// let counts = baseline.remove_from(&mut reports);
/// assert_eq!((counts.known, counts.gone, reports[0].findings.len()), (1, 0, 0));
/// assert_eq!(Baseline::from_json(baseline.to_json().as_bytes())?, baseline);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    format: String,
    findings: Vec<KnownFinding>,
}

#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(deny_unknown_fields)]
struct KnownFinding {
    file: String,
    rule: String,
    message: String,
}

/// Result of the comparison with a baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BaselineCounts {
    /// Findings that were removed because they are known.
    pub known: usize,
    /// Known findings that no longer occur.
    pub gone: usize,
}

impl Baseline {
    /// Returns a baseline of all findings.
    #[must_use]
    pub fn of(all: &[LintReport]) -> Self {
        let known = findings(all).map(|(file, finding)| KnownFinding::of(&portable(file), finding));
        let mut findings: Vec<KnownFinding> = known.collect();
        findings.sort();
        Self { format: BASELINE_FORMAT.to_owned(), findings }
    }

    /// Reads a baseline.
    ///
    /// # Errors
    ///
    /// [`BaselineError`] if the text is not a baseline.
    pub fn from_json(text: &[u8]) -> Result<Self, BaselineError> {
        let baseline: Self = serde_json::from_slice(text)?;
        if baseline.format == BASELINE_FORMAT { Ok(baseline) } else { Err(BaselineError::Format(baseline.format)) }
    }

    /// Returns the baseline as JSON, with a line break at the end.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Returns the number of known findings.
    #[must_use]
    pub fn count(&self) -> usize {
        self.findings.len()
    }

    /// Removes the known findings, each as often as it is listed.
    pub fn remove_from(&self, all: &mut [LintReport]) -> BaselineCounts {
        let mut left: BTreeMap<KnownFinding, usize> = BTreeMap::new();
        for known in &self.findings {
            *left.entry(known.clone()).or_default() += 1;
        }
        let mut counts = BaselineCounts::default();
        for linted in all {
            let name = portable(&linted.file);
            linted.findings.retain(|finding| {
                let Some(count) = left.get_mut(&KnownFinding::of(&name, finding)).filter(|count| **count > 0) else {
                    return true;
                };
                *count -= 1;
                counts.known += 1;
                false
            });
        }
        counts.gone = left.values().sum();
        counts
    }
}

impl KnownFinding {
    fn of(file: &str, finding: &LintFinding) -> Self {
        Self { file: file.to_owned(), rule: finding.rule.id().to_owned(), message: finding.message.clone() }
    }
}

/// Writes a path in one way on all systems.
fn portable(file: &str) -> String {
    let file = file.replace('\\', "/");
    file.strip_prefix("./").unwrap_or(&file).to_owned()
}
