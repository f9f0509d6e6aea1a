//! Search for the entry that makes a claim fail.

use std::ops::ControlFlow;

use hemiola_number::Update;
use hemiola_order::diagnose::{Claim, CoefficientArray, diagnose};
use hemiola_order::{CoefficientChange, DiagnoseOptions, Grammar, Slip, TableauPosition};
use hemiola_tableau::Method;

use crate::finding::{LintFinding, Rule};

/// Largest number of hypotheses times conditions that are tried, which takes about a second.
const MOST_WORK: u128 = 1_000_000;
/// Smallest difference between the decimal logarithms of the chance fits of the best reading and the next one.
const LEAD: f64 = 2.0;

/// Moves findings on failing claims to the entry that is probably misprinted, and describes the presumed slip.
///
/// A finding stays as it is unless one reading of the table is clearly better than chance and than all others.
pub(crate) fn locate(method: &Method, findings: &mut [LintFinding]) {
    // A finding that names its entry is not a misprint in A or b.
    for finding in findings.iter_mut().filter(|finding| finding.path.starts_with("claims.")) {
        let claim = match finding.rule {
            Rule::Order => Claim::Order,
            Rule::EmbeddedOrder => Claim::EmbeddedOrder,
            _ => continue,
        };
        let order = claim.order(method.claims());
        let Some((slip, change)) = order.and_then(|order| misprint(method, claim, order)) else { continue };
        let (entry, old) = (change.entry(), change.old.text());
        let new = match change.solved {
            true => format!("about {:.12}", change.new.value().to_f64()),
            false => change.new.text().to_owned(),
        };
        finding.path = path(&change);
        finding.message += &format!("; {entry} = {old} is probably wrong ({slip}): the conditions require {new}");
    }
}

/// Returns the best reading of a table, if it changes a single entry.
fn misprint(method: &Method, claim: Claim, order: usize) -> Option<(Slip, CoefficientChange)> {
    let options = DiagnoseOptions { order, claim, ..DiagnoseOptions::default() };
    let counts = Grammar::partitioned(method.partitions().len()).counts(order).ok()?;
    let conditions = counts.into_iter().fold(0, u128::saturating_add);
    let within_limit = |update: Update<'_>| {
        let work = update.total.map_or(0, |hypotheses| conditions.saturating_mul(hypotheses as u128));
        if work > MOST_WORK { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let diagnosis = diagnose(method, &options, &within_limit).ok()?;
    let mut plausible = diagnosis.plausible();
    let best = plausible.next()?;
    let is_ahead = plausible.all(|other| other.log_accidental_fits > best.log_accidental_fits + LEAD);
    let [change] = &best.changes[..] else { return None };
    is_ahead.then(|| (best.slip, change.clone()))
}

/// Returns the path of an entry in a method file.
fn path(change: &CoefficientChange) -> String {
    let partition = change.cell.partition;
    match (change.cell.place, change.array) {
        (TableauPosition::Matrix { row, column }, _) => format!("partitions[{partition}].a[{row}][{column}]"),
        (TableauPosition::Weight { column }, CoefficientArray::Embedded) => {
            format!("partitions[{partition}].b_hat[{column}]")
        }
        (TableauPosition::Weight { column }, _) => format!("partitions[{partition}].b[{column}]"),
    }
}
