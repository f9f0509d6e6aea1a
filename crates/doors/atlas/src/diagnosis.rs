//! Suggested corrections of a table, as rows of text and as JSON.

use hemiola_export::describe::residual;
use hemiola_multirate::InfinitesimalMethod;
use hemiola_multirate::diagnose::{CouplingChange, CouplingSuggestion, MultirateDiagnosis};
use hemiola_order::{CoefficientChange, DiagnoseOptions, Diagnosis, Suggestion};
use hemiola_tableau::library::LibraryTwin;
use hemiola_tableau::{Claims, Method, bound_text};
use serde::Serialize;

use crate::check::TwinReport;

/// Builds one row per changed cell; the first one also describes the whole suggestion, which has this number.
///
/// The cells are number, suggestion, entry, printed and suggested text, order, residual, and expected chance fits.
#[must_use]
pub fn rows(method: &Method, number: usize, suggestion: &Suggestion) -> Vec<Vec<String>> {
    let row = |(k, change): (usize, &CoefficientChange)| {
        let once = |text: String| if k == 0 { text } else { String::new() };
        vec![
            once(number.to_string()),
            once(suggestion.slip.to_string()),
            entry(method, change),
            change.old.text().to_owned(),
            suggested(suggestion, change),
            once(suggestion.order.to_string()),
            once(residual(suggestion.max_residual)),
            once(accidental_fits(suggestion.log_accidental_fits)),
        ]
    };
    suggestion.changes.iter().enumerate().map(row).collect()
}

/// Formats the entry, with its partition if there are several.
fn entry(method: &Method, change: &CoefficientChange) -> String {
    let place = change.entry();
    match method.partitions() {
        [_] => place,
        partitions => format!("{} {place}", partitions[change.cell.partition].name),
    }
}

/// Formats the new text; a computed value is followed by its uncertainty if that is visible.
fn suggested(suggestion: &Suggestion, change: &CoefficientChange) -> String {
    const VISIBLE: f64 = 1e-12;
    let text = change.new.text();
    let is_rough = change.solved && suggestion.radius > VISIBLE;
    if is_rough { format!("{text} ± {}", bound_text(suggestion.radius, 1)) } else { text.to_owned() }
}

/// Formats an expected number of accidental fits; values below a bound are not distinguished.
fn accidental_fits(logarithm: f64) -> String {
    const LEAST: f64 = -30.0;
    if logarithm < LEAST { "< 1e-30".to_owned() } else { format!("{:.0e}", 10f64.powf(logarithm)) }
}

/// Builds the rows of a suggestion for a multirate method: number, suggestion, entry, printed and suggested text, and
/// expected chance fits.
#[must_use]
pub fn coupling_rows(method: &InfinitesimalMethod, number: usize, suggestion: &CouplingSuggestion) -> Vec<Vec<String>> {
    let row = |(k, change): (usize, &CouplingChange)| {
        let once = |text: String| if k == 0 { text } else { String::new() };
        vec![
            once(number.to_string()),
            once(suggestion.slip.to_string()),
            change.place.text(method),
            change.old.text().to_owned(),
            change.new.text().to_owned(),
            once(accidental_fits(suggestion.log_accidental_fits)),
        ]
    };
    suggestion.changes.iter().enumerate().map(row).collect()
}

/// Concludes how many suggestions are better than chance.
#[must_use]
pub fn conclusion(diagnosis: &Diagnosis) -> String {
    concluded(diagnosis.plausible().count(), diagnosis.tried, diagnosis.holds_numerically)
}

/// Concludes how many suggestions for a multirate method are better than chance.
#[must_use]
pub fn coupling_conclusion(diagnosis: &MultirateDiagnosis) -> String {
    concluded(diagnosis.plausible().count(), diagnosis.tried, false)
}

fn concluded(plausible: usize, tried: usize, holds_numerically: bool) -> String {
    let verdict = match plausible {
        0 if holds_numerically => "none is better than chance; last digits are off, see `hemiola check`",
        0 => "none is better than chance",
        1 => "one is better than chance; check it against the source",
        _ => "several are better than chance; the conditions cannot decide between them, check the source",
    };
    format!("\n{tried} hypotheses tried: {verdict}\n")
}

/// Diagnosis of a multirate method as JSON.
#[derive(Serialize)]
pub struct CouplingDiagnosisReport<'a> {
    id: &'a str,
    claimed_order: Option<usize>,
    claimed_embedded_order: Option<usize>,
    order: Option<usize>,
    embedded_order: Option<usize>,
    conditions: u64,
    failed: u64,
    tried: usize,
    sound: bool,
    suggestions: Vec<CouplingSuggestionReport<'a>>,
}

#[derive(Serialize)]
struct CouplingSuggestionReport<'a> {
    kind: String,
    plausible: bool,
    changes: Vec<CouplingChangeReport<'a>>,
    log10_accidental_fits: f64,
}

