//! Findings as lines, in the style of compiler messages.

use super::findings::findings;
use hemiola::lint::{LintFinding, LintReport, StructureFacts};

use crate::output::text;
use crate::output::text::Column;

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
    let columns = [
        ("Method", Column::Left),
        ("Stages", Column::Right),
        ("Order", Column::Right),
        ("Stage order", Column::Right),
        ("Explicit", Column::Left),
        ("First same as last", Column::Left),
        ("Stiffly accurate", Column::Left),
    ];
    let yes = |holds: bool| if holds { "yes" } else { "" }.to_owned();
    let row = |facts: &StructureFacts| {
        vec![
            facts.id.clone(),
            facts.stages.to_string(),
            facts.order.to_string(),
            facts.stage_order.to_string(),
            yes(facts.explicit),
            yes(facts.first_same_as_last),
            yes(facts.stiffly_accurate),
        ]
    };
    text::table(&columns, all.iter().filter_map(|linted| linted.facts.as_ref()).map(row)) + "\n"
}
