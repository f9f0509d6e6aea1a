//! Tables of OrdinaryDiffEq.jl: `MRIGARKTableau{T}(Δc, W0, W1, Wemb0, Wemb1, γ0, q)`.
//!
//! Stage i continues the one before it with the forcing W0 + W1 τ; γ0 is the coefficient of the stage itself.

use hemiola_multirate::InfinitesimalStage;
use hemiola_tableau::Coefficient;
use num_traits::Zero;

use super::draft::{CouplingDraft, CouplingRows, coefficient, coefficients, trimmed, without_last_zeros};
use crate::read::error::{TextFault, TextPosition};
use crate::read::expressions::number::WrittenNumber;
use crate::read::expressions::value::ProgramValue;
use crate::read::programs::reader::ProgramUnit;

type Matrix = Vec<(Vec<WrittenNumber>, TextPosition)>;

/// Returns `false`: the arrays have fixed names, so that the call tells nothing more.
pub(super) fn constructs(_function: &str) -> bool {
    false
}

/// Reads the table of a function, if it has one.
pub(super) fn draft(unit: &ProgramUnit) -> Option<CouplingDraft> {
    let has = |name: &str| unit.scope.is_own(name);
    if !(has("Δc") && has("W0")) {
        return None;
    }
    let name = unit.name.clone().unwrap_or_else(|| "method".to_owned());
    Some(CouplingDraft { name, place: unit.place, conditions: unit.conditions.clone(), rows: rows(unit) })
}

fn rows(unit: &ProgramUnit) -> Result<CouplingRows, TextFault> {
    let lengths = vector(unit, "Δc")?;
    let own = vector(unit, "γ0")?;
    let matrices = [matrix(unit, "W0")?, matrix(unit, "W1")?];
    let stages = lengths.len();
    let wrong = matrices.iter().find(|matrix| matrix.len() > stages).and_then(|matrix| matrix.last());
    if let Some((_, place)) = wrong.or(matrices[0].last()).filter(|_| wrong.is_some() || matrices[0].len() != stages) {
        let found = format!("a matrix of {} rows", matrices[0].len().max(matrices[1].len()));
        return Err(TextFault::new(*place, found, format!("{stages}, one for each entry of Δc")));
    }
    let row = |i: usize| {
        let mut powers: Vec<Vec<Coefficient>> = Vec::new();
        for matrix in &matrices {
            let row = matrix.get(i).map(|(row, place)| coefficients(row, *place)).transpose()?;
            powers.push(row.unwrap_or_default());
        }
        if let Some(diagonal) = own.get(i).filter(|diagonal| !diagonal.value().is_zero()) {
            let zero = coefficient(&WrittenNumber::zero(), unit.place)?;
            let mut row = without_last_zeros(std::mem::take(&mut powers[0]));
            row.resize(row.len().max(i + 1), zero);
            row.push(coefficient(diagonal, unit.place)?);
            powers[0] = row;
        }
        stage(i + 1, &lengths[i], powers, unit.place)
    };
    let embedded = [vector(unit, "Wemb0")?, vector(unit, "Wemb1")?];
    let embedded = embedded.map(|row| coefficients(&row, unit.place));
    let [constant, linear] = embedded;
    let (constant, linear) = (constant?, linear?);
    let has_embedded = !constant.is_empty() && stages > 0;
    let embedded = has_embedded.then(|| stage(stages, &lengths[stages - 1], vec![constant, linear], unit.place));
    Ok(CouplingRows {
        partitions: vec!["fast".to_owned(), "slow".to_owned()],
        stages: (0..stages).map(row).collect::<Result<_, _>>()?,
        embedded: embedded.transpose()?,
        order: None,
        embedded_order: None,
        remark: None,
    })
}

fn stage(
    from: usize,
    interval: &WrittenNumber,
    powers: Vec<Vec<Coefficient>>,
    place: TextPosition,
) -> Result<InfinitesimalStage<Coefficient>, TextFault> {
    let interval = coefficient(interval, place)?;
    let (forcing, correction) = (vec![trimmed(powers)], vec![Vec::new()]);
    Ok(InfinitesimalStage { from, interval, forcing, correction, start: Vec::new(), drift: Vec::new() })
}

fn vector(unit: &ProgramUnit, name: &str) -> Result<Vec<WrittenNumber>, TextFault> {
    let Some((value, place)) = unit.scope.get(name) else { return Ok(Vec::new()) };
    let value = value.as_ref().map_err(Clone::clone)?;
    if value.is_nothing() { Ok(Vec::new()) } else { value.vector(*place) }
}

fn matrix(unit: &ProgramUnit, name: &str) -> Result<Matrix, TextFault> {
    let Some((value, place)) = unit.scope.get(name) else { return Ok(Vec::new()) };
    let value: &ProgramValue = value.as_ref().map_err(Clone::clone)?;
    value.rows(*place)
}
