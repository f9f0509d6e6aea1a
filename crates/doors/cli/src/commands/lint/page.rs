//! Findings as lines, after a table of the methods.

use hemiola::lint::{LintReport, StructureFacts, formats};

use crate::output::text;

pub(crate) fn page(all: &[LintReport], with_facts: bool, summary: &str) -> String {
    let facts = if with_facts { table(all) } else { String::new() };
    format!("{facts}{}{summary}\n", formats::text(all))
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
