//! The page of a method: a file for each section.

mod code;
mod coupling;
mod failing;
mod orders;
mod proof;
mod stability;
mod summary;
mod tableau;

use hemiola_tableau::library;
use maud::{Markup, html};

use crate::comparison::ComparisonGroup;
use crate::error::AtlasError;
use crate::facts::MethodFacts;
use crate::html::{PageFigure, PageFrame, SitePart, definitions};
use crate::site::SiteParts;

/// A page and its figures.
pub(crate) struct MethodPage {
    pub(crate) html: Vec<u8>,
    pub(crate) pictures: Vec<PageFigure>,
}

/// A section with its heading and anchor; empty sections are omitted.
struct Section {
    anchor: &'static str,
    heading: &'static str,
    contents: Markup,
}

/// Renders the page of a method; `group` is the comparison that contains it.
pub(crate) fn page(
    facts: &MethodFacts,
    group: Option<&ComparisonGroup<'_>>,
    parts: SiteParts,
) -> Result<MethodPage, AtlasError> {
    let mut pictures = Vec::new();
    let sections = [
        Section { anchor: "tableau", heading: "Coefficients", contents: tableau::section(facts) },
        Section { anchor: "order", heading: "Order", contents: orders::section(facts) },
        Section {
            anchor: "failing",
            heading: "First failing conditions",
            contents: failing::section(facts, &mut pictures)?,
        },
        Section { anchor: "stability", heading: "Stability", contents: stability::section(facts, &mut pictures)? },
        Section { anchor: "coupling", heading: "Coupling", contents: coupling::section(facts, &mut pictures)? },
        Section { anchor: "certificate", heading: "Certificate", contents: proof::section(facts) },
        Section { anchor: "code", heading: "Code", contents: code::section(facts) },
    ];
    let sections: Vec<Section> = sections.into_iter().filter(|section| !section.contents.0.is_empty()).collect();
    let (id, name) = (facts.id(), facts.method.name());
    let contents = html! {
        h1 { (name) }
        p.id { code { (id) } @for alias in library::aliases(id) { ", " code { (alias) } } }
        (summary::summary(facts))
        (links(facts, group, parts))
        nav.sections aria-label="Sections of this page" {
            ul { @for section in &sections { li { a href={ "#" (section.anchor) } { (section.heading) } } } }
        }
        @for section in &sections {
            section aria-labelledby=(section.anchor) {
                h2 id=(section.anchor) { (section.heading) }
                (section.contents)
            }
        }
    };
    let description = format!("{name}: coefficients, order, stability and code of the Runge–Kutta method {id}.");
    let frame = PageFrame { title: name, description: &description, place: SitePart::Methods, has_script: true };
    Ok(MethodPage { html: frame.render(parts, &contents), pictures })
}

/// Renders the links to the method file, the explorer if there is one, and the comparison.
fn links(facts: &MethodFacts, group: Option<&ComparisonGroup<'_>>, parts: SiteParts) -> Markup {
    let id = facts.id();
    let method_file = html! { a href={ (id) ".json" } download { (id) ".json" } };
    let mut entries = vec![("method file", method_file)];
    if parts.explorer {
        let link = html! { a href={ "../explorer/#method=" (id) } { "Change coefficients, drag the coupling, zoom" } };
        entries.push(("in the explorer", link));
    }
    if let Some(group) = group {
        let path = format!("../comparisons/{}.html", group.slug());
        entries.push(("beside others", html! { a href=(path) { (group.title()) } }));
    }
    definitions(entries)
}
