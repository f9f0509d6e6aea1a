//! The stability function in terms of φ-functions, and the limits of the additive test equation.

use hemiola_export::describe;
use hemiola_multirate::{InfinitesimalMethod, InfinitesimalStage, SectorLimit, SectorProof};
use hemiola_number::{Exact, Scalar};
use maud::{Markup, html};
use num_traits::Zero;

use super::facts::{MultirateFacts, SlowStability};
use crate::html::{data, definitions, math, printed, scrolling};
use crate::wording;

/// Renders R stage by stage: e^{Δz_F} R_r + Σ_σ z_σ Σ_j (Σ_k γ_jk k! φ_{k+1}(Δz_F) + Γ_j) R_j, plus Σ_j (α_j φ₀ + γ_j φ₁) (R_j − 1) for
/// a start and a drift.
pub(super) fn function(method: &InfinitesimalMethod) -> Markup {
    let rows = method.exact_rows();
    let names = &method.partitions()[1..];
    html! {
        p { "For y' = (λ" sub { "F" } " + Σ λ" sub { "σ" } ") y, with z = Hλ and R" sub { "1" } " = 1, the last of these is the stability function. "
            "φ" sub { "k" } " stands for φ" sub { "k" } "(Δz" sub { "F" } ") with the interval Δ of the stage." }
        (scrolling("Stability function", &html! {
            @for (e, stage) in rows.iter().take(method.stages().len()).enumerate() {
                p { (math(&equation(e, stage, names))) }
            }
        }))
    }
}

fn equation(e: usize, stage: &InfinitesimalStage<Exact>, names: &[String]) -> Markup {
    let (_, interval) = sign_and_size(&stage.interval);
    html! {
        mrow {
            (indexed("R", &(e + 2).to_string())) mo { "=" }
            @if !stage.interval.is_zero() {
                msup { mi { "e" } mrow { @if interval != "1" { (printed(&interval)) } (indexed("z", "F")) } }
            }
            (indexed("R", &stage.from.to_string()))
            @for (columns, k) in [(&stage.start, 0), (&stage.drift, 1)] {
                @if columns.iter().any(|x| !x.is_zero()) {
                    mo { "+" } (indexed("φ", &k.to_string())) mo { "(" }
                    @for (at, (j, value)) in columns.iter().enumerate().filter(|(_, x)| !x.is_zero()).enumerate() {
                        (factor(value, None, at == 0)) mo { "(" } (indexed("R", &(j + 1).to_string())) mo { "−" } mn { "1" } mo { ")" }
                    }
                    mo { ")" }
                }
            }
            @for (slow, name) in names.iter().enumerate() {
                @let terms = terms(stage, slow);
                @if !terms.is_empty() {
                    mo { "+" } (indexed("z", if names.len() > 1 { name } else { "S" }))
                    mo { "(" }
                    @for (place, (factors, j)) in terms.iter().enumerate() {
                        @if place > 0 { mo { "+" } }
                        @if factors.len() > 1 { mo { "(" } }
                        @for (at, (value, k)) in factors.iter().enumerate() { (factor(value, *k, at == 0)) }
                        @if factors.len() > 1 { mo { ")" } }
                        (indexed("R", &j.to_string()))
                    }
                    mo { ")" }
                }
            }
        }
    }
}

/// The factors of R_j, numbers with the index of their φ-function (none for a correction), and j.
type Term = (Vec<(Exact, Option<usize>)>, usize);

fn terms(stage: &InfinitesimalStage<Exact>, slow: usize) -> Vec<Term> {
    let powers = &stage.forcing[slow];
    let width = powers.iter().chain([&stage.correction[slow]]).map(Vec::len).max().unwrap_or(0);
    let of_column = |j: usize| {
        let mut factorial = Exact::from(1);
        let mut factors = Vec::new();
        for (k, row) in powers.iter().enumerate() {
            factorial = factorial * Exact::ratio(k.max(1) as i64, 1);
            factors.extend(row.get(j).map(|value| (value.clone() * factorial.clone(), Some(k + 1))));
        }
        factors.extend(stage.correction[slow].get(j).map(|value| (value.clone(), None)));
        factors.retain(|(value, _)| !value.is_zero());
        (factors, j + 1)
    };
    (0..width).map(of_column).filter(|(factors, _)| !factors.is_empty()).collect()
}

