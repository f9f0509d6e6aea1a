//! The summary of a method: kind, source, structure, claims and order.

use hemiola_export::describe;
use maud::{Markup, html};

use crate::facts::MethodFacts;
use crate::html::definitions;
use crate::wording;

pub(super) fn summary(facts: &MethodFacts) -> Markup {
    let method = &facts.method;
    let kinds: Vec<&str> = facts.kinds.iter().map(|kind| kind.name()).collect();
    let mut entries = Vec::new();
    entries.extend(source(facts).map(|text| ("source", text)));
    entries.push(("kind", html! { (kinds.join(", ")) }));
    entries.push(("structure", html! { (describe::structure(method)) }));
    entries.push(("coefficients", html! { (describe::precision(method)) }));
    entries.push(("claims", html! { (describe::claims(method)) }));
    entries.push(("order", html! { strong { (facts.order()) } ", " (verdict(facts)) }));
    entries.extend(method.source().note.as_ref().map(|note| ("note", html! { (note) })));
    definitions(entries)
}

/// Renders the source, with its DOI as a link.
fn source(facts: &MethodFacts) -> Option<Markup> {
    let text = describe::source(&facts.method)?;
    Some(match &facts.method.source().doi {
        Some(doi) => {
            let before = text.strip_suffix(&format!("doi:{doi}")).unwrap_or(&text);
            html! { (before) a href={ "https://doi.org/" (doi) } { "doi:" (doi) } }
        }
        None => html! { (text) },
    })
}

/// Returns the weakest verdict on the orders that hold.
fn verdict(facts: &MethodFacts) -> String {
    let orders = facts.report.check.orders();
    let rank = |word: &str| ["exact", "to precision", "numerically"].iter().position(|known| *known == word);
    let held = orders.iter().take(facts.order()).map(wording::verdict);
    match held.max_by_key(|word| rank(word)) {
        Some("exact") => "exactly".to_owned(),
        Some(word) => word.to_owned(),
        None => "not even consistent".to_owned(),
    }
}
