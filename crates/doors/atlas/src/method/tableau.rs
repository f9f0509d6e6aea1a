//! Coefficients: Butcher tableaus, and every number as it was published.

use hemiola_tableau::{Coefficient, Exact, Partition};
use maud::{Markup, html};

use crate::facts::MethodFacts;
use crate::html::{coefficient, math, scrolling};

pub(super) fn section(facts: &MethodFacts) -> Markup {
    let method = &facts.method;
    let several = method.partitions().len() > 1;
    let explicit = facts.is_explicit();
    let exact = method.exact();
    let tables = method.partitions().iter().zip(&exact.partitions).map(|(partition, butcher)| {
        let evaluations = hemiola_export::describe::counted(butcher.evaluated_stages().len(), "evaluation");
        let title =
            if several { format!("{} ({evaluations} a step)", partition.name) } else { method.name().to_owned() };
        (table(partition, &butcher.c, &title, explicit), dense(partition))
    });
    let is_rounded = method.partitions().iter().any(|partition| all(partition).any(|(_, entry)| !coefficient(entry).1));
    html! {
        @for (table, dense) in tables { (table) (dense) }
        @if is_rounded {
            p { "Numbers in italics are rounded to ten digits; below, all are as published." }
            (as_published(facts))
        }
    }
}

fn table(partition: &Partition, c: &[Exact], title: &str, explicit: bool) -> Markup {
    let stages = partition.b.len();
    // An abscissa without a text of its own is a row sum.
    let abscissa = |stage: usize| {
        let given = partition.c.as_ref().map(|given| given[stage].clone());
        given.or_else(|| Coefficient::parse(&c[stage].to_string()).ok()).map(|text| coefficient(&text).0)
    };
    let contents = html! {
        table.tableau {
            caption { "Butcher tableau: " (title) }
            thead.hidden {
                tr { th scope="col" { "abscissa" } @for stage in 1..=stages { th scope="col" { "stage " (stage) } } }
            }
            tbody {
                @for (i, row) in partition.a.iter().enumerate() {
                    tr {
                        th scope="row" { (spoken(&format!("stage {}", i + 1))) (abscissa(i).unwrap_or_default()) }
                        @for (j, entry) in row.iter().enumerate() {
                            td { @if !(explicit && j >= i) { (coefficient(entry).0) } }
                        }
                    }
                }
            }
            tbody.weights {
                (weights("weights", &math(&html! { mi { "b" } }), &partition.b))
                @if let Some(b_hat) = &partition.b_hat {
                    (weights("embedded weights", &math(&html! { mover { mi { "b" } mo { "^" } } }), b_hat))
                }
            }
        }
    };
    scrolling(&format!("Butcher tableau: {title}"), &contents)
}

fn weights(spoken_name: &str, name: &Markup, row: &[Coefficient]) -> Markup {
    html! { tr { th scope="row" { (spoken(spoken_name)) (name) } @for entry in row { td { (coefficient(entry).0) } } } }
}

/// Renders the polynomials of the dense output: a column for each stage, a row for each power of θ.
fn dense(partition: &Partition) -> Markup {
    let Some(dense) = &partition.dense else { return html! {} };
    let degree = dense.first().map_or(0, Vec::len);
    let title = format!("Dense output: weights of the stages as polynomials in θ, partition {}", partition.name);
    let contents = html! {
        table.tableau {
            caption { (title) }
            thead.hidden {
                tr { th scope="col" { "power" } @for stage in 1..=dense.len() { th scope="col" { "stage " (stage) } } }
            }
            tbody {
                @for power in 0..degree {
                    tr {
                        th scope="row" { (spoken(&format!("power {}", power + 1))) (math(&power_of_theta(power + 1))) }
                        @for row in dense { td { (coefficient(&row[power]).0) } }
                    }
                }
            }
        }
    };
    scrolling(&title, &contents)
}

/// Renders text for screen readers only; not all of them read formulas.
fn spoken(text: &str) -> Markup {
    html! { span.hidden { (text) " " } }
}

fn power_of_theta(power: usize) -> Markup {
    html! { @if power == 1 { mi { "θ" } } @else { msup { mi { "θ" } mn { (power) } } } }
}

/// Returns every nonzero coefficient of a partition with its name.
fn all(partition: &Partition) -> impl Iterator<Item = (String, &Coefficient)> {
    let a =
        partition.a.iter().enumerate().flat_map(|(i, row)| {
            row.iter().enumerate().map(move |(j, entry)| (format!("a[{}][{}]", i + 1, j + 1), entry))
        });
    let named = |name: &'static str| move |(i, entry)| (format!("{name}[{}]", i + 1usize), entry);
    let b = partition.b.iter().enumerate().map(named("b"));
    let c = partition.c.iter().flatten().enumerate().map(named("c"));
    let b_hat = partition.b_hat.iter().flatten().enumerate().map(named("b̂"));
    let dense = partition.dense.iter().flatten().enumerate().flat_map(|(i, row)| {
        row.iter().enumerate().map(move |(k, entry)| (format!("b[{}](θ^{})", i + 1, k + 1), entry))
    });
    a.chain(b).chain(c).chain(b_hat).chain(dense).filter(|(_, entry)| entry.text() != "0")
}

fn as_published(facts: &MethodFacts) -> Markup {
    let partitions = facts.method.partitions();
    let several = partitions.len() > 1;
    html! {
        details {
            summary { "All coefficients as published" }
            @for partition in partitions {
                @let title = if several { format!("Coefficients as published: {}", partition.name) } else { "Coefficients as published".to_owned() };
                (scrolling(&title, &html! {
                    table.published {
                        caption { (title) }
                        thead { tr { th scope="col" { "coefficient" } th scope="col" { "value" } } }
                        tbody { @for (name, entry) in all(partition) { tr { th scope="row" { (name) } td { (entry.text()) } } } }
                    }
                }))
            }
        }
    }
}
