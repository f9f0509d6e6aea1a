//! Numbers as the command line prints them, with all digits in an attribute for programs.

use hemiola_export::describe;
use maud::{Markup, html};

/// Renders a number in ten digits; its `value` attribute has all digits.
pub(crate) fn data(value: f64) -> Markup {
    html! { data value=(value) { (describe::number(value)) } }
}

/// Renders a whole number, or a dash for `None`.
pub(crate) fn whole(value: Option<usize>) -> Markup {
    html! { @match value { Some(value) => (value), None => "–" } }
}
