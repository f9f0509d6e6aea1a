//! The index of all methods. A short script sorts and filters it; without the script the page is a plain table.

use hemiola_export::describe;
use maud::{Markup, html};

use crate::facts::{MethodFacts, SHOWN_STRENGTH};
use crate::html::{PageFrame, SitePart, scrolling, whole};
use crate::site::SiteParts;
use crate::wording::Kind;

const COLUMNS: [(&str, &str); 11] = [
    ("id", "Method"),
    ("kinds", "Kind"),
    ("stages", "Stages"),
    ("evaluations", "Evaluations"),
    ("order", "Order"),
    ("embedded", "Embedded"),
    ("imaginary", "Imaginary limit"),
    ("real", "Real limit"),
    ("norm", "Error norm"),
    ("profile", "Profile"),
    ("ssp", "SSP"),
];

/// Renders the index, with a link to that of the multirate methods if there are any.
pub(crate) fn index(known: &[MethodFacts], multirates: usize, parts: SiteParts) -> Vec<u8> {
    let contents = html! {
        h1 { "Methods" }
        p.lead {
            (describe::counted(known.len(), "method")) ", each with its coefficients, verdicts, limits, figures and code. Limits are those of "
            "the last partition, the fast or the implicit one; the profile is what a coupling of strength γ = " (SHOWN_STRENGTH)
            " leaves of the step of a pair at damping 0.05; SSP is the radius of absolute monotonicity, of all partitions together."
            @if multirates > 0 {
                " " a href="../multirate/" { (describe::counted(multirates, "multirate method")) } " of any ratio are listed apart."
            }
        }
        (filters(known))
        (scrolling("Methods", &table(known)))
    };
    let description = "Runge–Kutta methods with their orders, limits, error norms and coupled profiles.";
    PageFrame { title: "Methods", description, place: SitePart::Methods, has_script: true }.render(parts, &contents)
}

/// Renders the filters, which stay hidden unless the script shows them.
fn filters(known: &[MethodFacts]) -> Markup {
    let highest = known.iter().map(MethodFacts::order).max().unwrap_or(0);
    html! {
        form #filters hidden aria-label="Filter the methods" {
            label { "Words " input type="search" name="words" autocomplete="off"; }
            label { "Kind "
                select name="kind" {
                    option value="" { "any" }
                    option value="single" { "single rate" }
                    @for kind in Kind::ALL { option value=(kind.name()) { (kind.name()) } }
                }
            }
            label { "Order from " input type="number" name="order" min="0" max=(highest) inputmode="numeric"; }
            label { "Stages up to " input type="number" name="stages" min="1" inputmode="numeric"; }
            label { "Imaginary limit from " input type="number" name="imaginary" min="0" step="any" inputmode="decimal"; }
            label { "Real limit from " input type="number" name="real" min="0" step="any" inputmode="decimal"; }
            label { "Error norm up to " input type="number" name="norm" min="0" step="any" inputmode="decimal"; }
            button type="reset" { "Show all" }
            p role="status" id="shown" {}
        }
    }
}

fn table(known: &[MethodFacts]) -> Markup {
    html! {
        table.numbers.sortable #methods {
            caption { "All methods" }
            thead { tr { @for (key, name) in COLUMNS { th scope="col" data-key=(key) { (name) } } } }
            tbody { @for facts in known { (row(facts)) } }
        }
    }
}

/// Renders a row. The script sorts and filters by its attributes; unbounded limits are `Infinity`.
fn row(facts: &MethodFacts) -> Markup {
    let kinds: Vec<&str> = facts.kinds.iter().map(|kind| kind.name()).collect();
    let single = (facts.partitions.len() == 1).then_some("single");
    let attribute: Vec<&str> = kinds.iter().copied().chain(single).collect();
    let evaluations: Vec<String> = facts.evaluations.iter().map(ToString::to_string).collect();
    let last = facts.partitions.last();
    let limit = |limit: Option<f64>| limit.map_or_else(|| "Infinity".to_owned(), |limit| limit.to_string());
    let [imaginary, real] = [last.and_then(|part| part.imaginary_limit), last.and_then(|part| part.real_limit)];
    let norm = facts.report.principal_error_norm();
    html! {
        tr data-id=(facts.id()) data-name=(facts.method.name()) data-kinds=(attribute.join(" "))
            data-stages=(facts.method.stages()) data-evaluations=(facts.evaluations.iter().sum::<usize>())
            data-order=(facts.order()) data-embedded=[facts.report.embedded_order]
            data-imaginary=(limit(imaginary)) data-real=(limit(real)) data-norm=[norm]
            data-profile=[facts.shown_profile()] data-ssp=(limit(facts.ssp)) {
            th scope="row" { a href={ (facts.id()) ".html" } { (facts.id()) } " " span.name { (facts.method.name()) } }
            td.kinds { (kinds.join(", ")) }
            td { (facts.method.stages()) }
            td { (evaluations.join(" + ")) }
            td { (facts.order()) }
            td { (whole(facts.report.embedded_order)) }
            td { (short(imaginary)) }
            td { (short(real)) }
            td { @match norm { Some(norm) => (short(Some(norm))), None => "–" } }
            td { @match facts.shown_profile() { Some(value) => (format!("{value:.4}")), None => "–" } }
            td { (short(facts.ssp)) }
        }
    }
}

/// Renders a number in five digits, for a narrow column.
fn short(value: Option<f64>) -> Markup {
    html! { @match value { Some(value) => (describe::rounded(value, 5)), None => "∞" } }
}
