//! Findings and structures as JSON, file by file.

use hemiola_order::WeakStageOrder;
use serde_json::{Value, json};

use crate::finding::{LintFinding, Severity};
use crate::formats::count;
use crate::lint::LintReport;

/// Formats findings, structures and the numbers of errors, warnings and notes as JSON. `known` is the number of findings
/// that a baseline has removed.
#[must_use]
pub fn to_json(all: &[LintReport], known: usize) -> Value {
    let files: Vec<Value> = all.iter().map(file).collect();
    let [errors, warnings, notes] = Severity::ALL.map(|severity| count(all, severity));
    json!({ "files": files, "errors": errors, "warnings": warnings, "notes": notes, "known": known })
}

fn file(linted: &LintReport) -> Value {
    let facts = linted.facts.as_ref().map(|facts| {
        json!({
            "id": facts.id,
            "stages": facts.stages,
            "order": facts.order,
            "stage_order": facts.stage_order,
            "weak_stage_order": facts.weak_stage_order.and_then(WeakStageOrder::value),
            "dj_reducible": facts.dj_reducible,
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
