//! Verdicts order by order, and the orders for special classes of problems.

use hemiola_export::describe;
use maud::{Markup, html};

use crate::facts::MethodFacts;
use crate::html::{data, definitions, scrolling};
use crate::wording;

pub(super) fn section(facts: &MethodFacts) -> Markup {
    html! {
        (scrolling("Verdicts order by order", &table(facts)))
        (definitions(entries(facts)))
    }
}

fn table(facts: &MethodFacts) -> Markup {
    html! {
        table.numbers {
            caption { "Order conditions up to order " (facts.report.check.highest_order()) ", all of them" }
            thead {
                tr {
                    // The verdict comes early, where narrow screens show it.
                    th scope="col" { "Order" }
                    th.verdict scope="col" { "Verdict" }
                    @for name in ["Conditions", "Failed", "Largest residual"] { th scope="col" { (name) } }
                }
            }
            tbody {
                @for summary in facts.report.check.orders() {
                    @let verdict = wording::verdict(summary);
                    tr {
                        th scope="row" { (summary.order) }
                        td.verdict.fails[verdict.starts_with("fails")] { (verdict) }
                        td { (summary.conditions) }
                        td { (summary.failed()) }
                        td { data value=(summary.max_residual) { (describe::residual(summary.max_residual)) } }
                    }
                }
            }
        }
    }
}

fn entries(facts: &MethodFacts) -> Vec<(&'static str, Markup)> {
    let (method, report) = (&facts.method, &facts.report);
    let text = |(name, text): wording::Property| (name, html! { (text) });
    let mut entries = vec![("order", html! { (wording::order(&report.check)) })];
    entries.extend(wording::as_stated(method, &report.check).map(text));
    entries.push(("exact order", html! { (report.check.exact_order()) }));
    if method.partitions().len() > 1 {
        let named = method.partitions().iter().zip(&report.partition_orders);
        let named: Vec<String> = named.map(|(partition, order)| format!("{} {order}", partition.name)).collect();
        entries.push(("partition orders", html! { (named.join(", ")) }));
    }
    entries.extend(wording::orders(report).into_iter().map(text));
    let further = [("separable order", report.separable_order), ("embedded order", report.embedded_order)];
    entries.extend(further.into_iter().filter_map(|(name, order)| Some((name, html! { (order?) }))));
    entries.extend(wording::non_autonomous_order(method, report).map(text));
    entries.extend(wording::dense_output(report).map(text));
    entries.push(("stage order", html! { (report.stage_order) }));
    entries.extend(report.principal_error.as_ref().map(|error| {
        let norm = html! { (data(error.total.two)) " (of the conditions of order " (error.order) ")" };
        ("principal error norm", norm)
    }));
    entries.extend(wording::properties(method, report).into_iter().map(text));
    entries.push(("arithmetic", html! { (report.arithmetic) }));
    entries
}