fn factor(value: &Exact, k: Option<usize>, is_first: bool) -> Markup {
    let (is_negative, size) = sign_and_size(value);
    html! {
        @if is_negative { mo { "−" } } @else if !is_first { mo { "+" } }
        @if size != "1" || k.is_none() { (printed(&size)) }
        @if let Some(k) = k { (indexed("φ", &k.to_string())) }
    }
}

fn sign_and_size(value: &Exact) -> (bool, String) {
    let text = describe::exact(value);
    (text.starts_with('-'), text.trim_start_matches('-').to_owned())
}

fn indexed(name: &str, index: &str) -> Markup {
    html! { msub { mi { (name) } mtext { (index) } } }
}

/// Renders the limits of each slow partition.
pub(super) fn limits(facts: &MultirateFacts) -> Markup {
    html! {
        @if facts.additive.is_empty() { p { "Coupled stages have no such function." } }
        @for part in &facts.additive {
            (scrolling("Sector limits", &table(part)))
            (definitions(entries(part)))
        }
    }
}

fn table(part: &SlowStability) -> Markup {
    html! {
        table.numbers {
            caption { "Stable slow steps of " (part.partition) " beside all fast eigenvalues with |arg(−z" sub { "F" } ")| ≤ α" }
            thead {
                tr { @for name in ["α", "Limit x(α)", "Proved", "|R| beyond", "at z_F"] { th scope="col" { (name) } } }
            }
            tbody { @for (found, proof) in &part.sectors { (row(found, proof)) } }
        }
    }
}

fn row(found: &SectorLimit, proof: &SectorProof) -> Markup {
    let witness = found.witness.as_ref();
    let upper = witness.filter(|witness| witness.is_proved).map(|witness| -witness.slow);
    html! {
        tr {
            th scope="row" { (found.angle) "°" }
            td { @match found.limit { Some(limit) => (data(limit)), None => "none up to 10⁶" } }
            td {
                @if let Some(lower) = proof.lower { "≥ " (outward(lower, f64::floor)) }
                @if proof.lower.is_some() && upper.is_some() { ", " }
                @if let Some(upper) = upper { "≤ " (outward(upper, f64::ceil)) }
                @if let Some(obstacle) = proof.obstacle { " (no lower bound: " (obstacle) ")" }
            }
            td { @if let Some(witness) = witness { "1 + " (describe::residual(witness.modulus - 1.0)) } }
            td { @match witness.and_then(|witness| witness.fast) {
                Some(fast) => { (describe::rounded(fast.re, 5)) " + " (describe::rounded(fast.im, 5)) "i" },
                None if witness.is_some() => "∞",
                None => "",
            } }
        }
    }
}

/// Renders a proved bound with six decimals, rounded in the direction in which it remains valid.
fn outward(bound: f64, towards: fn(f64) -> f64) -> Markup {
    html! { data value=(bound) { (format!("{:.6}", towards(bound * 1e6) / 1e6)) } }
}

fn entries(part: &SlowStability) -> Vec<(&'static str, Markup)> {
    let alone = if part.alone.is_finite() {
        data(part.alone)
    } else {
        html! { "unbounded" }
    };
    let stiff = part.stiff.as_ref().map(|stiff| {
        let angle = stiff.angle.map_or_else(|| "none".to_owned(), |angle| format!("{}°", describe::rounded(angle, 4)));
        let limit = stiff.at_infinity.map_or_else(|| "∞".to_owned(), |limit| describe::rounded(limit, 4));
        ("implicit part alone", html! { "sector " (angle) ", |R(∞)| = " (limit) })
    });
    let alone = ("slow part alone", html! { "stable to z" sub { "S" } " = −" (alone) });
    let undamped = wording::undamped(&part.resonance).map(|(name, text)| (name, html! { (text) }));
    stiff.into_iter().chain([alone]).chain(undamped).collect()
}
