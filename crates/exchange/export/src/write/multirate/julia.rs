//! Tables for OrdinaryDiffEqMultirate.jl: a function that makes its `MRIGARKTableau`.

use hemiola_multirate::{InfinitesimalMethod, InfinitesimalStage};
use hemiola_tableau::Exact;

use super::rows::{CouplingRows, header, is_nonzero};
use crate::write::error::WriteError;
use crate::write::layout::{comment, joined};
use crate::write::literal::Literal;
use crate::write::names::identifier;

/// Number of powers of τ that the tables have.
const POWERS: usize = 2;

pub(super) fn julia(method: &InfinitesimalMethod) -> Result<String, WriteError> {
    let rows = CouplingRows::new(method);
    if let Some(found) = misfit(&rows) {
        let id = method.id().to_owned();
        let expected = "continued stages of one slow partition, with forcing of degree 0 or 1";
        return Err(WriteError::Form { id, format: "OrdinaryDiffEqMultirate.jl", found, expected });
    }
    let name = format!("{}_tableau", identifier(method.id()));
    let exported = format!("{name}(T), for OrdinaryDiffEqMultirate.jl; q is the order of the inner method");
    let stages = rows.stages.len();
    let lengths: Vec<Exact> = rows.stages.iter().map(|row| row.interval.clone()).collect();
    let own: Vec<Exact> = rows.stages.iter().enumerate().map(|(e, row)| entry(row, 0, e + 1)).collect();
    let mut text = comment(&header(method, &exported), "# ") + "\nimport OrdinaryDiffEqMultirate\n";
    text += &format!("\nfunction {name}(::Type{{T}}) where {{T}}\n");
    text += &vector("Δc", &lengths);
    for k in 0..POWERS {
        text += &matrix(&format!("W{k}"), k, &rows.stages);
    }
    for k in 0..POWERS {
        let row = rows.embedded.as_ref().map_or_else(Vec::new, |row| (0..stages).map(|j| entry(row, k, j)).collect());
        text += &vector(&format!("Wemb{k}"), &row);
    }
    text += &vector("γ0", &own);
    let order = method.claims().order.unwrap_or(1);
    text += &format!(
        "    return OrdinaryDiffEqMultirate.MRIGARKTableau{{T}}(Δc, W0, W1, Wemb0, Wemb1, γ0, {order})\nend\n"
    );
    Ok(text)
}

/// Tells why a method has no such table.
fn misfit(rows: &CouplingRows) -> Option<String> {
    rows.combined().or_else(|| other_misfit(rows).map(str::to_owned))
}

fn other_misfit(rows: &CouplingRows) -> Option<&'static str> {
    let slow = rows.stages.first().map_or(0, |row| row.forcing.len());
    let implicit_powers = rows.stages.iter().enumerate().any(|(e, row)| is_nonzero(&entry(row, 1, e + 1)));
    let embedded_own =
        rows.embedded.as_ref().is_some_and(|row| (0..POWERS).any(|k| is_nonzero(&entry(row, k, rows.stages.len()))));
    match slow {
        1 if !rows.continues() => Some("its stages restart"),
        1 if rows.powers() > POWERS => Some("its forcing is of degree 2 or more"),
        1 if rows.has_corrections(0) => Some("it has corrections"),
        1 if implicit_powers => Some("a stage depends on itself with a power of τ"),
        1 if embedded_own => Some("its embedded row is implicit"),
        1 => None,
        _ => Some("it has several slow partitions"),
    }
}

fn entry(row: &InfinitesimalStage<Exact>, power: usize, column: usize) -> Exact {
    row.forcing[0].get(power).and_then(|row| row.get(column)).cloned().unwrap_or_else(|| Exact::from(0))
}

fn number(value: &Exact) -> String {
    Literal::new(value).format_with(str::to_owned, " // ")
}

fn vector(name: &str, values: &[Exact]) -> String {
    let entries: Vec<String> = values.iter().map(number).collect();
    joined(&format!("    {name} = T["), &entries, ", ", "]", 8, "")
}

/// Writes a square matrix by its nonzero entries, without those of a stage itself.
fn matrix(name: &str, power: usize, stages: &[InfinitesimalStage<Exact>]) -> String {
    let size = stages.len();
    let mut text = format!("    {name} = zeros(T, {size}, {size})\n");
    for (i, row) in stages.iter().enumerate() {
        for j in 0..=i {
            let value = entry(row, power, j);
            if is_nonzero(&value) {
                text += &format!("    {name}[{}, {}] = {}\n", i + 1, j + 1, number(&value));
            }
        }
    }
    text
}
