//! Tables and lists.

use maud::{Markup, html};

/// What may be wider than the page, in a region that the keyboard scrolls.
pub(crate) fn scrolling(label: &str, contents: &Markup) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label=(label) { (contents) } }
}

/// Names with their texts.
pub(crate) fn definitions<'n>(entries: impl IntoIterator<Item = (&'n str, Markup)>) -> Markup {
    html! {
        dl {
            @for (name, text) in entries {
                div { dt { (name) } dd { (text) } }
            }
        }
    }
}
