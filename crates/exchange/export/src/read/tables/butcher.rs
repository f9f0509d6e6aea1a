//! Unlabeled tableaus: A, b and c are identified by the lengths and sums of rows.

use super::rows::{CellRow, part};
use crate::read::arrays::draft::{Draft, DraftPartition};
use crate::read::error::{TextFault, TextPosition};
use crate::read::expressions::number::WrittenNumber;

type Vector = (Vec<WrittenNumber>, TextPosition);

/// Tolerance for the agreement of decimal abscissae with row sums, and of the sum of weights with one.
const AGREEMENT: f64 = 1e-6;

/// Layouts of tables without labels.
pub(crate) const EXPECTED: &str = "a Butcher tableau (c, A and a row b below), or A, then b, then c";

/// Builds the method from blocks between blank lines.
pub(crate) fn draft(blocks: Vec<Vec<CellRow>>) -> Result<Option<Draft>, TextFault> {
    let Some(place) = blocks.first().and_then(|block| block.first()).map(|(_, place)| *place) else { return Ok(None) };
    let rows: Vec<CellRow> = blocks.iter().flatten().cloned().collect();
    let part = match tableau(&rows)? {
        Some(part) => part,
        None if blocks.len() > 1 => separate(blocks, place)?,
        None => stacked(&rows, place)?,
    };
    Ok(Some(Draft::new("", place, vec![part])))
}

fn numbers((row, place): &CellRow) -> Vector {
    (row.iter().flatten().cloned().collect(), *place)
}

fn sum(row: &[WrittenNumber]) -> f64 {
    row.iter().map(|number| number.value().to_f64()).sum()
}

/// Returns whether the first number of a row is the sum of the others.
fn begins_with_sum(row: &[WrittenNumber]) -> bool {
    row.split_first().is_some_and(|(c, rest)| (c.value().to_f64() - sum(rest)).abs() < AGREEMENT)
}

/// Reads a Butcher tableau: rows of c and A, with b and possibly b̂ below A.
fn tableau(rows: &[CellRow]) -> Result<Option<DraftPartition>, TextFault> {
    let is_below = |(row, _): &CellRow| row.first().is_some_and(Option::is_none);
    let marked = rows.iter().rev().take_while(|row| is_below(row)).count();
    let all: Vec<Vector> = rows.iter().map(numbers).collect();
    let last = all.last().map_or(0, |(row, _)| row.len());
    // The row of weights has one cell less than the rows of stages, or an empty first cell.
    let stages = if marked > 0 { rows.len() - marked } else { last };
    if stages == 0 || rows.len() <= stages || rows.len() > stages + 2 {
        return Ok(None);
    }
    let (upper, lower) = all.split_at(stages);
    let full = upper.iter().all(|(row, _)| row.len() == stages + 1);
    let ragged = upper.iter().enumerate().all(|(i, (row, _))| row.len() == i + 1);
    // A triangle of rows may also be A with its diagonal.
    let has_sums = upper.iter().all(|(row, _)| begins_with_sum(row));
    let starts_at_zero = upper[0].0.first().is_some_and(|c| c.value().to_f64() == 0.0);
    let mixed = upper.iter().enumerate().all(|(i, (row, _))| row.len() == stages + 1 || row.len() == i + 1);
    let is_tableau = full || marked > 0 || (ragged && (has_sums || starts_at_zero)) || (mixed && has_sums);
    if !is_tableau {
        return Ok(None);
    }
    let split = |(row, place): &Vector| match row.split_first() {
        Some((c, a)) => Ok((c.clone(), (a.to_vec(), *place))),
        None => Err(TextFault::new(*place, "a row without numbers", EXPECTED)),
    };
    let pairs = upper.iter().map(split).collect::<Result<Vec<_>, TextFault>>()?;
    let (c, a): (Vec<WrittenNumber>, Vec<Vector>) = pairs.into_iter().unzip();
    let place = upper[0].1;
    Ok(Some(part(a, [lower.first().cloned(), Some((c, place)), lower.get(1).cloned()])))
}

/// Reads A, then b, then c or b̂, in blocks between blank lines.
fn separate(blocks: Vec<Vec<CellRow>>, place: TextPosition) -> Result<DraftPartition, TextFault> {
    let mut blocks = blocks.into_iter();
    let a: Vec<Vector> = blocks.next().unwrap_or_default().iter().map(numbers).collect();
    let mut vectors = Vec::new();
    for block in blocks {
        let rows: Vec<Vector> = block.iter().map(numbers).collect();
        let is_column = rows.len() > 1 && rows.iter().all(|(row, _)| row.len() == 1);
        if is_column {
            let at = rows[0].1;
            vectors.push((rows.into_iter().flat_map(|(row, _)| row).collect(), at));
        } else {
            vectors.extend(rows);
        }
    }
    assigned(a, vectors, place)
}

/// Reads A, b and c in rows of equal length, one below another.
fn stacked(rows: &[CellRow], place: TextPosition) -> Result<DraftPartition, TextFault> {
    let all: Vec<Vector> = rows.iter().map(numbers).collect();
    let stages = all.last().map_or(0, |(row, _)| row.len());
    if all.len() <= stages {
        let found = format!("{} rows, the last of {stages} numbers", all.len());
        return Err(TextFault::new(all.last().map_or(place, |(_, place)| *place), found, EXPECTED));
    }
    let (a, vectors) = all.split_at(stages);
    assigned(a.to_vec(), vectors.to_vec(), place)
}

/// Assigns vectors: the first one holds the weights; among the others, row sums of A are abscissae.
fn assigned(a: Vec<Vector>, vectors: Vec<Vector>, place: TextPosition) -> Result<DraftPartition, TextFault> {
    let is_abscissae = |(row, _): &Vector| {
        row.len() == a.len()
            && row.iter().zip(&a).all(|(c, (row, _))| (c.value().to_f64() - sum(row)).abs() < AGREEMENT)
    };
    let is_weights = |(row, _): &Vector| (sum(row) - 1.0).abs() < AGREEMENT;
    let mut vectors = vectors.into_iter();
    let b = vectors.next();
    let (mut c, mut b_hat) = (None, None);
    for vector in vectors {
        let fills_c = c.is_none() && (is_abscissae(&vector) || !is_weights(&vector));
        let slot = if fills_c { &mut c } else { &mut b_hat };
        if slot.is_some() {
            return Err(TextFault::new(vector.1, "one more row of numbers", EXPECTED));
        }
        *slot = Some(vector);
    }
    if b.is_none() {
        return Err(TextFault::new(place, "a matrix without weights", EXPECTED));
    }
    Ok(part(a, [b, c, b_hat]))
}
