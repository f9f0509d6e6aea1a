//! Coupling tables: stages, and the coefficients of their forcing.

use hemiola_export::describe;
use hemiola_multirate::{InfinitesimalMethod, StageCoupling};
use hemiola_tableau::Coefficient;
use maud::{Markup, html};

use crate::html::{coefficient, scrolling};

pub(super) fn section(method: &InfinitesimalMethod) -> Markup {
    html! {
        p { "A stage lasts the interval Δ of the step and starts from an earlier one. Between its ends the fast system is solved "
            "with the forcing Σ" sub { "k" } " γ" sup { "k" } " τ" sup { "k" } " of the slow slopes, τ from 0 to 1." }
        (scrolling("Stages", &stages(method)))
        @for (slow, name) in method.partitions()[1..].iter().enumerate() {
            (scrolling(&format!("Coefficients of {name}"), &table(method, slow, name)))
        }
        @if method.stages().iter().chain(method.embedded()).any(|row| !(row.start.is_empty() && row.drift.is_empty())) {
            p { "Starts add α" sub { "j" } " (Y" sub { "j" } " − Y" sub { "1" } ") to the beginning of a stage, drifts γ" sub { "j" }
                " (Y" sub { "j" } " − Y" sub { "1" } ") to its slope in τ." }
            (scrolling("Starts and drifts", &combined(method)))
        }
    }
}

fn stages(method: &InfinitesimalMethod) -> Markup {
    let abscissae = method.abscissae();
    let solution = |coupling: &StageCoupling| match coupling {
        StageCoupling::Explicit => "explicit",
        StageCoupling::Decoupled => "implicit, decoupled",
        StageCoupling::Coupled => "implicit, coupled",
    };
    html! {
        table.numbers {
            caption { "Stages" }
            thead { tr { @for name in ["Stage", "From", "Interval", "Abscissa", "Solution"] { th scope="col" { (name) } } } }
            tbody {
                @for (e, (stage, coupling)) in method.stages().iter().zip(method.couplings()).enumerate() {
                    tr {
                        th scope="row" { "Y" sub { (e + 2) } }
                        td { "Y" sub { (stage.from) } }
                        td { (coefficient(&stage.interval).0) }
                        td { (describe::exact(&abscissae[e + 1])) }
                        td { (solution(&coupling)) }
                    }
                }
                @if let Some(row) = method.embedded() {
                    tr {
                        th scope="row" { "embedded" }
                        td { "Y" sub { (row.from) } }
                        td { (coefficient(&row.interval).0) }
                        td {}
                        td {}
                    }
                }
            }
        }
    }
}

/// Renders the starts and drifts.
fn combined(method: &InfinitesimalMethod) -> Markup {
    let rows = method.stages().iter().chain(method.embedded()).enumerate().flat_map(|(e, stage)| {
        let terms = [("start", &stage.start), ("drift", &stage.drift)];
        terms.into_iter().filter(|(_, row)| !row.is_empty()).map(move |(term, row)| (e, term.to_owned(), row))
    });
    rows_of(method, "Starts and drifts", rows)
}

/// Renders the rows of one slow partition, one for each power of τ and one for the correction.
fn table(method: &InfinitesimalMethod, slow: usize, name: &str) -> Markup {
    let rows = method.stages().iter().chain(method.embedded()).enumerate().flat_map(|(e, stage)| {
        let powers = stage.forcing[slow].iter().enumerate().map(|(k, row)| (format!("τ^{k}"), row));
        let correction = Some(&stage.correction[slow]).filter(|row| !row.is_empty());
        powers.chain(correction.map(|row| ("correction".to_owned(), row))).map(move |(term, row)| (e, term, row))
    });
    rows_of(method, &format!("Forcing by {name}"), rows)
}

fn rows_of<'a>(
    method: &InfinitesimalMethod,
    caption: &str,
    rows: impl Iterator<Item = (usize, String, &'a Vec<Coefficient>)>,
) -> Markup {
    let count = method.stages().len();
    html! {
        table.numbers {
            caption { (caption) }
            thead {
                tr {
                    th scope="col" { "Stage" } th scope="col" { "Term" }
                    @for j in 1..=count + 1 { th scope="col" { "Y" sub { (j) } } }
                }
            }
            tbody {
                @for (e, term, row) in rows {
                    tr {
                        th scope="row" { @if e < count { "Y" sub { (e + 2) } } @else { "embedded" } }
                        td { (term) }
                        @for j in 0..=count { td { (row.get(j).map(shown).unwrap_or_default()) } }
                    }
                }
            }
        }
    }
}

fn shown(entry: &Coefficient) -> Markup {
    coefficient(entry).0
}
