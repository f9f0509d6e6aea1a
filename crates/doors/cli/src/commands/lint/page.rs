//! Findings as lines, in the style of compiler messages.

use crate::output::text;

use hemiola::lint::{LintFinding, LintReport, StructureFacts};

/// Iterates over all findings with their files.
pub(crate) fn findings(all: &[LintReport]) -> impl Iterator<Item = (&str, &LintFinding)> {
    all.iter().flat_map(|linted| linted.findings.iter().map(|finding| (linted.file.as_str(), finding)))
}

pub(crate) fn page(all: &[LintReport], with_facts: bool, summary: &str) -> String {
    let lines: String = findings(all).map(|(file, finding)| line(file, finding)).collect();
    let facts = if with_facts { table(all) } else { String::new() };
    format!("{facts}{lines}{summary}\n")
}

fn line(file: &str, finding: &LintFinding) -> String {
    let LintFinding { rule, message, line, column, .. } = finding;
    let place: String = [line, column].into_iter().flatten().map(|number| format!(":{number}")).collect();
    format!("{file}{place}: {}[{}]: {message}\n", rule.severity().name(), rule.id())
}

fn table(all: &[LintReport]) -> String {
    let columns = text::columns(
        "<Method|>Stages|>Order|>Stage order|>Weak stage order|<Explicit|<First same as last|<Stiffly accurate|<Unused stages",
    );
    let yes = |holds: bool| if holds { "yes" } else { "" }.to_owned();
    let row = |facts: &StructureFacts| {
        vec![
            facts.id.clone(),
            facts.stages.to_string(),
            facts.order.to_string(),
            facts.stage_order.to_string(),
            facts.weak_stage_order.map_or_else(String::new, |order| order.to_string()),
            yes(facts.explicit),
            yes(facts.first_same_as_last),
            yes(facts.stiffly_accurate),
            yes(facts.dj_reducible),
        ]
    };
    text::table(&columns, all.iter().filter_map(|linted| linted.facts.as_ref()).map(row)) + "\n"
}
