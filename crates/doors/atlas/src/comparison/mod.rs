//! Comparisons of pairs of one kind and order with each other and with single-rate rivals, on the same scales.

mod figures;
mod group;
mod page;

use maud::html;

use crate::html::{PageFrame, SitePart};
use crate::site::SiteParts;

pub(crate) use group::{ComparisonGroup, groups};

/// Renders the list of all comparisons.
pub(crate) fn index(groups: &[ComparisonGroup<'_>], parts: SiteParts) -> Vec<u8> {
    let contents = html! {
        h1 { "Comparisons" }
        p.lead {
            "Pairs and families of one kind and order beside each other, and beside single-rate methods of the same order: one table, "
            "one scale for all regions."
        }
        @if groups.is_empty() { p { "None of the methods has partitions." } }
        ul.comparisons {
            @for group in groups {
                li {
                    a href={ (group.slug()) ".html" } { (group.title()) }
                    " (" (hemiola_export::describe::counted(group.members.len(), "method")) ")"
                }
            }
        }
    };
    let description = "Partitioned Runge–Kutta methods of one kind and order beside each other.";
    PageFrame { title: "Comparisons", description, place: SitePart::Comparisons, has_script: false }
        .render(parts, &contents)
}
