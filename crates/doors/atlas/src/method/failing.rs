//! The failed conditions of the first order at which conditions fail: trees, values and residuals.

use hemiola_export::describe;
use hemiola_order::{Condition, OrderSummary};
use hemiola_plot::TreeFigure;
use maud::{Markup, html};

use crate::error::AtlasError;
use crate::facts::MethodFacts;
use crate::html::{PageFigure, data, picture, scrolling};
use crate::wording;

/// Largest number of trees drawn and listed; further ones are only counted.
const MOST: usize = 24;

pub(super) fn section(facts: &MethodFacts, pictures: &mut Vec<PageFigure>) -> Result<Markup, AtlasError> {
    let check = &facts.report.check;
    let first = facts.order() + 1;
    let count = check.orders().iter().find(|summary| summary.order == first).map_or(0, OrderSummary::failed);
    if count == 0 {
        return Ok(
            html! { p { "No condition up to order " (facts.report.check.highest_order()) ", the highest that was checked, fails by itself." } },
        );
    }
    let failing: Vec<&Condition> =
        check.failures().filter(|condition| condition.tree.order() == first).take(MOST).collect();
    let shown = failing.len();
    let of = if (shown as u64) < count { format!("the first {shown} of {count}") } else { format!("all {count}") };
    let labels = wording::labels(&facts.method);
    let drawn = trees(facts, &failing, &labels, &of, first)?;
    let shown = html! {
        p { "Of order " (first) ", " (of) " conditions that fail." }
        (picture(&drawn))
        details {
            summary { "The same as a table" }
            (scrolling("Failing conditions", &table(&failing, &labels)))
        }
    };
    pictures.push(drawn);
    Ok(shown)
}

fn trees(
    facts: &MethodFacts,
    failing: &[&Condition],
    labels: &[String],
    of: &str,
    order: usize,
) -> Result<PageFigure, AtlasError> {
    let names = facts.method.partitions().iter().map(|partition| partition.name.as_str());
    let colors: Vec<(&str, &str)> = labels.iter().map(String::as_str).zip(names).collect();
    let alt = format!("Rooted trees of order {order} whose conditions {} violates: {of}", facts.method.name());
    let figure = TreeFigure::new(&colors).description(alt.clone());
    let figure = failing.iter().fold(figure, |figure, condition| figure.condition(condition));
    let caption = html! { "Trees of order " (order) " whose conditions fail, with their elementary weights." };
    PageFigure::new(facts.id(), "failing-trees", figure.gallery(), alt, caption)
}

fn table(failing: &[&Condition], labels: &[String]) -> Markup {
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    html! {
        table.numbers {
            caption { "Failing conditions: elementary weight, what it should be, and the difference" }
            thead { tr { @for name in ["Tree", "Value", "Expected", "Residual"] { th scope="col" { (name) } } } }
            tbody {
                @for condition in failing {
                    @let density = condition.tree.density();
                    tr {
                        th scope="row" { (condition.tree.text(&labels)) }
                        td { (data(condition.value)) }
                        td { @if density == 1 { "1" } @else { "1/" (density) } }
                        td { data value=(condition.residual) { (describe::residual(condition.residual)) } }
                    }
                }
            }
        }
    }
}
