//! The front page, and placeholder pages for the explorer and the book.

use std::collections::BTreeMap;

use hemiola_export::describe;
use maud::{Markup, html};

use crate::comparison::ComparisonGroup;
use crate::facts::MethodFacts;
use crate::html::{PageFrame, SitePart};

pub(crate) fn front(known: &[MethodFacts], groups: &[ComparisonGroup<'_>]) -> Vec<u8> {
    let pairs = known.iter().filter(|facts| facts.partitions.len() > 1).count();
    let contents = html! {
        h1 { "Hemiola" }
        p.lead {
            "A workbench for those who design and analyze Runge–Kutta methods, above all partitioned ones that advance a fast and a slow "
            "subsystem at two rates in one step."
        }
        div.doors {
            (door("methods/", "The atlas", &html! {
                (describe::counted(known.len(), "method")) ", " (pairs) " of them with partitions: coefficients in exact numbers, verdicts order "
                "by order, limits, regions, failing trees, certificates, and code to copy."
            }))
            (door("comparisons/", "Comparisons", &html! {
                (describe::counted(groups.len(), "group")) " of pairs of one kind and order, beside each other and beside single-rate rivals, on "
                "the same scales."
            }))
            (door("explorer/", "The explorer", &html! {
                "Edit a method and see its order change as you type; drag the coupling of a pair; design one in the page. The same code as on "
                "the command line, in your browser."
            }))
            (door("book/", "The book", &html! {
                "The first pair in five minutes, the order conditions of pairs, coupled profiles, figures for a paper, your own system, proofs."
            }))
        }
    };
    let description = "Design, verify and map Runge–Kutta methods with several rates: atlas, explorer and book.";
    PageFrame {
        title: "Hemiola: Runge–Kutta methods with several rates",
        description,
        place: SitePart::Front,
        has_script: false,
    }
    .render(&contents)
}

fn door(path: &str, name: &str, text: &Markup) -> Markup {
    html! { section { h2 { a href=(path) { (name) } } p { (text) } } }
}

pub(crate) fn placeholders() -> BTreeMap<String, Vec<u8>> {
    let page = |place: SitePart, name: &str, how: &Markup| {
        let contents =
            html! { h1 { (name) } p.lead { "This part of the site was left out when it was made." } p { (how) } };
        let description = format!("{name}: left out when this site was made.");
        PageFrame { title: name, description: &description, place, has_script: false }.render(&contents)
    };
    let explorer = html! {
        code { "scripts/site" } " makes it where the toolchain can compile to WebAssembly. All that it shows can be had on the command line: "
        code { "hemiola check" } ", " code { "hemiola stability" } " and " code { "hemiola map" } "."
    };
    let book = html! {
        code { "scripts/site" } " makes it from " code { "docs/book" } " where mdbook is installed; its chapters can be read there as they are."
    };
    BTreeMap::from([
        ("explorer/index.html".to_owned(), page(SitePart::Explorer, "The explorer", &explorer)),
        ("book/index.html".to_owned(), page(SitePart::Book, "The book", &book)),
    ])
}
