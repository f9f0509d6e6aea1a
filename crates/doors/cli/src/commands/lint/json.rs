//! Findings and facts, file by file.

use hemiola::lint::{LintFinding, LintReport};
use serde_json::{Value, json};

pub(crate) fn report(all: &[LintReport], errors: usize, warnings: usize, known: usize) -> Value {
    json!({ "files": all.iter().map(file).collect::<Vec<_>>(), "errors": errors, "warnings": warnings, "known": known })
}

fn file(linted: &LintReport) -> Value {
    let facts = linted.facts.as_ref().map(|facts| {
        json!({
            "id": facts.id,
            "stages": facts.stages,
            "order": facts.order,
            "stage_order": facts.stage_order,
            "explicit": facts.explicit,
            "first_same_as_last": facts.first_same_as_last,
            "stiffly_accurate": facts.stiffly_accurate,
        })
    });
    json!({ "file": linted.file, "facts": facts, "findings": linted.findings.iter().map(finding).collect::<Vec<_>>() })
}

fn finding(LintFinding { rule, message, path, line, column }: &LintFinding) -> Value {
    json!({
        "rule": rule.id(),
        "level": rule.severity().name(),
        "line": line,
        "column": column,
        "path": path,
        "message": message,
    })
}
