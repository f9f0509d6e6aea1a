//! `hemiola diagnose`: misprints and copying errors in a table that fails a claim.

use std::num::NonZeroUsize;
use std::str::FromStr;

use clap::Args;
use hemiola::atlas::diagnosis::{self, CouplingDiagnosisReport, DiagnosisReport};
use hemiola::multirate::diagnose::MultirateDiagnosis;
use hemiola::multirate::{self, InfinitesimalMethod};
use hemiola::order::diagnose::{Claim, WrongAbscissae, diagnose, first_failing};
use hemiola::order::{DiagnoseOptions, Diagnosis, PolynomialCoefficient};
use hemiola::tableau::library::{Library, LibraryTwin};
use hemiola::tableau::{Claims, Exact, Method, NumberError, parse_number};
use thiserror::Error;

use crate::arguments::source;
use crate::arguments::usage::MethodUseError;
use crate::failure::{CommandError, CommandOutcome, Failure};
use crate::output::progress::Monitor;
use crate::output::text;
use crate::output::writer::Output;

/// Partition that the method does not have.
#[derive(Debug, Error)]
#[error("{id} has no partition {found:?}; expected one of: {expected}")]
struct UnknownPartition {
    id: String,
    found: String,
    expected: String,
}

impl CommandError for UnknownPartition {}

/// Search for the transcription error in a table that fails a claim
#[derive(Args)]
#[command(after_help = "\
The first claim that fails is diagnosed, in the sequence order, separable order, embedded order, dense order. For an \
embedded order the search covers A and the embedded weights, for a dense order the coefficients of the dense output.

Hypotheses: one wrong, missing or extra entry; a missing or extra sign; a changed, missing or extra digit; two \
exchanged digits; two exchanged entries; an entry that was moved and overwrites another; a section of a row or column \
shifted by one position; two exchanged rows of A, or b and the embedded weights. If the order fails and the method has \
embedded weights, the conditions of both are used. Values that do not occur in the table are computed from the order conditions. Abscissae are \
assumed to be row sums of A if most of them agree.

