//! Pages of multirate methods: coupling tables, orders and norms, the stability function with the fast part solved
//! exactly, and its sector limits.

mod coefficients;
mod facts;
mod flow;
mod orders;

use hemiola_export::{describe, multirate_latex};
use hemiola_multirate::library;
use maud::{Markup, html};

use crate::html::{PageFrame, SitePart, data, definitions, scrolling, whole};
use crate::site::SiteParts;

pub(crate) use facts::MultirateFacts;

/// Renders the page of a method.
pub(crate) fn page(facts: &MultirateFacts, parts: SiteParts) -> Vec<u8> {
    let method = &facts.method;
    let (id, name) = (method.id(), method.name());
    let sections = [
        ("tables", "Coupling tables", coefficients::section(method)),
        ("order", "Order", orders::section(facts)),
        ("function", "Stability function", flow::function(method)),
        ("limits", "Sector limits", flow::limits(facts)),
        ("code", "LaTeX", scrolling("LaTeX", &html! { pre { code { (multirate_latex(method)) } } })),
    ];
    let contents = html! {
        h1 { (name) }
        p.id { code { (id) } @for alias in library::aliases(id) { ", " code { (alias) } } }
        (definitions(summary(facts)))
        nav.sections aria-label="Sections of this page" {
            ul { @for (anchor, heading, _) in &sections { li { a href={ "#" (anchor) } { (heading) } } } }
        }
        @for (anchor, heading, contents) in &sections {
            section aria-labelledby=(anchor) {
                h2 id=(anchor) { (heading) }
                (contents)
            }
        }
    };
    let description = format!("{name}: coupling tables, order and stability of the multirate method {id}.");
    let frame = PageFrame { title: name, description: &description, place: SitePart::Methods, has_script: false };
    frame.render(parts, &contents)
}

fn summary(facts: &MultirateFacts) -> Vec<(&'static str, Markup)> {
    let method = &facts.method;
    let mut entries = Vec::new();
    entries.extend(describe::publication(method.source()).map(|text| ("source", html! { (text) })));
    entries.push(("claims", html! { (describe::claimed(method.claims())) }));
    entries.push(("partitions", html! { (method.partitions().join(", ")) }));
    let evaluations = method.partitions().iter().enumerate().skip(1).map(|(r, name)| {
        format!("{name}: {} a step", describe::counted(method.evaluated_stages(r).len(), "evaluation"))
    });
    entries.push(("structure", html! { (evaluations.collect::<Vec<_>>().join("; ")) }));
    let consistency = if method.is_internally_consistent() { "yes" } else { "no" };
    entries.push(("internally consistent", html! { (consistency) }));
    entries.extend(method.source().note.clone().map(|note| ("note", html! { (note) })));
    let file = html! { a href={ (method.id()) ".json" } download { (method.id()) ".json" } };
    entries.push(("method file", file));
    entries
}

/// Renders the index of all multirate methods.
pub(crate) fn index(known: &[MultirateFacts], parts: SiteParts) -> Vec<u8> {
    let columns =
        ["Method", "Partitions", "Stages", "Order", "Embedded", "Error norm", "Sector", "|R(∞)|", "x(45°)", "x(80°)"];
    let contents = html! {
        h1 { "Multirate methods" }
        p.lead {
            (describe::counted(known.len(), "method")) " with an exact fast part, each with its coupling tables, verdicts and limits. x(α) is the "
            "largest slow step of the first slow partition that is stable beside all fast eigenvalues in the sector |arg(−z_F)| ≤ α, "
            "> 10⁶ if a search up to there found no exit. Sector and |R(∞)| are those of the implicit slow partition alone; a dash: "
            "there is none. A sector of none: not stable on the negative axis."
        }
        (scrolling("Multirate methods", &html! {
            table.numbers {
                caption { "All multirate methods" }
                thead { tr { @for name in columns { th scope="col" { (name) } } } }
                tbody { @for facts in known { (row(facts)) } }
            }
        }))
    };
    let description = "Multirate infinitesimal methods with their orders, error norms and sector limits.";
    PageFrame { title: "Multirate methods", description, place: SitePart::Methods, has_script: false }
        .render(parts, &contents)
}

fn row(facts: &MultirateFacts) -> Markup {
    let (method, report) = (&facts.method, &facts.report);
    let embedded = report.embedded.as_ref().map(hemiola_multirate::RowVerdicts::order);
    let first = facts.additive.first();
    let stiff = facts.additive.iter().find_map(|part| part.stiff.as_ref());
    html! {
        tr {
            th scope="row" { a href={ (method.id()) ".html" } { (method.id()) } " " span.name { (method.name()) } }
            td.kinds { (method.partitions().join(", ")) }
            td { (method.stages().len()) }
            td { (report.step.order()) }
            td { (whole(embedded)) }
            td { @match report.step.principal_error() { Some(error) => (data(error.total.two)), None => "–" } }
            td { @match stiff.map(|stiff| stiff.angle) {
                Some(Some(angle)) => { (data(angle)) "°" },
                Some(None) => "none",
                None => "–",
            } }
            td { @match stiff.map(|stiff| stiff.at_infinity) {
                Some(Some(limit)) => (data(limit)),
                Some(None) => "∞",
                None => "–",
            } }
            @for k in 0..facts::ANGLES.len() {
                td { @match first.map(|part| part.sectors[k].0.limit) {
                    Some(Some(limit)) => (data(limit)),
                    Some(None) => "> 10⁶",
                    None => "–",
                } }
            }
        }
    }
}
