//! The certificate of a method.

use maud::{Markup, html};

use crate::facts::MethodFacts;
use crate::html::definitions;
use crate::wording;

pub(super) fn section(facts: &MethodFacts) -> Markup {
    let Some((certificate, holds)) = &facts.certificate else { return html! {} };
    let file = format!("{}.certificate.json", facts.id());
    let verdict = if *holds { wording::certificate(certificate) } else { "does not hold".to_owned() };
    html! {
        p { "The certificate states what was proved when the method was made; the proof was repeated when this page was." }
        (definitions([
            ("proved", html! { (verdict) }),
            ("file", html! { a href=(file) download { (file) } }),
            ("repeat it", html! { code { "hemiola check " (facts.id()) " --certificate " (file) } }),
        ]))
    }
}