For a multirate method, the claims of the step and of the embedded row are diagnosed together: one wrong, missing or \
extra coefficient, or two exchanged ones. --order is that of the step; the other options do not apply.

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
        if let Some(method) = source::multirate_method(&self.method, library)? {
            return self.multirate(&method, output);
        }
        let method = source::method(&self.method, library)?;
        let order_error = |problem| MethodUseError::Order { id: method.id().to_owned(), problem };
        let claims = self.options(&method)?;
        let failing = first_failing(&method, &claims).map_err(order_error)?;
        let options = failing.unwrap_or(&claims[0]);
        // Ctrl-C ends the program.
        let monitor = Monitor::new();
        let diagnosis = diagnose(&method, options, &monitor);
        monitor.finish();
        let diagnosis = diagnosis.map_err(order_error)?;
        let (order, embedded_order) = match options.claim {
            Claim::Order => (diagnosis.order, None),
            Claim::EmbeddedOrder => (usize::MAX, Some(diagnosis.order)),
            Claim::SeparableOrder | Claim::DenseOrder => (usize::MAX, None),
        };
        let twin = LibraryTwin::find(&method).filter(|twin| twin.is_misprint(order, embedded_order));
        if self.json {
            output.json(&DiagnosisReport::new(&method, options, &diagnosis, twin.as_ref()))?;
        } else {
            let twin = twin.as_ref().map_or_else(String::new, |twin| format!("\n{twin}\n"));
            output.text(&(page(&method, options, &diagnosis) + &twin))?;
        }
        let found = diagnosis.holds_numerically || diagnosis.plausible().next().is_some() || twin.is_some();
        Ok(if found { CommandOutcome::Done } else { CommandOutcome::CheckFailed })
    }

    /// Diagnoses the order of a multirate method and that of its embedded row together.
    fn multirate(&self, method: &InfinitesimalMethod, output: &mut Output) -> Result<CommandOutcome, Failure> {
        let id = || method.id().to_owned();
        let of_tables = [
            ("--separable", self.separable),
            ("--given", !self.given.is_empty()),
            ("--polynomial", !self.polynomials.is_empty()),
        ];
        if let Some((option, _)) = of_tables.into_iter().find(|(_, is_given)| *is_given) {
            return Err(MethodUseError::NotForMultirate { option, id: id() }.into());
        }
        let order = self.order.map(NonZeroUsize::get).or(method.claims().order);
        let claims = Claims { order, ..method.claims() };
        if claims.order.is_none() && claims.embedded_order.is_none() {
            return Err(MethodUseError::NoClaim { id: id() }.into());
        }
        let monitor = Monitor::new();
        let diagnosis = multirate::diagnose::diagnose(method, claims, &monitor);
        monitor.finish();
        let diagnosis = diagnosis?;
        if self.json {
            output.json(&CouplingDiagnosisReport::new(method, claims, &diagnosis))?;
        } else {
            output.text(&coupling_page(method, claims, &diagnosis))?;
        }
        let found = diagnosis.is_sound || diagnosis.plausible().next().is_some();
        Ok(if found { CommandOutcome::Done } else { CommandOutcome::CheckFailed })
    }

    /// Returns the claims to be diagnosed, at least one.
    fn options(&self, method: &Method) -> Result<Vec<DiagnoseOptions>, Failure> {
        if self.separable && method.partitions().len() == 1 {
            return Err(MethodUseError::NotPartitioned { id: method.id().to_owned() }.into());
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
            return Err(MethodUseError::NoClaim { id: method.id().to_owned() }.into());
        }
        let given: Vec<usize> = self.given.iter().map(|name| partition(method, name)).collect::<Result<_, _>>()?;
        let mut polynomials = Vec::new();
        for known in &self.polynomials {
            let partition = match &known.partition {
                Some(name) => partition(method, name)?,
                None if method.partitions().len() == 1 => 0,
                None => return Err(unknown_partition(method, "").into()),
            };
            // The claim determines the coefficients up to the order; the given coefficients start after it.
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
fn partition(method: &Method, name: &str) -> Result<usize, UnknownPartition> {
    let found = method.partitions().iter().position(|partition| partition.name == name);
    found.ok_or_else(|| unknown_partition(method, name))
}

fn unknown_partition(method: &Method, name: &str) -> UnknownPartition {
    let names: Vec<&str> = method.partitions().iter().map(|partition| partition.name.as_str()).collect();
    UnknownPartition { id: method.id().to_owned(), found: name.to_owned(), expected: names.join(", ") }
}

fn page(method: &Method, options: &DiagnoseOptions, diagnosis: &Diagnosis) -> String {
    let id = method.id();
    if let (true, Some(WrongAbscissae { order, text })) = (diagnosis.is_sound, &diagnosis.abscissae) {
        let claimed = options.order;
        return format!("{id}: order {claimed} holds for y' = f(y), but y' = f(t, y) has order {order}: {text}\n");
    }
    if diagnosis.is_sound {
        return format!("{id}: {} {} holds; nothing to diagnose\n", options.claim, options.order);
    }
    let failing = match diagnosis.failed {
        0 => "no single rounding of the coefficients explains all residuals".to_owned(),
        failed => format!("{failed} of {} conditions", diagnosis.conditions),
    };
    let holds = if diagnosis.holds_numerically { "holds numerically (as stated: order" } else { "fails (order" };
    let verdict = format!("{id}: {} {} {holds} {}): {failing}\n", options.claim, options.order, diagnosis.order);
    verdict + &suggestions(method, diagnosis) + &diagnosis::conclusion(diagnosis)
}

fn coupling_page(method: &InfinitesimalMethod, claims: Claims, diagnosis: &MultirateDiagnosis) -> String {
    let id = method.id();
    let claim = |what: &str, claimed: Option<usize>, found: Option<usize>| {
        claimed.zip(found).map(|(claimed, found)| match found >= claimed {
            true => format!("{what} {claimed} holds"),
            false => format!("{what} {claimed} fails (order {found})"),
        })
    };
    let [step, embedded] = diagnosis.orders;
    let all = [claim("order", claims.order, step), claim("embedded order", claims.embedded_order, embedded)];
    let verdict = all.into_iter().flatten().collect::<Vec<_>>().join(", ");
    if diagnosis.is_sound {
        return format!("{id}: {verdict}; nothing to diagnose\n");
    }
    let mut page = format!("{id}: {verdict}: {} of {} conditions\n", diagnosis.failed, diagnosis.conditions);
    if !diagnosis.suggestions.is_empty() {
        let columns = text::columns(">|<Suggestion|<Entry|<Printed|<Suggested|>Chance fits");
        let numbered = diagnosis.suggestions.iter().enumerate();
        let rows = numbered.flat_map(|(k, suggestion)| diagnosis::coupling_rows(method, k + 1, suggestion));
        page += &format!("\n{}", text::table(&columns, rows));
    }
    page + &diagnosis::coupling_conclusion(diagnosis)
}

fn suggestions(method: &Method, diagnosis: &Diagnosis) -> String {
    if diagnosis.suggestions.is_empty() {
        return String::new();
    }
    let columns = text::columns(">|<Suggestion|<Entry|<Printed|<Suggested|>Order|>Residual|>Chance fits");
    let rows =
        diagnosis.suggestions.iter().enumerate().flat_map(|(k, suggestion)| diagnosis::rows(method, k + 1, suggestion));
    format!("\n{}", text::table(&columns, rows))
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
}
