//! Tables and lists.

use maud::{Markup, html};

/// Wraps contents that may be wider than the page in a region that can be scrolled by the keyboard.
pub(crate) fn scrolling(label: &str, contents: &Markup) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label=(label) { (contents) } }
}

/// Renders a list of names and their texts.
pub(crate) fn definitions<'n>(entries: impl IntoIterator<Item = (&'n str, Markup)>) -> Markup {
    html! {
        dl {
            @for (name, text) in entries {
                div { dt { (name) } dd { (text) } }
            }
        }
    }
}