#[derive(Serialize)]
struct CouplingChangeReport<'a> {
    entry: String,
    old: &'a str,
    new: &'a str,
    solved: bool,
}

impl<'a> CouplingDiagnosisReport<'a> {
    /// Collects the results of a diagnosis of a multirate method under some claims.
    #[must_use]
    pub fn new(method: &'a InfinitesimalMethod, claims: Claims, diagnosis: &'a MultirateDiagnosis) -> Self {
        let change = |change: &'a CouplingChange| CouplingChangeReport {
            entry: change.place.text(method),
            old: change.old.text(),
            new: change.new.text(),
            solved: change.solved,
        };
        let suggestion = |suggestion: &'a CouplingSuggestion| CouplingSuggestionReport {
            kind: suggestion.slip.to_string(),
            plausible: suggestion.is_plausible(),
            changes: suggestion.changes.iter().map(change).collect(),
            log10_accidental_fits: suggestion.log_accidental_fits,
        };
        Self {
            id: method.id(),
            claimed_order: claims.order,
            claimed_embedded_order: claims.embedded_order,
            order: diagnosis.orders[0],
            embedded_order: diagnosis.orders[1],
            conditions: diagnosis.conditions,
            failed: diagnosis.failed,
            tried: diagnosis.tried,
            sound: diagnosis.is_sound,
            suggestions: diagnosis.suggestions.iter().map(suggestion).collect(),
        }
    }
}

/// Diagnosis as JSON.
#[derive(Serialize)]
pub struct DiagnosisReport<'a> {
    id: &'a str,
    /// Diagnosed claim: order, separable order, embedded order or dense order.
    claim: String,
    claimed_order: usize,
    order: usize,
    conditions: u64,
    failed: u64,
    tried: usize,
    sound: bool,
    /// Whether the claim holds, at least numerically.
    holds_numerically: bool,
    /// Abscissae that lower the order for y' = f(t, y); omitted if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    abscissae: Option<AbscissaeReport<'a>>,
    /// Method of the library that differs in one entry or in last digits; omitted if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    library: Option<TwinReport>,
    suggestions: Vec<SuggestionReport<'a>>,
}

#[derive(Serialize)]
struct AbscissaeReport<'a> {
    non_autonomous_order: usize,
    text: &'a str,
}

#[derive(Serialize)]
struct SuggestionReport<'a> {
    kind: String,
    plausible: bool,
    changes: Vec<ChangeReport<'a>>,
    order: usize,
    max_residual: f64,
    log10_accidental_fits: f64,
}

#[derive(Serialize)]
struct ChangeReport<'a> {
    partition: &'a str,
    entry: String,
    old: &'a str,
    new: &'a str,
    solved: bool,
    /// Uncertainty of a computed value.
    radius: Option<f64>,
}

impl<'a> DiagnosisReport<'a> {
    /// Collects the results of a diagnosis of a method.
    #[must_use]
    pub fn new(
        method: &'a Method,
        options: &DiagnoseOptions,
        diagnosis: &'a Diagnosis,
        twin: Option<&LibraryTwin>,
    ) -> Self {
        let abscissae = diagnosis.abscissae.as_ref();
        Self {
            id: method.id(),
            claim: options.claim.to_string(),
            claimed_order: options.order,
            order: diagnosis.order,
            conditions: diagnosis.conditions,
            failed: diagnosis.failed,
            tried: diagnosis.tried,
            sound: diagnosis.is_sound,
            holds_numerically: diagnosis.holds_numerically,
            abscissae: abscissae.map(|found| AbscissaeReport { non_autonomous_order: found.order, text: &found.text }),
            library: twin.map(TwinReport::new),
            suggestions: diagnosis.suggestions.iter().map(|suggestion| suggestion_report(method, suggestion)).collect(),
        }
    }
}

fn suggestion_report<'a>(method: &'a Method, suggestion: &'a Suggestion) -> SuggestionReport<'a> {
    let change = |change: &'a CoefficientChange| ChangeReport {
        partition: &method.partitions()[change.cell.partition].name,
        entry: change.entry(),
        old: change.old.text(),
        new: change.new.text(),
        solved: change.solved,
        radius: change.solved.then_some(suggestion.radius),
    };
    SuggestionReport {
        kind: suggestion.slip.to_string(),
        plausible: suggestion.is_plausible(),
        changes: suggestion.changes.iter().map(change).collect(),
        order: suggestion.order,
        max_residual: suggestion.max_residual,
        log10_accidental_fits: suggestion.log_accidental_fits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_doubt_is_not_counted() {
        assert_eq!((accidental_fits(-31.0).as_str(), accidental_fits(-3.0).as_str()), ("< 1e-30", "1e-3"));
    }
}
