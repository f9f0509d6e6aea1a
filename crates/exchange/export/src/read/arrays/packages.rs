//! Tableaus in the conventions of single packages, whose arrays have other names and layouts.

use super::draft::{Draft, DraftPartition, ReadValue};
use super::roles::whole;
use crate::read::error::{TextFault, TextPosition};
use crate::read::expressions::scope::NameScope;
use crate::read::expressions::value::ProgramValue;

/// Tolerance for the agreement of published decimals with row sums.
const AGREEMENT: f64 = 1e-6;

/// Builds the tableau of a class of DACEyPy or PathSim.
pub(crate) fn draft(name: Option<&str>, place: TextPosition, scope: &NameScope) -> Option<Draft> {
    let name = name.unwrap_or_default();
    daceypy(name, place, scope).or_else(|| pathsim(name, place, scope))
}

/// Returns the value of a member, `self._alpha`, by the last part of its name.
fn member<'a>(scope: &'a NameScope, name: &str) -> Option<&'a ReadValue> {
    scope.get(&format!("self.{name}"))
}

/// Reads `_alpha`, the rows of A below the diagonal one after another, `_gamma` (c), `_beta` (b) and `_beta_star` (b̂).
fn daceypy(name: &str, place: TextPosition, scope: &NameScope) -> Option<Draft> {
    let (alpha, at) = member(scope, "_alpha")?;
    let part = DraftPartition {
        a: Some((alpha.clone().and_then(|alpha| triangle(alpha, *at)), *at)),
        b: Some(member(scope, "_beta")?.clone()),
        b_hat: member(scope, "_beta_star").cloned(),
        c: member(scope, "_gamma").cloned(),
        ..DraftPartition::default()
    };
    let mut draft = Draft::new(name, place, vec![part]);
    claim(&mut draft, scope, "order", "_RK_order");
    Some(draft)
}

/// Splits a list into rows of 0, 1, 2, … numbers.
fn triangle(flat: ProgramValue, place: TextPosition) -> Result<ProgramValue, TextFault> {
    let ProgramValue::List(numbers, place) = flat else {
        return Err(TextFault::new(place, flat.shown(), "an array"));
    };
    let mut rows = Vec::new();
    let mut rest = &numbers[..];
    while let Some((row, others)) = rest.split_at_checked(rows.len()) {
        rows.push(ProgramValue::List(row.to_vec(), place));
        rest = others;
        if rest.is_empty() {
            return Ok(ProgramValue::List(rows, place));
        }
    }
    let found = format!("{} numbers", numbers.len());
    Err(TextFault::new(place, found, "1 + 2 + 3 + …, the rows of A below its diagonal"))
}

/// Reads `BT`, a dictionary of the rows of A and b of an explicit method, with `eval_stages` (c) and `n` (the order).
fn pathsim(name: &str, place: TextPosition, scope: &NameScope) -> Option<Draft> {
    let (table, at) = member(scope, "BT")?;
    let c = member(scope, "eval_stages")?.clone();
    let Ok(ProgramValue::List(rows, _)) = table else { return None };
    let (b, rows) = rows.split_last()?;
    // The first row belongs to the second stage, as the abscissae show; rows of implicit methods begin with the first.
    let sum =
        |row: &ProgramValue| Some(row.vector(*at).ok()?.iter().map(|number| number.value().to_f64()).sum::<f64>());
    let abscissae = c.0.as_ref().ok()?.vector(c.1).ok()?;
    let agrees = |(i, row): &(usize, &ProgramValue)| {
        let c = abscissae.get(i + 1).map(|number| number.value().to_f64());
        sum(row).zip(c).is_some_and(|(sum, c)| (sum - c).abs() < AGREEMENT)
    };
    let has_lengths = rows.iter().enumerate().all(|(i, row)| length(row) == Some(i + 1));
    let agreeing = rows.iter().enumerate().filter(agrees).count();
    let stages = rows.len() + 1;
    if !has_lengths || 2 * agreeing <= rows.len() || length(b)? != stages || abscissae.len() != stages {
        return None;
    }
    let of = |value: ProgramValue| Some((Ok(value), *at));
    let part = DraftPartition {
        a: of(ProgramValue::List(rows.to_vec(), *at)),
        b: of(b.clone()),
        c: Some(c),
        ..DraftPartition::default()
    };
    let mut draft = Draft::new(name, place, vec![part]);
    claim(&mut draft, scope, "order", "n");
    Some(draft)
}

fn length(row: &ProgramValue) -> Option<usize> {
    match row {
        ProgramValue::List(items, _) => Some(items.len()),
        _ => None,
    }
}

fn claim(draft: &mut Draft, scope: &NameScope, claim: &'static str, name: &str) {
    let name = format!("self.{name}");
    if let (Some(order), Some((_, place))) = (whole(scope, &name), scope.get(&name)) {
        draft.claim(claim, Some(order), *place);
    }
}
