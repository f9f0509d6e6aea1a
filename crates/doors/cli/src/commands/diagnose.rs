//! `hemiola diagnose`: misprints and copying errors in a table that fails a claim.

use std::num::NonZeroUsize;
use std::str::FromStr;

use clap::Args;
use hemiola::order::diagnose::{Claim, diagnose, first_failing};
use hemiola::order::{CoefficientChange, DiagnoseOptions, Diagnosis, PolynomialCoefficient, Suggestion};
use hemiola::tableau::library::Library;
use hemiola::tableau::{Exact, Method, NumberError, bound_text, parse_number};
use serde::Serialize;

use crate::arguments::source;
use crate::failure::{CommandOutcome, Failure};
use crate::output::progress::Monitor;
use crate::output::text;
use crate::output::text::Column;
use crate::output::writer::Output;

/// Search for the transcription error in a table that fails a claim
#[derive(Args)]
#[command(after_help = "\
The first claim that fails is diagnosed, in the sequence order, separable order, embedded order, dense order. For an \
embedded order the search covers A and the embedded weights, for a dense order the coefficients of the dense output.

Hypotheses: one wrong, missing or extra entry; a missing or extra sign; a changed, missing or extra digit; two \
exchanged digits; two exchanged entries; an entry that was moved and overwrites another; a section of a row or column \
shifted by one position. Values that do not occur in the table are computed from the order conditions. Abscissae are \
assumed to be row sums of A if most of them agree.

Suggestions are ranked by the number of equally good fits expected by chance among all hypotheses. The method file is \
not changed: compare the suggestions with the source.

Exit code 1: the claim fails and no hypothesis is better than chance.

Examples:
  hemiola diagnose mine.json
  hemiola diagnose --order 4 --json mine.json
  hemiola diagnose scanned.json --given slow --polynomial fast=3/16,1/32,1/128")]
pub(crate) struct Diagnose {
    /// Library id or method file
    method: String,

    /// Order that the method should have [default: its claims]
    #[arg(long, value_name = "P")]
    order: Option<NonZeroUsize>,

    /// Diagnose the order for separable problems
    ///
    /// In a separable problem, the derivative of a partition depends only on the other partitions.
    #[arg(long)]
    separable: bool,

    /// Partition whose table is known to be correct (repeatable)
    #[arg(long, value_name = "PARTITION")]
    given: Vec<String>,

    /// Known coefficients of the stability polynomial of a partition (repeatable)
    ///
    /// The first coefficient is that of the power P + 1.
    #[arg(long = "polynomial", value_name = "[PARTITION=]β,β,…")]
    polynomials: Vec<KnownPolynomial>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Coefficients of a stability polynomial from the command line.
#[derive(Clone, Debug, PartialEq)]
struct KnownPolynomial {
    /// Name of the partition; optional for a method with one partition.
    partition: Option<String>,
    coefficients: Vec<Exact>,
}

impl FromStr for KnownPolynomial {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        let (partition, coefficients) = match text.split_once('=') {
            Some((partition, coefficients)) => (Some(partition.trim().to_owned()), coefficients),
            None => (None, text),
        };
        let coefficients = coefficients.split(',').map(parse_number).collect::<Result<_, _>>()?;
        Ok(Self { partition, coefficients })
    }
}

impl Diagnose {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let method = source::method(&self.method, library)?;
        let order_error = |problem| Failure::Order { id: method.id().to_owned(), problem };
        let claims = self.options(&method)?;
        let failing = first_failing(&method, &claims).map_err(order_error)?;
        let options = failing.unwrap_or(&claims[0]);
        // Ctrl-C ends the program.
        let monitor = Monitor::new();
        let diagnosis = diagnose(&method, options, &monitor);
        monitor.finish();
        let diagnosis = diagnosis.map_err(order_error)?;
        if self.json {
            output.json(&Report::new(&method, options, &diagnosis))?;
        } else {
            output.text(&page(&method, options, &diagnosis))?;
        }
        let found = diagnosis.holds_numerically || diagnosis.plausible().next().is_some();
        Ok(if found { CommandOutcome::Done } else { CommandOutcome::CheckFailed })
    }

    /// Returns the claims to be diagnosed, at least one.
    fn options(&self, method: &Method) -> Result<Vec<DiagnoseOptions>, Failure> {
        if self.separable && method.partitions().len() == 1 {
            return Err(Failure::NotPartitioned { id: method.id().to_owned() });
        }
        let claims = method.claims();
        let claimed = |claim: Claim| Some((claim, claim.order(claims)?));
        let wanted: Vec<(Claim, usize)> = match (self.separable, self.order.map(NonZeroUsize::get)) {
            (true, order) => {
                let order = order.or(claims.separable_order).or(claims.order);
                order.map(|order| (Claim::SeparableOrder, order)).into_iter().collect()
            }
            (false, Some(order)) => vec![(Claim::Order, order)],
            (false, None) => Claim::ALL.into_iter().filter_map(claimed).collect(),
        };
        if wanted.is_empty() {
            return Err(Failure::NoClaim { id: method.id().to_owned() });
        }
        let given: Vec<usize> = self.given.iter().map(|name| partition(method, name)).collect::<Result<_, _>>()?;
        let mut polynomials = Vec::new();
        for known in &self.polynomials {
            let partition = match &known.partition {
                Some(name) => partition(method, name)?,
                None if method.partitions().len() == 1 => 0,
                None => return Err(unknown_partition(method, "")),
            };
            // Coefficients up to the order follow from the claim; the given ones begin beyond it.
            let order = wanted[0].1;
            let powers = known.coefficients.iter().zip(order + 1..);
            polynomials.extend(powers.map(|(value, power)| PolynomialCoefficient {
                partition,
                power,
                value: value.clone(),
            }));
        }
        let options =
            |(claim, order)| DiagnoseOptions { order, claim, given: given.clone(), polynomials: polynomials.clone() };
        Ok(wanted.into_iter().map(options).collect())
    }
}

