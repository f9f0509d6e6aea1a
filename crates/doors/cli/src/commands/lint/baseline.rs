//! Baselines: files of known findings, which no longer count.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hemiola::lint::LintReport;
use hemiola::tableau::json::read_bounded;
use miette::Diagnostic;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::page::findings;
use crate::failure::{Failure, hinted};
use crate::output::writer::write;

/// Format and version of baselines.
pub(super) const FORMAT: &str = "hemiola-lint-baseline/1";

/// File that is no baseline.
#[derive(Debug, Error, Diagnostic)]
#[error("{file}: {problem}")]
#[diagnostic(help("`hemiola lint … --baseline FILE --write-baseline` writes a baseline"))]
struct BaselineError {
    file: PathBuf,
    problem: String,
}

hinted!(BaselineError);

/// Contents of a baseline.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Baseline {
    format: String,
    findings: Vec<KnownFinding>,
}

/// Finding without its position, which other changes of the file move.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(deny_unknown_fields)]
struct KnownFinding {
    file: String,
    rule: String,
    message: String,
}

/// Numbers of findings that a baseline holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BaselineCounts {
    /// Findings that were removed because they are known.
    pub(crate) known: usize,
    /// Known findings that no longer occur.
    pub(crate) gone: usize,
}

/// Writes all findings as known. Returns their number.
pub(crate) fn write_all(file: &Path, all: &[LintReport]) -> Result<usize, Failure> {
    let mut known = known(all);
    known.sort();
    let count = known.len();
    let baseline = Baseline { format: FORMAT.to_owned(), findings: known };
    let text = serde_json::to_string_pretty(&baseline).unwrap_or_default() + "\n";
    write(file, text.as_bytes())?;
    Ok(count)
}

/// Removes the findings of a baseline, each as often as it is listed there.
pub(crate) fn remove_known(file: &Path, all: &mut [LintReport]) -> Result<BaselineCounts, Failure> {
    let failed = |problem: String| BaselineError { file: file.to_owned(), problem };
    let text = read_bounded(file)?;
    let baseline: Baseline = serde_json::from_slice(&text).map_err(|error| failed(error.to_string()))?;
    if baseline.format != FORMAT {
        return Err(failed(format!("found format {:?}; expected {FORMAT:?}", baseline.format)).into());
    }
    let mut left: BTreeMap<KnownFinding, usize> = BTreeMap::new();
    for finding in baseline.findings {
        *left.entry(finding).or_default() += 1;
    }
    let mut counts = BaselineCounts::default();
    for linted in all {
        let name = portable(&linted.file);
        linted.findings.retain(|finding| {
            let key = KnownFinding {
                file: name.clone(),
                rule: finding.rule.id().to_owned(),
                message: finding.message.clone(),
            };
            let Some(count) = left.get_mut(&key).filter(|count| **count > 0) else { return true };
            *count -= 1;
            counts.known += 1;
            false
        });
    }
    counts.gone = left.values().sum();
    Ok(counts)
}

fn known(all: &[LintReport]) -> Vec<KnownFinding> {
    let of = |(file, finding): (&str, &hemiola::lint::LintFinding)| KnownFinding {
        file: portable(file),
        rule: finding.rule.id().to_owned(),
        message: finding.message.clone(),
    };
    findings(all).map(of).collect()
}

/// Writes a path in one way on all systems.
fn portable(file: &str) -> String {
    let file = file.replace('\\', "/");
    file.strip_prefix("./").unwrap_or(&file).to_owned()
}
