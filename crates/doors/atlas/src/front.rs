//! The front page.

use hemiola_export::describe;
use maud::{Markup, html};

use crate::comparison::ComparisonGroup;
use crate::facts::MethodFacts;
use crate::html::{PageFrame, SitePart};
use crate::site::SiteParts;

pub(crate) fn front(known: &[MethodFacts], groups: &[ComparisonGroup<'_>], parts: SiteParts) -> Vec<u8> {
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
            @if parts.explorer {
                (door("explorer/", "The explorer", &html! {
                    "Edit a method and see its order change as you type; drag the coupling of a pair; design one in the page. The same code "
                    "as on the command line, in your browser."
                }))
            }
            @if parts.book {
                (door("book/", "The book", &html! {
                    "Three paths: designing methods, verifying tables, simulating vehicles; then order conditions, coupled profiles, "
                    "figures for a paper, families, proofs."
                }))
            }
        }
    };
    let description = "Design, verify and map Runge–Kutta methods with several rates.";
    PageFrame {
        title: "Hemiola: Runge–Kutta methods with several rates",
        description,
        place: SitePart::Front,
        has_script: false,
    }
    .render(parts, &contents)
}

fn door(path: &str, name: &str, text: &Markup) -> Markup {
    html! { section { h2 { a href=(path) { (name) } } p { (text) } } }
}
