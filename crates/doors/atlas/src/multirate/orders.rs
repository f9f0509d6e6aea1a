//! Verdicts for each order, and the principal errors by kinds of trees.

use hemiola_export::describe;
use hemiola_multirate::{ErrorByRate, RowVerdicts};
use maud::{Markup, html};

use super::facts::MultirateFacts;
use crate::html::{data, definitions, scrolling};
use crate::wording;

pub(super) fn section(facts: &MultirateFacts) -> Markup {
    let report = &facts.report;
    let rows = [("step", Some(&report.step)), ("embedded", report.embedded.as_ref())];
    let rows: Vec<(&str, &RowVerdicts)> = rows.into_iter().filter_map(|(name, row)| Some((name, row?))).collect();
    html! {
        (scrolling("Verdicts order by order", &table(&rows)))
        @for (name, row) in &rows { (definitions(entries(name, row))) }
    }
}

fn table(rows: &[(&str, &RowVerdicts)]) -> Markup {
    html! {
        table.numbers {
            caption { "Order conditions of trees with fast and slow nodes, all of them" }
            thead {
                tr {
                    @for name in ["Row", "Order", "Conditions", "Failed", "Largest residual"] { th scope="col" { (name) } }
                    th.verdict scope="col" { "Verdict" }
                }
            }
            tbody {
                @for (name, row) in rows {
                    @for summary in row.orders() {
                        @let verdict = wording::verdict(summary);
                        tr {
                            th scope="row" { (name) }
                            td { (summary.order) }
                            td { (summary.conditions) }
                            td { (summary.failed()) }
                            td { data value=(summary.max_residual) { (describe::residual(summary.max_residual)) } }
                            td.verdict.fails[verdict.starts_with("fails")] { (verdict) }
                        }
                    }
                }
            }
        }
    }
}

fn entries(name: &str, row: &RowVerdicts) -> Vec<(&'static str, Markup)> {
    let of = if name == "step" { "order" } else { "embedded order" };
    let mut entries = vec![(of, html! { (row.order()) ", exactly " (row.exact_order()) })];
    if let Some(ErrorByRate { order, total, fast, slow, coupling }) = row.principal_error() {
        entries.push(("error norm", html! { (data(total.two)) " (of the conditions of order " (order) ")" }));
        let parts = [("fast", fast), ("slow", slow), ("coupling", coupling)];
        entries.push((
            "by rate",
            html! {
                @for (place, (name, norms)) in parts.into_iter().enumerate() {
                    @if place > 0 { ", " } (name) " " (data(norms.two))
                }
            },
        ));
    }
    entries
}
