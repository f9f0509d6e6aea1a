//! Numbers, as the command line prints them, with all digits for programs.

use hemiola_export::describe;
use maud::{Markup, html};

/// A number in ten digits; its `value` has all of them.
pub(crate) fn data(value: f64) -> Markup {
    html! { data value=(value) { (describe::number(value)) } }
}

/// A whole number, or a dash for none.
pub(crate) fn whole(value: Option<usize>) -> Markup {
    html! { @match value { Some(value) => (value), None => "–" } }
}