/// Finds a partition by name.
fn partition(method: &Method, name: &str) -> Result<usize, Failure> {
    let found = method.partitions().iter().position(|partition| partition.name == name);
    found.ok_or_else(|| unknown_partition(method, name))
}

fn unknown_partition(method: &Method, name: &str) -> Failure {
    let names: Vec<&str> = method.partitions().iter().map(|partition| partition.name.as_str()).collect();
    Failure::NoPartition { id: method.id().to_owned(), found: name.to_owned(), expected: names.join(", ") }
}

fn page(method: &Method, options: &DiagnoseOptions, diagnosis: &Diagnosis) -> String {
    let id = method.id();
    if diagnosis.is_sound {
        return format!("{id}: {} {} holds; nothing to diagnose\n", options.claim, options.order);
    }
    let failing = match diagnosis.failed {
        0 => "no single rounding of the coefficients explains all residuals".to_owned(),
        failed => format!("{failed} of {} conditions", diagnosis.conditions),
    };
    let holds = if diagnosis.holds_numerically { "holds numerically (as stated: order" } else { "fails (order" };
    let verdict = format!("{id}: {} {} {holds} {}): {failing}\n", options.claim, options.order, diagnosis.order);
    verdict + &suggestions(method, diagnosis) + &conclusion(diagnosis)
}

fn suggestions(method: &Method, diagnosis: &Diagnosis) -> String {
    if diagnosis.suggestions.is_empty() {
        return String::new();
    }
    let columns = [
        ("", Column::Right),
        ("Suggestion", Column::Left),
        ("Entry", Column::Left),
        ("Printed", Column::Left),
        ("Suggested", Column::Left),
        ("Order", Column::Right),
        ("Residual", Column::Right),
        ("Chance fits", Column::Right),
    ];
    let rows = diagnosis.suggestions.iter().enumerate().flat_map(|(k, suggestion)| rows(method, k + 1, suggestion));
    format!("\n{}", text::table(&columns, rows))
}

/// Builds one row per changed cell; the first one also describes the whole suggestion.
fn rows(method: &Method, number: usize, suggestion: &Suggestion) -> Vec<Vec<String>> {
    let row = |(k, change): (usize, &CoefficientChange)| {
        let once = |text: String| if k == 0 { text } else { String::new() };
        vec![
            once(number.to_string()),
            once(suggestion.slip.to_string()),
            entry(method, change),
            change.old.text().to_owned(),
            suggested(suggestion, change),
            once(suggestion.order.to_string()),
            once(text::residual(suggestion.max_residual)),
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

/// Formats an expected number of accidental fits; values below a bound are all beyond doubt.
fn accidental_fits(logarithm: f64) -> String {
    const LEAST: f64 = -30.0;
    if logarithm < LEAST { "< 1e-30".to_owned() } else { format!("{:.0e}", 10f64.powf(logarithm)) }
}

fn conclusion(diagnosis: &Diagnosis) -> String {
    let verdict = match diagnosis.plausible().count() {
        0 if diagnosis.holds_numerically => "none is better than chance; last digits are off, see `hemiola check`",
        0 => "none is better than chance",
        1 => "one is better than chance; check it against the source",
        _ => "several are better than chance; the conditions cannot decide between them, check the source",
    };
    format!("\n{} hypotheses tried: {verdict}\n", diagnosis.tried)
}

#[derive(Serialize)]
struct Report<'a> {
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
    suggestions: Vec<SuggestionReport<'a>>,
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

impl<'a> Report<'a> {
    fn new(method: &'a Method, options: &DiagnoseOptions, diagnosis: &'a Diagnosis) -> Self {
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
    fn polynomials_with_and_without_a_partition() {
        let third = Exact::from_ratio(1, 3);
        let known = |text: &str| KnownPolynomial::from_str(text);
        assert_eq!(known("1/3"), Ok(KnownPolynomial { partition: None, coefficients: vec![third.clone()] }));
        let fast =
            KnownPolynomial { partition: Some("fast".to_owned()), coefficients: vec![third, Exact::from_ratio(1, 4)] };
        assert_eq!(known("fast = 1/3, 0.25"), Ok(fast));
        assert!(known("fast=").is_err() && known("1/x").is_err());
    }

    #[test]
    fn beyond_doubt_is_not_counted() {
        assert_eq!((accidental_fits(-31.0).as_str(), accidental_fits(-3.0).as_str()), ("< 1e-30", "1e-3"));
    }
}
